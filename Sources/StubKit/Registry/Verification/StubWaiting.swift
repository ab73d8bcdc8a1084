import Foundation

extension Stub {
  /// Waits until the stub has been chosen for a number of requests.
  ///
  /// The requests can still be in progress. A stub is chosen before its response closure begins, so don't expect an
  /// effect of the closure afterwards. To wait for the closure and the response, use
  /// ``waitForCompletions(_:timeout:)``.
  ///
  /// ```swift
  /// let upload = stub(
  ///   .post, "https://api.example.com/events",
  ///   response: .status(204))
  /// // Sends a request later, from a queue of its own.
  /// analytics.track("launch")
  /// let calls = try await upload.waitForCalls()
  /// #expect(calls[0].body == expected)
  /// ```
  ///
  /// Earlier requests count too. The method returns at once if the calls have arrived, and throws at once if they
  /// can't arrive because the stub's uses are spent.
  ///
  /// - Parameters:
  ///   - count: The smallest number of requests. Defaults to 1. A number below 1 is a mistake.
  ///   - timeout: The longest time to wait, in real time whatever the registry's clock. Defaults to five seconds. Time
  ///     for which the process is stopped, at a breakpoint for example, doesn't count.
  /// - Returns: All requests that the stub has been chosen for, oldest first. There are at least `count`, unless the
  ///   journal was cleared or its limit has dropped some. Dropped requests count, but are not returned.
  /// - Throws: ``StubWaitError`` if the time is up, or if the stub can't receive so many calls. `CancellationError`
  ///   as soon as the task is cancelled.
  @discardableResult
  public func waitForCalls(_ count: Int = 1, timeout: Duration = .seconds(5)) async throws -> [RecordedRequest] {
    try await wait(for: count, .chosen, timeout: timeout)
  }

  /// Waits until a number of the stub's requests are over, and their client has been told: its completion handler or
  /// the last method of its delegate has returned, or its async call has been resumed.
  ///
  /// ```swift
  /// let image = stub(
  ///   .get, "https://api.example.com/poster.png",
  ///   response: .data(png))
  /// view.load()
  /// try await image.waitForCompletions()
  /// #expect(view.image != nil)
  /// ```
  ///
  /// A request is over when it was answered, failed or was cancelled. On Apple platforms, the methods of a delegate are
  /// not waited for.
  ///
  /// - Parameters:
  ///   - count: The smallest number of requests. Defaults to 1. A number below 1 is a mistake.
  ///   - timeout: The longest time to wait, in real time whatever the registry's clock. Defaults to five seconds. Time
  ///     for which the process is stopped, at a breakpoint for example, doesn't count.
  /// - Returns: All of the stub's requests that are over, oldest first. There are at least `count`, unless the
  ///   journal was cleared or its limit has dropped some. Dropped requests count, but are not returned.
  /// - Throws: ``StubWaitError`` if the time is up, or if the stub can't receive so many calls. `CancellationError`
  ///   as soon as the task is cancelled.
  @discardableResult
  public func waitForCompletions(_ count: Int = 1, timeout: Duration = .seconds(5)) async throws -> [RecordedRequest] {
    try await wait(for: count, .completed, timeout: timeout).filter { $0.outcome != .inProgress }
  }

  private func wait(for count: Int, _ milestone: CallCounts.Milestone, timeout: Duration) async throws
    -> [RecordedRequest]
  {
    let isReached = try await reaches(count, milestone, within: timeout)
    await journal?.inFlight.settle()
    // A request that was resumed before the end of the time counts.
    guard isReached || self.count(of: milestone) >= count else {
      throw StubWaitError(self, count, milestone, within: timeout)
    }
    return requests
  }

  /// Returns whether a number of requests reaches a milestone in time. Throws a ``StubWaitError`` at once if they
  /// can't.
  package func reaches(_ count: Int, _ milestone: CallCounts.Milestone, within timeout: Duration) async throws -> Bool {
    let isMet = try await waits(atMost: timeout, unless: { obstacle(to: count, milestone) }) { [counts] table in
      counts.count(of: milestone, in: table.era) >= count ? true : nil
    } failing: { obstacle in
      StubWaitError(self, count, milestone, obstacle)
    }
    return isMet ?? false
  }

  /// Waits until a closure returns something for the table of requests.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait.
  ///   - obstacle: Returns why that can't happen, or `nil` if it can. It is asked first, and again if the stub is
  ///     removed meanwhile.
  ///   - take: Called under the lock of the table.
  ///   - error: Returns the error for an obstacle.
  /// - Returns: What the closure has returned, or `nil` if the time is up.
  func waits<Taken: Sendable>(
    atMost timeout: Duration, unless obstacle: () -> String?,
    for take: @escaping @Sendable (inout RequestsInFlight.Table) -> Taken?, failing error: (String) -> StubWaitError
  ) async throws -> Taken? {
    let (table, end) = (counts.inFlight.table, Duration.now() + timeout.clamped)
    func check() async throws {
      guard obstacle() != nil else { return try Task.checkCancellation() }
      // The stub can still be chosen for a request that was made before.
      await counts.inFlight.settle(for: .ofStubs)
      if let obstacle = obstacle() { throw error(obstacle) }
    }
    try await check()
    // What the closure returns, or `nil` for the removal.
    let first: Taken?? = await table.wait(atMost: timeout.clamped) { [counts] table -> Taken?? in
      if let taken = take(&table) { return .some(taken) }
      return counts.isRemoved ? .some(nil) : nil
    }
    var taken = first ?? nil
    if first != nil, taken == nil {
      try await check()
      taken = await table.wait(atMost: max(.zero, end - .now()), for: take)
    }
    if taken == nil { try Task.checkCancellation() }
    return taken
  }

  /// Why so many of the stub's requests can't reach a milestone, as the end of a sentence and a cure, or `nil`.
  func obstacle(to count: Int, _ milestone: CallCounts.Milestone) -> String? {
    if isMistaken, let mistake {
      ".\n\(mistake)"
    } else if count < 1 {
      ".\n\(count) is not a valid number of calls to wait for. Write 1 or more."
    } else if limit - forgottenCount < count {
      ", and it answers at most \(limit)\(forgottenCount == 0 ? "" : ", \(forgottenCount) of them before forgetRequests()").\n"
        + "Wait for fewer calls, or allow more."
    } else if home == nil, self.count(of: milestone) < count {
      // A request would keep the registry, so no more calls can arrive.
      ", and its registry no longer exists.\nWait before the scope of the stub ends."
    } else if isRemoved, self.count(of: .chosen) < count {
      ", and it was removed.\nWait before you remove it."
    } else {
      nil
    }
  }

  /// The number of calls that the test has forgotten, whose uses stay taken.
  private var forgottenCount: Int {
    counts.inFlight.table.withLock { counts.total - counts.count(of: .chosen, in: $0.era) }
  }

  /// What has become of the requests of the stub's registry.
  package var requestOutcomes: [RecordedRequest.Outcome] { journal?.made.entries.map(\.request.outcome) ?? [] }

  /// Returns the requests that were made so far, closest first: a line each, with what kept it from the stub. This runs
  /// no closure.
  ///
  /// - Parameters:
  ///   - most: The largest number of requests to list.
  ///   - newest: How many of the newest requests to compare with the stub.
  package func closestRequests(most: Int = 10, ofNewest newest: Int = .max) -> [String] {
    let look = LookBack(at: home, for: nil)
    let requests = look.entries.suffix(newest).map { ObservedRequest($0.request, of: condition, asksClosures: false) }
    let place = look.entries.count > newest ? " last, of \(look.entries.count)" : ""
    let strays = look.strays(meeting: condition)
    let reasons = look.reasons([], strays)
    // A request of unknown origin can be the one that is looked for, so this doesn't say that there was none.
    if look.entries.isEmpty, !strays.isEmpty { return reasons }
    return reasons + look.dropped + look.closest(requests, answeredBy: id, place: place, most: most)
      + (journal?.inferredHits ?? [])
  }

  /// Whether all requests that may be the stub's are of unknown origin.
  var hasOnlyStrays: Bool {
    let look = LookBack(at: home, for: nil)
    return look.entries.isEmpty && !look.strays(meeting: condition).isEmpty
  }

  /// What can let a request complete that the stub was chosen for, in sentences.
  var wayToComplete: String {
    let states = counts.inFlight.table.withLock { [id] table in
      table.entries.values.filter { $0.state.request.stub?.id == id }.sorted { $0.number < $1.number }.map(\.state)
    }
    if let awaited = states.lazy.compactMap({ $0.wait?.for }).first {
      return "A request waits for \(awaited.reason). \(awaited.cure)"
    }
    if states.contains(where: { $0.request.life.isOver && $0.request.life.callbacks == .pending }) {
      return
        "A completion handler, or a method of a delegate, has not returned. If it waits for this test, don't wait for it."
    }
    return "\(home?.timeline is VirtualTimeline ? "Advance the clock, or wait" : "Wait") longer with timeout:."
  }
}
