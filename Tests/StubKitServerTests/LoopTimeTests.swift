import TestSupport
import Testing

@testable import StubKitServer

@Suite("The time of a server's loop", .inTurn)
struct LoopTimeTests {
  @Test(
    "goes on with the clock, but for a pause of the whole process",
    arguments: [
      (passed: .seconds(30), wait: .seconds(30), counted: .seconds(30)),
      (.milliseconds(5), .seconds(30), .milliseconds(5)),
      // A busy machine.
      (.milliseconds(30_900), .seconds(30), .milliseconds(30_900)),
      // Nothing was due, so nothing is late.
      (.seconds(3_600), nil, .seconds(3_600)),
      (.milliseconds(20), .seconds(-1), .milliseconds(20)),
      // A debugger, or the lid of a laptop.
      (.seconds(70), .seconds(30), .zero), (.seconds(2), .milliseconds(100), .zero), (.seconds(2), .seconds(-1), .zero),
    ] as [(passed: Duration, wait: Duration?, counted: Duration)])
  func steps(passed: Duration, wait: Duration?, counted: Duration) {
    let start = ContinuousClock.now
    var time = LoopTime(start)
    time.advance(to: start + passed, after: wait)
    #expect(start.duration(to: time.now) == counted)
    // The pause is over.
    time.advance(to: start + passed + .milliseconds(7), after: .seconds(1))
    #expect(start.duration(to: time.now) == counted + .milliseconds(7))
  }
}
