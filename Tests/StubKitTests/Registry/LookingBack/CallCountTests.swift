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

  @Test("below zero traps")
  func negative() async {
    await #expect(processExitsWith: .failure) { _ = CallCount.atLeast(-1) }
    await #expect(processExitsWith: .failure) { _ = CallCount.atMost(-1) }
  }
}
