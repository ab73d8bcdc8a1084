import Foundation

/// A clock that the test moves. Minutes of a slow network and of retries pass in a millisecond, always in the same
/// way.
///
/// It is also a Swift `Clock`. Give the same clock to the stubs and to the code under test, so that both share one
/// time:
///
/// ```swift
/// @Test func survivesAnOutage() async throws {
///   let clock = ManualClock()
///   try await withStubs {
///     HTTPStubs.clock = clock
///     stub(condition: isPath("/users")) { _ in
///       clock.elapsed < .seconds(30)
///         ? .failure(.notConnectedToInternet)
///         : .json(["id": 42]).delay(.seconds(2))
///     }
///     // Tries again after 1, 2, 4, 8 … seconds, with clock.sleep(for:).
///     let client = Client(clock: clock)
///     let user = try await clock.run { try await client.user() }
///     #expect(user.id == 42 && clock.elapsed == .seconds(33))
///   }
/// }
/// ```
///
/// ``run(isolation:_:)`` moves time whenever the code comes to rest. To check the state at a certain moment, move the
/// clock yourself:
///
/// ```swift
/// let download = Task { try await client.download() }
/// // The request has been made, and its response is on its way.
/// await clock.waitForPending()
/// await clock.advance(by: .seconds(10))
/// #expect(progress.fractionCompleted == 0.5)
/// ```
///
/// Several registries and any number of Swift tasks can share a clock.
///
/// > Important: The clock knows everything that has been scheduled, and waits for it: resumed requests, closures that
/// > answer them, deliveries, and the delegate's methods. Inside ``run(isolation:_:)``, it also knows Swift code that
/// > continues after it was woken, except on the main actor and in unstructured tasks. It can't see other code. Before
/// > each deadline, it lets the Swift tasks run that are ready, and those that they resume, until they suspend, and the
/// > main actor between them. It doesn't know blocks on the queues and threads of others. Where this matters, wait for
/// > the code with ``waitForPending(_:)``.
///
/// Work that never ends doesn't stop the clock for ever. After five seconds of real time, the clock continues without
/// it, and says so on standard error.
public final class ManualClock: Clock, StubClock {
  let virtual: VirtualTimeline

  /// Creates a clock at zero.
  public convenience init() {
    self.init(patience: .seconds(5)) { sentence in
      FileHandle.standardError.write(Data("StubKit: \(sentence)\n".utf8))
    }
  }

  /// - Parameter endlessTime: Defaults to the patience.
  init(patience: Duration, endlessTime: Duration? = nil, report: @escaping @Sendable (String) -> Void) {
    virtual = VirtualTimeline(patience: Time(patience), endlessTime: Time(endlessTime ?? patience), report: report)
  }

  /// The timeline, which is the same for the life of the clock.
  public var timeline: StubTimeline { StubTimeline(timeline: virtual) }

  /// A moment on a ``ManualClock``. Moments of different clocks compare by the time since the start of each clock.
  public struct Instant: InstantProtocol {
    /// The time since the start of the clock.
    public let offset: Duration

    /// Creates a moment.
    ///
    /// - Parameter offset: The time since the start of the clock, at most `.seconds(Int64.max)`. A longer one is
    ///   shortened to that. Defaults to zero.
    public init(offset: Duration = .zero) { self.offset = Time(offset).duration }

    /// Returns the moment that is later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: (Time(offset) + Time(duration)).duration) }

    /// Returns the time from this moment to another one. It is negative if the other one is earlier.
    public func duration(to other: Instant) -> Duration { (Time(other.offset) - Time(offset)).duration }

    /// Returns whether a moment is earlier than another one.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// The current moment of the clock. Only ``advance(by:)``, ``advance(to:)``, ``advanceToEnd()`` and
  /// ``run(isolation:_:)`` change it.
  public var now: Instant { Instant(offset: elapsed) }

  /// The duration by which the clock has been moved since it was created.
  public var elapsed: Duration { virtual.elapsed.duration }

  /// A nanosecond. The deadlines of responses are rounded to it, and the clock itself is exact.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until the clock reaches a moment. Returns at once if the moment has passed.
  ///
  /// ```swift
  /// try await clock.sleep(for: .seconds(2))
  /// ```
  ///
  /// - Parameters:
  ///   - deadline: The moment.
  ///   - tolerance: Has no effect. The clock meets the moment exactly.
  /// - Throws: `CancellationError` as soon as the Swift task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await virtual.sleep(until: Time(deadline.offset))
  }
}
