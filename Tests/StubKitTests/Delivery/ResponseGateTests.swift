import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response gate", .inTurn)
struct ResponseGateTests {
  /// Once that many responses are held.
  private func whenHeld(_ count: Int = 1, by gate: ResponseGate) async throws {
    try await until("\(count) responses are held") { gate.waitingCount == count }
  }

  @Test("begins closed, lets all go that wait, in their order, and holds again once it is closed")
  func opening() {
    let gate = ResponseGate()
    #expect(!gate.isOpen)
    let passed = Protected<[Int]>([])
    for number in 1...20 {
      let ticket = gate.wait { passed.withLock { $0.append(number) } }
      if number == 7, let ticket { gate.forget(ticket) }
    }
    #expect(gate.waitingCount == 19 && passed.withLock { $0.isEmpty })
    gate.open()
    gate.open()
    #expect(gate.isOpen && gate.waitingCount == 0)
    #expect(passed.withLock { $0 } == Array(1...20).filter { $0 != 7 })
    #expect(gate.wait {} == nil)
    gate.close()
    gate.close()
    #expect(!gate.isOpen && gate.wait {} != nil)
  }

  @Test("holds a response, or a failure, until it opens")
  func holding() async throws {
    try await withStubs { () async throws in
      let gate = ResponseGate()
      stub(condition: isPath("/answer"), response: .text("answer").held(by: gate))
      stub(condition: isPath("/failure"), response: .failure(.cannotFindHost).held(by: gate))
      async let answer = URLSession.shared.fetch("http://a.example/answer")
      async let failure = URLSession.shared.failure(of: "http://a.example/failure")
      try await whenHeld(2, by: gate)
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.inProgress, .inProgress])
      gate.open()
      #expect(try await answer.text == "answer")
      #expect((await failure as? URLError)?.code == .cannotFindHost)
      gate.close()
      async let again = URLSession.shared.fetch("http://a.example/answer")
      try await whenHeld(by: gate)
      gate.open()
      gate.close()
      #expect(try await again.text == "answer")
      gate.open()
      #expect(try await URLSession.shared.fetch("http://a.example/answer").text == "answer")
    }
  }

  @Test("holds any number of responses")
  func many() async throws {
    try await withStubs {
      let gate = ResponseGate()
      stub(condition: isPath(template: "/{id}")) { _, match in .text(match["id"] ?? "").held(by: gate) }
      let texts = try await withThrowingTaskGroup(of: String?.self) { group in
        for id in 1...100 {
          group.addTask { try? await URLSession.shared.fetch("http://a.example/\(id)").text }
        }
        try await whenHeld(100, by: gate)
        gate.open()
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(texts == Set((1...100).map { "\($0)" }))
    }
  }

  @Test("keeps nothing of a request that is cancelled while it is held, nor does that keep the gate")
  func cancelled() async throws {
    weak var released: ResponseGate?
    try await withStubs {
      let gate = ResponseGate()
      released = gate
      let stub = stub(condition: .anything, response: .text("late").held(by: gate))
      let events = DelegateEvents()
      let session = URLSession(configuration: .patient, delegate: events, delegateQueue: nil)
      let task = session.dataTask(with: url("http://a.example/"))
      task.resume()
      try await whenHeld(by: gate)
      task.cancel()
      let told = try await events.untilCompletion()
      #expect(told == ["error \(NSURLErrorDomain) \(NSURLErrorCancelled)"])
      try await whenHeld(0, by: gate)
      gate.open()
      #expect(StubRegistry.current.journal.entries.map(\.outcome) == [.cancelled])
      stub.remove()
      session.finishTasksAndInvalidate()
    }
    try await until("the gate is gone") { released == nil }
  }

  @Test("that opens while the task is suspended lets it go on when it is resumed")
  func suspended() async throws {
    try await withStubs { () async throws in
      let gate = ResponseGate()
      stub(condition: isPath("/held"), response: .text("body").held(by: gate))
      stub(condition: isPath("/other"), response: .text("other"))
      let events = DelegateEvents()
      let session = URLSession(configuration: .patient, delegate: events, delegateQueue: nil)
      let task = session.dataTask(with: url("http://a.example/held"))
      task.resume()
      try await whenHeld(by: gate)
      task.suspend()
      gate.open()
      for _ in 0..<20 { _ = try await URLSession.shared.fetch("http://a.example/other") }
      #expect(events.told.isEmpty)
      task.resume()
      let told = try await events.untilCompletion()
      #expect(told == ["head 200", "data body", "complete"])
    }
  }

  @Test("holds no request for longer than its timeout")
  func timeout() async {
    await withStubs {
      let gate = ResponseGate()
      stub(condition: .anything, response: .text("late").held(by: gate))
      let request = request("http://a.example/", timeout: 0.05)
      let error = await #expect(throws: URLError.self) { try await URLSession.shared.fetch(request) }
      #expect(error?.code == .timedOut)
      #expect(gate.waitingCount == 0)
    }
  }

  @Test("holds no request for longer than its scope")
  func endOfScope() async throws {
    let gate = ResponseGate()
    let error = try await withThrowingTaskGroup(of: (any Error)?.self) { group in
      try await withStubs {
        stub(condition: .anything, response: .text("late").held(by: gate))
        group.addTask { await URLSession.shared.failure(of: "http://a.example/") }
        try await whenHeld(by: gate)
      }
      return try await group.next() ?? nil
    }
    #expect(error is StubScopeEndedError)
    #expect(gate.waitingCount == 0)
  }

  @Test("holds a redirect as well as the answer it leads to")
  func redirect() async throws {
    try await withStubs { () async throws in
      let gates = [ResponseGate(), ResponseGate()]
      stub(condition: isPath("/from"), response: .redirect(to: "/to").held(by: gates[0]))
      stub(condition: isPath("/to"), response: .text("there").held(by: gates[1]))
      async let answer = URLSession.shared.fetch("http://a.example/from")
      for gate in gates {
        try await whenHeld(by: gate)
        gate.open()
      }
      #expect(try await answer.text == "there")
    }
  }
}
