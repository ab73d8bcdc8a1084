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
}
