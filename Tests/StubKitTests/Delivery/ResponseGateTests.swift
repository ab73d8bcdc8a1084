import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A response gate", .inTurn)
struct ResponseGateTests {
  @Test("lets all go in their order")
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
}
