import TestSupport
import Testing

@testable import StubKit

@Suite("A number of calls", .inTurn)
struct CallCountTests {
  @Test(
    "allows what it says",
    arguments: [
      (CallCount.exactly(2), [2], "exactly 2 calls"), (.once, [1], "exactly 1 call"), (.never, [0], "no call"),
      (.atLeast(3), [3, 4, 5], "at least 3 calls"), (.atMost(1), [0, 1], "at most 1 call"), (4, [4], "exactly 4 calls"),
    ] as [(CallCount, [Int], String)])
  func contains(count: CallCount, allowed: [Int], text: String) {
    #expect((0...5).filter(count.contains) == allowed)
    #expect(count.description == text)
  }

  @Test("is a value: equal to what allows the same, and to be matched")
  func values() {
    #expect(CallCount.once == 1 && CallCount.never == .atMost(0) && CallCount.atLeast(1) != .once)
    #expect(Set([CallCount.never, 0, .exactly(0)]).count == 1)
    switch CallCount.exactly(1) {
    case .never: Issue.record("took 1 for none")
    case .once: break
    default: Issue.record("took 1 for something else")
    }
  }

  @Test("below zero expects nothing, and fails what verifies it", arguments: [CallCount.atLeast(-1), .atMost(-1), -1])
  func negative(count: CallCount) {
    #expect(!count.contains(0) && !count.contains(1) && !count.contains(-1))
    let registry = StubRegistry()
    let error = #expect(throws: VerificationError.self) { try verify(.anything, called: count, in: registry) }
    #expect(error?.description.contains("-1 is not a valid number of calls. Write 0 or more.") == true)
    let stub = stub(condition: .anything, response: .empty(), in: registry)
    #expect(throws: VerificationError.self) { try verify(stub, called: count) }
  }
}
