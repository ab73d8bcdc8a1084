import Dispatch
import TestSupport
import Testing

@testable import StubKit

@Suite("A time", .inTurn)
struct TimeTests {
  private static let longest = Duration.seconds(Int64.max)

  @Test(
    "is made of any duration, and never leaves its range",
    arguments: [
      (Duration.zero, Duration.zero), (.nanoseconds(-1), .nanoseconds(-1)), (.seconds(5), .seconds(5)),
      (longest, longest), (.zero - longest, .zero - longest), (.seconds(Int64.min), .zero - longest),
      (.seconds(1.7e20), longest), (.seconds(-1.7e20), .zero - longest),
    ])
  func range(duration: Duration, expected: Duration) {
    #expect(Time(duration).duration == expected)
  }

  @Test("saturates where a duration would trap")
  func arithmetic() {
    let (one, longest) = (Time.seconds(1), Time.longest)
    #expect(one + one == .seconds(2) && one - .seconds(3) == .seconds(-2))
    #expect(longest + one == longest && longest + longest == longest)
    #expect(.zero - longest - one == .zero - longest && longest - longest == .zero)
    #expect(one * 3 == .seconds(3) && one * .max == longest && one * .min == .zero - longest)
    #expect(longest * -2 == .zero - longest && longest * 1 == longest && longest * 0 == .zero)
    #expect(one * 0.5 == .milliseconds(500) && longest * 1.5 == longest && longest * -.infinity == .zero - longest)
    #expect(Time.seconds(1.5) == .milliseconds(1_500))
    #expect(Time.seconds(Double.infinity) == longest && Time.seconds(-Double.infinity) == .zero - longest)
    #expect(Time.seconds(UInt64.max) == longest && Time.nanoseconds(Int64.max) < longest)
    #expect(Time(of: 100, at: 50) == .seconds(2) && Time(of: .max, at: .leastNonzeroMagnitude) == longest)
    #expect(Time.seconds(3) / .seconds(2) == 1.5)
  }

  private static let roundings: [(time: Time, down: Time, up: Time)] = {
    let (one, second) = (Time.nanoseconds(1), Time.seconds(1))
    return [
      (.zero, .zero, .zero), (one, one, one), (one * 0.5, .zero, one), (one * -0.5, .zero - one, .zero),
      (second + one * 0.25, second, second + one), (.longest, .longest, .longest),
    ]
  }()

  @Test("is rounded to whole nanoseconds, up and down", arguments: roundings)
  func rounding(time: Time, down: Time, up: Time) {
    #expect(time.roundedDown == down && time.roundedUp == up)
  }

  @Test("is what Dispatch waits for, never before it, and for ever if no process lives for so long")
  func dispatch() {
    #expect(Time.seconds(3).dispatchTime.uptimeNanoseconds == 3_000_000_000)
    #expect((Time.nanoseconds(7) + .nanoseconds(1) * 0.1).dispatchTime.uptimeNanoseconds == 8)
    #expect(Time.zero.dispatchTime.uptimeNanoseconds == 1 && Time.seconds(-5).dispatchTime.uptimeNanoseconds == 1)
    #expect(Time.seconds(147 * 31_557_600).dispatchTime == .distantFuture)
    #expect(Time.longest.dispatchTime == .distantFuture && (.zero - Time.longest).dispatchTime < .now())
    let (before, now, after) = (DispatchTime.now(), Time.now(), DispatchTime.now())
    #expect(before <= now.dispatchTime && now.dispatchTime <= after)
  }
}
