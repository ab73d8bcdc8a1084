import Dispatch
import TestSupport
import Testing

@testable import StubKit

@Suite("A duration", .inTurn)
struct DurationTests {
  private static let longest = Duration.seconds(100 * 31_557_600)

  @Test(
    "is at most a hundred years, and its sums and products don't trap",
    arguments: [
      (Duration.zero, Duration.zero), (.nanoseconds(-1), .nanoseconds(-1)), (.seconds(5), .seconds(5)),
      (longest, longest), (.zero - longest, .zero - longest), (.seconds(Int64.min), .zero - longest),
      (.seconds(1.7e20), longest), (.seconds(-1.7e20), .zero - longest),
    ])
  func range(duration: Duration, expected: Duration) {
    #expect(duration.clamped == expected)
    let pieces = BodyPieces(bodyLength: .max, pace: .pieces(every: max(.zero, duration.clamped)), cut: .every(1))
    #expect(pieces.duration + .endOfTime >= pieces.time(ofByte: .max, inPiece: .max))
  }

  @Test("of a number of bytes is at most a hundred years, too")
  func bytes() {
    #expect(Duration(of: 100, at: 50) == .seconds(2))
    #expect(Duration(of: .max, at: .leastNonzeroMagnitude) == Self.longest && Duration(of: 1, at: 0) == Self.longest)
  }

  private static let roundings: [(time: Duration, down: Duration, up: Duration)] = {
    let (one, second) = (Duration.nanoseconds(1), Duration.seconds(1))
    return [
      (.zero, .zero, .zero), (one, one, one), (one * 0.5, .zero, one), (one * -0.5, .zero - one, .zero),
      (second + one * 0.25, second, second + one), (.endOfTime, .endOfTime, .endOfTime),
    ]
  }()

  @Test("is rounded to whole nanoseconds, up and down", arguments: roundings)
  func rounding(time: Duration, down: Duration, up: Duration) {
    #expect(time.roundedDown == down && time.roundedUp == up)
  }

  @Test("is what Dispatch waits for, never before it, and for ever if no process lives for so long")
  func dispatch() {
    #expect(Duration.seconds(3).dispatchTime.uptimeNanoseconds == 3_000_000_000)
    #expect((Duration.nanoseconds(7) + .nanoseconds(1) * 0.1).dispatchTime.uptimeNanoseconds == 8)
    #expect(
      Duration.zero.dispatchTime.uptimeNanoseconds == 1 && Duration.seconds(-5).dispatchTime.uptimeNanoseconds == 1)
    #expect(Duration.seconds(147 * 31_557_600).dispatchTime == .distantFuture)
    #expect(Duration.endOfTime.dispatchTime == .distantFuture && (.zero - Duration.endOfTime).dispatchTime < .now())
    let (before, now, after) = (DispatchTime.now(), Duration.now(), DispatchTime.now())
    #expect(before <= now.dispatchTime && now.dispatchTime <= after)
  }
}
