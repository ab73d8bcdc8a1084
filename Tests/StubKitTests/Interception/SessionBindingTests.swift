import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The registry of a session", .inTurn)
struct SessionBindingTests {
  /// Where a request is made that belongs to no code of the scope's: its session alone can say where it belongs.
  enum Place: CaseIterable {
    case queue, detachedTask, thread

    func fetch(_ session: URLSession, _ address: String = "http://a.example/") async throws -> String {
      if self == .detachedTask { return try await Task.detached { try await session.fetch(address).text }.value }
      return try await untilResumed { continuation in
        let work = { @Sendable in
          session.dataTask(with: url(address)) { data, _, error in
            continuation.resume(with: error.map { .failure($0) } ?? .success(String(decoding: data!, as: UTF8.self)))
          }.resume()
        }
        if self == .queue { DispatchQueue(label: "plain").async(execute: work) } else { Thread.detachNewThread(work) }
      }
    }
  }

  private static func registry(_ name: String) -> StubRegistry {
    let registry = StubRegistry()
    stub(condition: .anything, response: .text(name), in: registry)
    return registry
  }

  @Test("is that of the scope in which it was made", arguments: Place.allCases)
  func madeInScope(place: Place) async throws {
    try await withStubs(in: Self.registry("A")) { () async throws in
      // Another thread, which knows of no scope, can make a session of a configuration from here.
      let ofConfiguration = StubRegistry.$local.withValue(nil) { [made = URLSessionConfiguration.ephemeral] in
        URLSession(configuration: made)
      }
      for (name, session) in [("elsewhere", ofConfiguration), ("here", URLSession(configuration: .default))] {
        #expect(try await place.fetch(session) == "A", "made \(name)")
        let copy = URLSession(configuration: session.configuration, delegate: nil, delegateQueue: OperationQueue())
        #expect(try await place.fetch(copy) == "A", "a copy of one made \(name)")
      }
      // The sessions alone said where those four belong. This one is made by code of the scope's.
      _ = try await URLSession.patient.fetch("http://a.example/")
      #expect(StubRegistry.current.journal.entries.map(\.isUnscoped) == [true, true, true, true, false])
    }
  }

  @Test("gives way to the requester's scope")
  func taskLocal() async throws {
    try await withStubs(in: Self.registry("A")) {
      let session = URLSession(configuration: .patient)
      try await withStubs(in: Self.registry("B")) { () async throws in
        #expect(try await session.fetch("http://a.example/").text == "B")
        #expect(try await Place.queue.fetch(session) == "A")
        let another = URLSession(configuration: session.configuration)
        #expect(try await Place.queue.fetch(another) == "B")
      }
    }
  }

  @Test("is the one that it was made for, whichever scope it is used in", arguments: Place.allCases)
  func installed(place: Place) async throws {
    let installed = Self.registry("I")
    let session = installed.makeSession()
    let configuration = URLSessionConfiguration.default
    installed.install(in: configuration)
    #expect(try await place.fetch(session) == "I")
    try await withStubs(in: Self.registry("B")) { () async throws in
      #expect(try await session.fetch("http://a.example/").text == "I")
      let madeHere = URLSession(configuration: configuration)
      #expect(try await madeHere.fetch("http://a.example/").text == "I")
      #expect(try await place.fetch(madeHere) == "I")
      #expect(try await place.fetch(StubRegistry.current.makeSession()) == "B")
    }
    #expect(try await place.fetch(session) == "I")
    #expect(installed.journal.entries.allSatisfy { !$0.isUnscoped })
  }

  /// In a process of its own, which would be warned of these requests at its end.
  @Test(
    "fails requests from outside of any scope when its scope has ended", .inOwnProcess, .serialized,
    arguments: Place.allCases)
  func ended(place: Place) async throws {
    let session = withStubs(in: Self.registry("A")) { URLSession(configuration: .default) }
    let error = await #expect(throws: StubScopeEndedError.self) { try await place.fetch(session) }
    #expect(error?.localizedDescription.contains("The request's session was created in a withStubs scope") == true)
  }

  @Test(
    "gives way to the scope of later code when its own has ended", .inOwnProcess, .serialized, arguments: Place.allCases
  )
  func laterScope(place: Place) async throws {
    let (session, configuration) = withStubs(in: Self.registry("A")) {
      (URLSession(configuration: .default), URLSessionConfiguration.ephemeral)
    }
    let late = URLSession(configuration: configuration)
    try await withStubs(in: Self.registry("B")) { () async throws in
      #expect(try await session.fetch("http://a.example/").text == "B")
      #expect(try await place.fetch(session) == "B")
      #expect(try await place.fetch(late) == "B")
      // The place made the last two.
      #expect(StubRegistry.current.journal.entries.map(\.isUnscoped) == [false, true, true])
    }
  }

  @Test("counts again when its registry has a scope again", .inOwnProcess, .serialized, arguments: Place.allCases)
  func secondScope(place: Place) async throws {
    let registry = Self.registry("A")
    let session = withStubs(in: registry) { URLSession(configuration: .default) }
    try await withStubs(in: registry) { () async throws in #expect(try await place.fetch(session) == "A") }
  }

  @Test(
    "that it was made for counts after its scope, until the registry itself is gone", .inOwnProcess, .serialized,
    arguments: Place.allCases)
  func installedAfterScope(place: Place) async throws {
    let registry = Self.registry("A")
    let ofHeld = withStubs(in: registry) { registry.makeSession() }
    #expect(try await place.fetch(ofHeld) == "A")
    // Nobody holds the registry of this scope.
    let ofGone = withStubs { StubRegistry.current.makeSession() }
    await #expect(throws: StubScopeEndedError.self) { try await place.fetch(ofGone) }
    await withStubs(in: Self.registry("B")) {
      await #expect(throws: StubScopeEndedError.self) { try await place.fetch(ofGone) }
    }
  }
}
