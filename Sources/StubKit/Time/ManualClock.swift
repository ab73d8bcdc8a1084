import Foundation

/// A clock that the test moves: minutes of slow network and of retries pass in a millisecond, always in the same way.
///
/// It is a Swift `Clock` as well. Give the same one to the stubs and to the code under test, and both share one time:
///
/// ```swift
/// @Test func survivesAnOutage() async throws {
///   let clock = ManualClock()
///   try await withStubs {
///     HTTPStubs.clock = clock
///     stub(condition: isPath("/users")) { _ in
///       clock.elapsed < .seconds(30) ? .failure(.notConnectedToInternet) : .json(["id": 42]).delay(.seconds(2))
///     }
///     let client = Client(clock: clock)  // tries again after 1, 2, 4, 8 … seconds, with clock.sleep(for:)
///     let user = try await clock.run { try await client.user() }
///     #expect(user.id == 42 && clock.elapsed == .seconds(33))
///   }
/// }
/// ```
///
/// ``run(isolation:_:)`` moves time whenever the code comes to rest. To look at what has happened by a certain moment, move it by
/// hand:
///
/// ```swift
/// let download = Task { try await client.download() }
/// await clock.waitForPending()  // the request has been made, and its response is on its way
/// await clock.advance(by: .seconds(10))
/// #expect(progress.fractionCompleted == 0.5)
/// ```
///
/// Several registries, and any number of Swift tasks, may share a clock.
///
/// > Important: What has been scheduled is known to the clock, and waited for: requests that are resumed, closures that answer
/// > them, deliveries, and the delegate's methods. Swift code that goes on after it was woken is known as well while it
/// > runs inside ``run(isolation:_:)``, except on the main actor and in unstructured tasks. Other code the clock can't see: it
/// > is given some rounds in which to begin something new, which is enough for a retry, and not for a long computation. Where
/// > that matters use ``run(isolation:_:)``, or meet the code with ``waitForPending(_:)``.
///
/// Work that never ends does not hold the clock up for ever: after five seconds of real time it goes on without, and says so on
/// standard error.
public final class ManualClock: Clock, StubClock {
  let virtual: VirtualTimeline

  /// A clock at zero.
  public convenience init() {
    self.init(patience: .seconds(5)) { sentence in
      FileHandle.standardError.write(Data("StubKit: \(sentence)\n".utf8))
    }
  }

  /// - Parameter endlessTime: The patience, by default.
  init(patience: Duration, endlessTime: Duration? = nil, report: @escaping @Sendable (String) -> Void) {
    virtual = VirtualTimeline(patience: Time(patience), endlessTime: Time(endlessTime ?? patience), report: report)
  }

  /// One for the clock's life.
  public var timeline: StubTimeline { StubTimeline(timeline: virtual) }

  /// A moment on a ``ManualClock``. Those of different clocks compare by the time since each one's start.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public let offset: Duration

    /// - Parameter offset: The time since the clock's start, zero by default; at most `.seconds(Int64.max)`, to which a longer one
    ///   is cut down.
    public init(offset: Duration = .zero) { self.offset = Time(offset).duration }

    /// The moment that is later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: (Time(offset) + Time(duration)).duration) }

    /// The time from here to another moment; negative if that is earlier.
    public func duration(to other: Instant) -> Duration { (Time(other.offset) - Time(offset)).duration }

    /// Whether a moment is earlier than another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// The clock's moment. It is moved by ``advance(by:)``, ``advance(to:)``, ``advanceToEnd()`` and ``run(isolation:_:)`` only.
  public var now: Instant { Instant(offset: elapsed) }

  /// How far the clock has been moved since it was made.
  public var elapsed: Duration { virtual.elapsed.duration }

  /// A nanosecond, to which the deadlines of responses are rounded. The clock itself is exact.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the clock has been moved to a moment; returns at once if it has passed.
  ///
  /// ```swift
  /// try await clock.sleep(for: .seconds(2))
  /// ```
  ///
  /// - Parameters:
  ///   - deadline: The moment.
  ///   - tolerance: Without meaning here: the moment is met exactly.
  /// - Throws: `CancellationError` as soon as the Swift task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await virtual.sleep(until: Time(deadline.offset))
  }
}
