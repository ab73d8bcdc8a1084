extension ManualClock {
  /// Moves the clock forward, from deadline to deadline, and returns when everything that was due is done.
  ///
  /// ```swift
  /// stub(
  ///   condition: isPath("/slow"),
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
  /// - Parameter duration: The duration. Zero does what is due already, and waits for it. Below zero, the clock stays where
  ///   it is, and the call is an issue of the test, or is reported on standard error.
  public func advance(by duration: Duration) async {
    guard duration >= .zero else {
      let sentence =
        "advance(by: \(duration)) would move a ManualClock back. Time only moves forward: to start at zero, create a new "
        + "ManualClock."
      if !RunningTest.record(sentence, at: nil) { virtual.report(sentence) }
      return
    }
    await virtual.move { elapsed in elapsed + Time(duration) }
  }

  /// Moves the clock to a moment, like ``advance(by:)``. If the moment has passed already, the clock stays where it
  /// is.
  ///
  /// ```swift
  /// let start = clock.now
  /// await clock.advance(to: start.advanced(by: .seconds(30)))
  /// ```
  public func advance(to deadline: Instant) async {
    await virtual.move { _ in Time(deadline.offset) }
  }

  /// Moves the clock, like ``advance(by:)``, until nothing waits for it any more, including what begins on the way.
  /// If nothing waits, the clock stays where it is.
  ///
  /// Everything that waits at the beginning comes to its end, and each response arrives completely. Code that repeats
  /// itself has no end: the clock stops after a thousand new deadlines and five seconds of real time, and says so on
  /// standard error. Responses that are on their way by then still arrive.
  ///
  /// A closure that answers a request can call ``advance(by:)``. This method waits for it.
  ///
  /// ```swift
  /// await clock.advanceToEnd()
  /// #expect(clock.pendingCount == 0)
  /// ```
  public func advanceToEnd() async {
    await virtual.moveToEnd()
  }

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

  /// Runs code, and moves the clock to the next deadline whenever the code has come to rest, until it returns. Use
  /// this for retries.
  ///
  /// ```swift
  /// let clock = ManualClock()
  /// HTTPStubs.clock = clock
  /// stub(
  ///   condition: isPath("/users"),
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
  /// stub(condition: isPath("/job")) { _ in
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
