import Dispatch

/// The requests of one test that fail because no stub matches them, for a test framework to report.
///
/// The journal can't serve for this. Its limit drops entries, a test can clear it, and requests that a test leaves
/// behind still enter it.
package final class MissCollection: Sendable {
  /// The requests with one method and URL.
  package struct Miss: Sendable {
    /// The error of the first request.
    package let error: UnmatchedRequestError
    /// A Boolean value that indicates whether the request may belong to another test, so that it is no more than a
    /// warning.
    package let isWarning: Bool
    /// The number of requests, at least 1.
    package fileprivate(set) var count = 1
  }

  /// Something wrong in the test's own code.
  package struct Mistake: Sendable {
    /// What is wrong, and what to write instead.
    package let sentence: String
    package let location: StubLocation?
  }

  private struct State {
    var isOpen = true
    var countsEach = false
    var misses: [Miss] = []
    var positions: [String: Int] = [:]
    var mistakes: [Mistake] = []
    /// The number of requests for which StubKit doesn't know yet whether a stub matches.
    var undecidedCount = 0
    /// Called when no such request is left.
    var end: OneTime<Void>?
  }
  private let state = Protected(State())

  /// Returns a question about a request that is made now, or `nil` if the test is over.
  func ask() -> Question? {
    let isOpen = state.withLock { state in
      if state.isOpen { state.undecidedCount += 1 }
      return state.isOpen
    }
    return isOpen ? Question(self) : nil
  }

  /// One request, and those that it leads to.
  final class Question: Sendable {
    private let collection: MissCollection
    private let isOpen = Protected(true)

    fileprivate init(_ collection: MissCollection) { self.collection = collection }

    deinit { decide() }

    /// Records that the request failed because no stub matches it.
    ///
    /// - Parameter isCertain: Whether the request belongs to the test beyond doubt.
    func miss(_ error: UnmatchedRequestError, isCertain: Bool = true) { collection.add(error, isCertain: isCertain) }

    /// Records that the question has an answer, or that the answer doesn't matter any more.
    func decide() {
      let wasOpen = isOpen.withLock { isOpen in
        defer { isOpen = false }
        return isOpen
      }
      if wasOpen { collection.decide() }
    }
  }

  /// Takes each request for one of the test, because no other test runs at the same time.
  package func countEach() { state.withLock { $0.countsEach = true } }

  private func add(_ error: UnmatchedRequestError, isCertain: Bool) {
    state.withLock { state in
      let isWarning = !isCertain && !state.countsEach
      let request = "\(isWarning) \(error.request.summary)"
      if let position = state.positions[request] {
        state.misses[position].count += 1
      } else {
        state.positions[request] = state.misses.count
        state.misses.append(Miss(error: error, isWarning: isWarning))
      }
    }
  }

  /// Records a mistake. Returns `false` if the test is over.
  func add(_ sentence: String, at location: StubLocation?) -> Bool {
    state.withLock { state in
      if state.isOpen { state.mistakes.append(Mistake(sentence: sentence, location: location)) }
      return state.isOpen
    }
  }

  /// The mistakes, in order.
  package var mistakes: [Mistake] { state.withLock { $0.mistakes } }

  private func decide() {
    let end = state.withLock { state in
      state.undecidedCount -= 1
      return state.undecidedCount == 0 ? state.end : nil
    }
    end?(())
  }

  /// Accepts no more requests, and waits until the questions about earlier ones have answers. That takes no longer than
  /// the closures of their conditions.
  private func close(_ end: OneTime<Void>) {
    let isDecided = state.withLock { state in
      state.isOpen = false
      state.end = end
      return state.undecidedCount == 0
    }
    if isDecided { return end(()) }
    // A condition can read a body that never ends. That must not stop the test for ever.
    _ = PatienceTimer(.seconds(5)) { end(()) }
  }

  /// Waits until StubKit knows what happens to all requests that were made until now, and returns those that failed,
  /// ordered by the first request of each.
  package func finish() async -> [Miss] {
    await withCheckedContinuation { continuation in close(OneTime { continuation.resume() }) }
    return state.withLock { $0.misses }
  }

  /// Blocks the thread until StubKit knows what happens to all requests that were made until now, and returns those that
  /// failed, ordered by the first request of each.
  package func finish() -> [Miss] {
    let isClosed = DispatchSemaphore(value: 0)
    close(OneTime { isClosed.signal() })
    isClosed.wait()
    return state.withLock { $0.misses }
  }
}

extension StubRegistry {
  /// Collects requests that fail because no stub matches them, from now on. Replaces an earlier collection.
  package func collectMisses() -> MissCollection {
    let collection = MissCollection()
    setMisses(collection)
    return collection
  }
}
