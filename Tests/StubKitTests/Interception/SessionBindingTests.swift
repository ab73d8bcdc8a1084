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

  /// The macro can't see through a scope.
  private func expect(_ actual: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(actual == expected, sourceLocation: sourceLocation)
  }

  private static func registry(_ name: String) -> StubRegistry {
    let registry = StubRegistry()
    stub(condition: .anything, response: .text(name), in: registry)
    return registry
  }

  @Test("is that of the scope in which it was made")
  func madeInScope() async throws {
    for place in Place.allCases {
      try await withStubs(registry: Self.registry("A")) {
        for configuration in [URLSessionConfiguration.default, .ephemeral] {
          let session = URLSession(configuration: configuration)
          expect(try await place.fetch(session), "A")
          let copy = URLSession(configuration: session.configuration, delegate: nil, delegateQueue: OperationQueue())
          expect(try await place.fetch(copy), "A")
        }
        let entries = StubRegistry.current.journal.entries
        #expect(entries.count == 4 && entries.allSatisfy(\.isInferred), "\(place)")
        _ = try await URLSession(configuration: .patient).fetch("http://a.example/")
        #expect(StubRegistry.current.journal.entries.last?.isInferred == false, "\(place)")
      }
    }
  }

  @Test("gives way to the requester's scope")
  func taskLocal() async throws {
    try await withStubs(registry: Self.registry("A")) {
      let session = URLSession(configuration: .patient)
      try await withStubs(registry: Self.registry("B")) {
        expect(try await session.fetch("http://a.example/").text, "B")
        expect(try await Place.queue.fetch(session), "A")
        let another = URLSession(configuration: session.configuration)
        expect(try await Place.queue.fetch(another), "B")
      }
    }
  }

  @Test("is the installed one before every other")
  func installed() async throws {
    for place in Place.allCases {
      let installed = Self.registry("I")
      let session = installed.makeSession()
      let configuration = URLSessionConfiguration.default
      installed.install(in: configuration)
      expect(try await place.fetch(session), "I")
      try await withStubs(registry: Self.registry("B")) {
        expect(try await session.fetch("http://a.example/").text, "I")
        let madeHere = URLSession(configuration: configuration)
        expect(try await madeHere.fetch("http://a.example/").text, "I")
        expect(try await place.fetch(madeHere), "I")
        let current = StubRegistry.current.makeSession()
        expect(try await place.fetch(current), "B")
      }
      expect(try await place.fetch(session), "I")
      #expect(installed.journal.entries.allSatisfy { !$0.isInferred }, "\(place)")
    }
  }

  /// In a process of its own, which would be warned of these requests at its end.
  @Test("fails requests when its scope has ended", .inOwnProcess)
  func ended() async throws {
    for place in Place.allCases {
      let registry = Self.registry("A")
      let (session, bound, gone) = withStubs(registry: registry) {
        (URLSession(configuration: .default), registry.makeSession(), withStubs { StubRegistry.current.makeSession() })
      }
      let error = await #expect(throws: StubScopeEndedError.self, "\(place)") { try await place.fetch(session) }
      #expect(error?.description.contains("The request's session was created in a withStubs scope") == true)
      #expect(error != StubScopeEndedError() && error?.localizedDescription == error?.description)
      expect(try await place.fetch(bound), "A")
      await #expect(throws: StubScopeEndedError.self, "\(place)") { try await place.fetch(gone) }
      try await withStubs(registry: Self.registry("B")) {
        expect(try await session.fetch("http://a.example/").text, "B")
      }
      try await withStubs(registry: registry) {
        expect(try await place.fetch(session), "A")
      }
    }
  }

  @Test("is not that of its configuration's ended scope")
  func configurationOfEndedScope() {
    let registry = Self.registry("A")
    func classes(of configuration: URLSessionConfiguration) -> [ObjectIdentifier] {
      (URLSession(configuration: configuration).configuration.protocolClasses ?? [])
        .filter { $0 is StubURLProtocol.Type }.map { ObjectIdentifier($0) }
    }
    let configuration = withStubs(registry: registry) {
      let configuration = URLSessionConfiguration.ephemeral
      // Another thread, which knows of no scope, may be the one that makes the session.
      let made = StubRegistry.$local.withValue(nil) { classes(of: configuration) }
      #expect(made == [ObjectIdentifier(registry.mark(.madeIn))])
      return configuration
    }
    #expect(classes(of: configuration) == [ObjectIdentifier(StubURLProtocol.self)])
    let installed = URLSessionConfiguration.ephemeral
    registry.install(in: installed)
    #expect(classes(of: installed) == [ObjectIdentifier(registry.mark(.installed))])
  }
}
