import Foundation

/// A clock that the test moves. Minutes of a slow network and of retries pass in milliseconds, always in the same
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
///     stub(.get, "https://api.example.com/users") { _ in
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
/// ``run(isolation:_:)`` moves time whenever the code is idle. To check the state at a certain moment, move the
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
/// > Important: Before each deadline, the clock waits for what it knows: resumed requests, closures that answer them,
/// > deliveries, the delegate's methods, and code in ``run(isolation:_:)`` that it has woken, except on the main actor
/// > and in unstructured tasks. Then it lets all other Swift tasks and the main actor run until they suspend, at most
/// > 64 times in turn. It waits for tasks that compute, and, with more than one processor, for tasks that block their
/// > threads. It doesn't see code on dispatch queues, threads and executors of your own, or in `Task.sleep`: wait for
/// > such code with ``waitForPending(_:)``. Parallel tests take longer beside many moves, because tasks share one
/// > thread meanwhile.
///
/// Work that never ends doesn't stop the clock for ever. After five seconds of real time, the clock continues without
/// it. For tasks that are always ready, such as those of tests that compute all the time, it waits for one second, and
/// gives them one turn before each deadline until they rest. The clock says so on standard error. It also says if
/// something waits for a move for five seconds of real time.
///
/// In ``run(isolation:_:)``, the clock skips the turns of other tasks if none has been made. It reads the numbers of
/// tasks from the description of an `ExecutorJob`. If a version of Swift changes its format, no turn is skipped: the
/// clock is as exact, and takes about three milliseconds more for each deadline.
public final class ManualClock: Clock, StubClock {
  let virtual: VirtualTimeline

  /// Creates a clock at zero.
  public convenience init() {
    self.init(patience: .seconds(5), standstill: .seconds(5), report: RunningTest.tell)
  }

  /// - Parameter endlessTime: Defaults to the patience.
  init(
    patience: Duration, endlessTime: Duration? = nil, standstill: Duration? = nil,
    report: @escaping @Sendable (String) -> Void
  ) {
    virtual = VirtualTimeline(
      patience: patience, endlessTime: endlessTime ?? patience, standstill: standstill, report: report)
  }

  /// The time of the clock, for registries.
  @_documentation(visibility: internal)
  public var time: StubTime { StubTime(shared: virtual) }

  /// A moment on a ``ManualClock``.
  ///
  /// ```swift
  /// await clock.advance(to: ManualClock.Instant(offset: .seconds(30)))
  /// ```
  ///
  /// Moments of different clocks compare by the time since the start of each clock.
  public struct Instant: InstantProtocol {
    /// The time since the start of the clock, which ``ManualClock/elapsed`` is for the current moment.
    public let offset: Duration

    /// Creates a moment.
    ///
    /// - Parameter offset: The time since the start of the clock, at most `.seconds(Int64.max)`. A longer one is
    ///   shortened to that. Defaults to zero.
    public init(offset: Duration = .zero) { self.offset = offset.clamped(to: .endOfTime) }

    /// Returns the moment that is later by a duration, or earlier if the duration is negative.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration.clamped(to: .endOfTime))
    }

    /// Returns the time from this moment to another one. It is negative if the other one is earlier.
    public func duration(to other: Instant) -> Duration { (other.offset - offset).clamped(to: .endOfTime) }

    /// Returns whether a moment is earlier than another one.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// The current moment of the clock. Only ``advance(by:)``, ``advance(to:)``, ``advanceToEnd()`` and
  /// ``run(isolation:_:)`` change it.
  public var now: Instant { Instant(offset: elapsed) }

  /// The duration by which the clock has been moved since it was created.
  public var elapsed: Duration { virtual.elapsed }

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
    try await virtual.sleep(until: deadline.offset)
  }

  /// Moves the clock forward, from deadline to deadline, and returns when everything that was due is done.
  ///
  /// ```swift
  /// stub(
  ///   .get, "https://api.example.com/slow",
  ///   response: .text("late").delay(.seconds(10)))
  /// let answer = Task { try await client.get("/slow") }
  /// await clock.waitForPending()
  /// await clock.advance(by: .seconds(10))
  /// #expect(try await answer.value == "late")
  /// ```
  ///
  /// The method first waits until all requests that have been resumed are scheduled. Code that a deadline wakes
  /// continues before the next deadline: `advance(by: .seconds(10))` covers both a failure after 1 second and a retry
  /// 2 seconds later. Work that is due at the same moment starts in the order in which it was scheduled.
  ///
  /// Two concurrent calls take turns: the second one begins where the first one has ended. If its Swift task is
  /// cancelled, a call stops where it is. The clock ends at `.seconds(Int64.max)`. Time stands still there, and
  /// nothing waits any more.
  ///
  /// - Parameter duration: The duration. Zero does what is due already, and waits for it. Below zero, the clock stays
  ///   where it is, and the call is an issue of the test, or is reported on standard error.
  public func advance(by duration: Duration) async {
    guard duration >= .zero else {
      let sentence =
        "advance(by: \(duration)) would move a ManualClock back. Time only moves forward: to start at zero, create a new "
        + "ManualClock."
      if !RunningTest.record(sentence, at: nil) { virtual.report(sentence) }
      return
    }
    await virtual.move { elapsed in min(elapsed + duration.clamped(to: .endOfTime), .endOfTime) }
  }

  /// Moves the clock to a moment, like ``advance(by:)``. A moment that has passed leaves the clock where it is.
  ///
  /// ```swift
  /// let start = clock.now
  /// await clock.advance(to: start.advanced(by: .seconds(30)))
  /// ```
  public func advance(to deadline: Instant) async { await virtual.move { _ in deadline.offset } }

  /// Moves the clock, like ``advance(by:)``, until nothing waits for it any more, including what begins on the way.
  /// If nothing waits, the clock stays where it is.
  ///
  /// Code that repeats itself has no end: after 1,000 deadlines more than waited at the beginning, and five seconds of
  /// real time, the clock stops and says so on standard error.
  ///
  /// A closure that answers a request can call ``advance(by:)``. This method waits for it.
  ///
  /// ```swift
  /// await clock.advanceToEnd()
  /// #expect(clock.pendingCount == 0)
  /// ```
  public func advanceToEnd() async { await virtual.moveToEnd() }

  /// The number of deliveries, timeouts and sleepers that wait for the clock: one for each request that still
  /// receives something or has a timeout, and one for each `sleep`.
  public var pendingCount: Int { virtual.pendingCount }

  /// Waits until a number of deliveries, timeouts and sleepers wait for the clock. They can be yet to come.
  ///
  /// ```swift
  /// let both = Task { try await client.loadBoth() }
  /// await clock.waitForPending(2)
  /// ```
  ///
  /// After five seconds of real time, the method says on standard error what waits by then, and which requests have
  /// arrived at the registry that has the clock. Then it waits on. It also returns if its Swift task is cancelled.
  public func waitForPending(_ count: Int = 1) async { await virtual.waitForPending(count) }

  /// Runs code, and moves the clock to the next deadline whenever the code is idle, until it returns. Use
  /// this for retries.
  ///
  /// ```swift
  /// let clock = ManualClock()
  /// HTTPStubs.clock = clock
  /// stub(
  ///   .get, "https://api.example.com/users",
  ///   responses: [
  ///     .failure(.timedOut), .failure(.timedOut), .json(["id": 42]),
  ///   ])
  /// let user = try await clock.run {
  ///   try await Client(clock: clock).userWithRetries()
  /// }
  /// ```
  ///
  /// The body is at rest when the body itself, its child tasks and the actors that it calls are all suspended,
  /// because they wait for a response or sleep on the clock. The main actor and unstructured tasks are treated as by
  /// ``advance(by:)``. `Task.sleep` takes real time, and the clock doesn't wait for it.
  ///
  /// The body can move the clock itself, and so can a closure that answers one of its requests. This method then
  /// waits for them:
  ///
  /// ```swift
  /// stub(.get, "https://api.example.com/job") { _ in
  ///   // The server takes two seconds.
  ///   await clock.advance(by: .seconds(2))
  ///   return .json(["done": true])
  /// }
  /// ```
  ///
  /// When the body returns, time stops, even if something still waits for it. A cancellation reaches the body, and
  /// time continues until the body has returned. A body that waits for something that never happens waits for ever.
  /// If nothing has waited on the clock for five seconds of real time, the method says so on standard error.
  ///
  /// - Parameters:
  ///   - isolation: The actor that runs the body. Defaults to that of the caller.
  ///   - body: The code to run.
  /// - Returns: The value that the body returns.
  /// - Throws: The error that the body throws.
  @discardableResult
  public func run<R, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> R
  ) async throws(Failure) -> R {
    try await virtual.run(body)
  }
}
