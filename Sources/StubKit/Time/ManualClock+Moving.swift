extension ManualClock {
  /// Moves the clock, from deadline to deadline in their order, and returns when what fell due has been done.
  ///
  /// ```swift
  /// stub(condition: isPath("/slow"), response: .text("late").delay(.seconds(10)))
  /// let answer = Task { try await client.get("/slow") }
  /// await clock.waitForPending()
  /// await clock.advance(by: .seconds(10))
  /// #expect(try await answer.value == "late")
  /// ```
  ///
  /// It first waits until all requests that have been resumed are scheduled. Code that is woken on the way goes on before the
  /// next deadline: a failure after 1 second and a retry 2 seconds later are both met by `advance(by: .seconds(10))`. What was
  /// due at the same moment is started in the order in which it was scheduled.
  ///
  /// Two at the same time take turns: the second begins where the first has ended. If its Swift task is cancelled, it stops
  /// where it is.
  ///
  /// The clock ends at `.seconds(Int64.max)`. There time stands still, and nothing waits any more.
  ///
  /// - Parameter duration: How far; not negative. Zero does what is due already, and waits for it.
  public func advance(by duration: Duration) async {
    require(
      duration >= .zero,
      "advance(by: \(duration)) would move a ManualClock back, and time only goes on. Make a new ManualClock to begin at zero."
    )
    await virtual.move { elapsed in elapsed + Time(duration) }
  }

  /// Moves the clock to a moment, as ``advance(by:)`` does; one that has passed already leaves it where it is.
  ///
  /// ```swift
  /// let start = clock.now
  /// await clock.advance(to: start.advanced(by: .seconds(30)))
  /// ```
  public func advance(to deadline: Instant) async {
    await virtual.move { _ in Time(deadline.offset) }
  }

  /// Moves the clock, as ``advance(by:)`` does, until nothing waits for it any more, with what comes about on the way; not
  /// at all if nothing waits.
  ///
  /// What waits in the beginning comes to its end, each response to its last byte. Code that repeats itself has no end: the clock
  /// stops when a thousand deadlines have been set since then and five seconds of real time have passed, and says so on standard
  /// error. Responses that are on their way by then still arrive.
  ///
  /// A closure that answers a request may call ``advance(by:)``: this method waits for that.
  ///
  /// ```swift
  /// await clock.advanceToEnd()
  /// #expect(clock.pendingCount == 0)
  /// ```
  public func advanceToEnd() async {
    await virtual.moveToEnd()
  }

  /// How many deliveries, timeouts and sleepers wait for the clock: one for each request that has something yet to come or a
  /// timeout running, one for each `sleep`.
  public var pendingCount: Int { virtual.pendingCount }

  /// Waits until so many deliveries, timeouts and sleepers wait for the clock, also those that are yet to come.
  ///
  /// ```swift
  /// let both = Task { try await client.loadBoth() }
  /// await clock.waitForPending(2)
  /// ```
  ///
  /// It also returns when the Swift task that waits is cancelled.
  public func waitForPending(_ count: Int = 1) async {
    _ = await virtual.wait { $0.waiting.count >= count }
  }

  /// Runs the body, and moves the clock to the next deadline whenever it has come to rest, until it returns: the form for retries.
  ///
  /// ```swift
  /// let clock = ManualClock()
  /// HTTPStubs.clock = clock
  /// stub(condition: isPath("/users"), responses: [.failure(.timedOut), .failure(.timedOut), .json(["id": 42])])
  /// let user = try await clock.run { try await Client(clock: clock).userWithRetries() }
  /// ```
  ///
  /// The body, its child tasks and the actors it calls are known to be at rest when all of them are suspended: waiting for a
  /// response, sleeping on the clock. The main actor and unstructured tasks are looked after as by ``advance(by:)``. The system's
  /// own `Task.sleep` is real time, for which the clock does not wait.
  ///
  /// The body, and a closure that answers one of its requests, may move the clock themselves. This method then waits until they
  /// have done so:
  ///
  /// ```swift
  /// stub(condition: isPath("/job")) { _ in
  ///   await clock.advance(by: .seconds(2))  // the server takes two seconds over it
  ///   return .json(["done": true])
  /// }
  /// ```
  ///
  /// When the body returns, time stops, also if something still waits for it. Cancellation reaches the body, and time goes on
  /// until the body has returned.
  ///
  /// A body that waits for something that never comes waits for ever, as it would elsewhere. After five seconds of real time in
  /// which nothing has waited on the clock this is said on standard error.
  ///
  /// - Parameters:
  ///   - isolation: The actor the body runs on: the caller's.
  ///   - body: The code.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  @discardableResult
  public func run<R, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> R
  ) async throws(Failure) -> R {
    try await virtual.run(body)
  }
}
