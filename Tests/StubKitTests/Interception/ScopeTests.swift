import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A scope", .inTurn)
struct ScopeTests {
  @Test("has its own registry, and gives the outer one back")
  func nesting() async {
    await withStubs {
      let outer = StubRegistry.current
      stub(condition: .anything, response: .status(204))
      withStubs {
        #expect(StubRegistry.current !== outer)
        #expect(StubRegistry.current.stubs.isEmpty)
        withStubs(in: outer) { #expect(StubRegistry.current === outer) }
      }
      await withStubs { await Task.yield() }
      #expect(StubRegistry.current === outer)
      #expect(outer.stubs.count == 1)
    }
  }

  @Test("fails what is in flight when it ends")
  func ending() async throws {
    let errors = try await withThrowingTaskGroup(of: (String, (any Error)?).self) { group in
      let registry = StubRegistry()
      let begun = Latch()
      stub(condition: isPath("/delayed"), response: .text("late").delay(.seconds(600)), in: registry)
      stub(condition: isPath("/slow"), response: .text("late").bodyDuration(.seconds(600)), in: registry)
      stub(condition: isPath("/closure"), in: registry) { _ in
        begun.open()
        try await Task.sleep(for: .seconds(600))
        return .status(204)
      }
      try await withStubs(in: registry) {
        for path in ["/delayed", "/slow", "/closure"] {
          group.addTask { (path, await URLSession.shared.failure(of: "http://a.example\(path)")) }
        }
        try await until("the closure has begun") { begun.isOpen }
        try await until("all requests are in the journal") { registry.journal.entries.count == 3 }
        try await until("three loads wait") { registry.inFlight.endingCount >= 3 }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(
      errors.map { $0.1 as? StubScopeEndedError } == Array(repeating: StubScopeEndedError(), count: 3), "\(errors)")
  }

  @Test("fails what had not begun when it ended", arguments: ["/delayed", "/closure"])
  func endingBeforeTheLoad(path: String) async throws {
    for _ in 0..<TestSize.of(50, inPart: 10) {
      let events = DelegateEvents()
      let session = events.session()
      let registry = StubRegistry()
      withStubs(in: registry) {
        stub(condition: isPath("/delayed"), response: .noAnswer)
        stub(condition: isPath("/closure")) { _ in
          try await Task.sleep(for: .seconds(600))
          return .status(204)
        }
        session.dataTask(with: url("http://a.example\(path)")).resume()
      }
      _ = try await events.untilCompletion()
      session.finishTasksAndInvalidate()
      #expect(registry.journal.entries.map { $0.outcome.error is StubScopeEndedError } == [true])
      #expect(registry.inFlight.endingCount == 0)
    }
  }

  @Test("lets go of what its stubs hold")
  func release() async throws {
    final class Held: Sendable { let gate = ResponseGate() }
    weak var held: Held?
    weak var gate: ResponseGate?
    try await withStubs {
      let object = Held()
      (held, gate) = (object, object.gate)
      stub(condition: .anything) { _ in .text("x").held(by: object.gate) }
      async let answer = URLSession.shared.fetch("http://a.example/")
      try await until("the response is held") { object.gate.waitingCount == 1 }
      object.gate.open()
      _ = try await answer
    }
    // The closure holds the object, and the response that it has made holds the gate.
    try await until("all of it is gone") { held == nil && gate == nil }
  }

  /// How other code makes a request of the global registry.
  enum Moment: CaseIterable { case before, meanwhile }

  @Test(
    "of the global registry fails only what its own code has made", .inOwnProcess, .serialized,
    arguments: Moment.allCases)
  func global(moment: Moment) async throws {
    let gate = ResponseGate()
    let registry = StubRegistry.global
    let held = stub(condition: .anything, response: .text("whole").held(by: gate), in: registry)
    defer { held.remove() }
    let other = Locked<Task<String?, Never>?>(nil)
    func ask() { other.withLock { $0 = Task { try? await URLSession.shared.fetch("http://a.example/other").text } } }
    if moment == .before {
      ask()
      try await until("the other request is held") { gate.waitingCount == 1 }
    }
    let failure = try await withStubs(in: registry) {
      let own = Task { await URLSession.shared.failure(of: "http://a.example/own") }
      try await until("the own request is held") { registry.journal.entries.contains { $0.url.path == "/own" } }
      if moment == .meanwhile { await Task.detached { ask() }.value }
      try await until("both are held") { gate.waitingCount == 2 }
      return own
    }
    #expect(await failure.value is StubScopeEndedError)
    gate.open()
    let text = await other.withLock(\.self)?.value
    #expect(text == "whole")
  }

  @Test("that shares its registry with another fails no request while the other goes on")
  func sharedRegistry() async throws {
    let registry = StubRegistry()
    stub(condition: .anything, response: .text("in time").delay(.milliseconds(30)), in: registry)
    try await withStubs(in: registry) {
      async let fetched = URLSession.shared.fetch("http://a.example/")
      await withStubs(in: registry) { await Task.yield() }
      let text = try await fetched.text
      #expect(text == "in time")
    }
  }
}
