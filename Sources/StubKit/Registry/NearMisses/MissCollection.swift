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
    /// The number of requests, at least 1.
    package fileprivate(set) var count = 1
  }

  private struct State {
    var isOpen = true
    var misses: [Miss] = []
    var positions: [String: Int] = [:]
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
    func miss(_ error: UnmatchedRequestError) { collection.add(error) }

    /// Records that the question has an answer, or that the answer doesn't matter any more.
    func decide() {
      let wasOpen = isOpen.withLock { isOpen in
        defer { isOpen = false }
        return isOpen
      }
      if wasOpen { collection.decide() }
    }
  }

  private func add(_ error: UnmatchedRequestError) {
    let request = error.request.summary
    state.withLock { state in
      if let position = state.positions[request] {
        state.misses[position].count += 1
      } else {
        state.positions[request] = state.misses.count
        state.misses.append(Miss(error: error))
      }
    }
  }

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
    _ = TimerTable.shared.schedule(at: .now() + .seconds(5)) { end(()) }
  }

  /// Waits until StubKit knows what happens to all requests that were made until now, and returns those that failed,
  /// ordered by the first request of each.
  package func finish() async -> [Miss] {
    await withCheckedContinuation { continuation in close(OneTime { continuation.resume() }) }
    return state.withLock { $0.misses }
  }

  /// The same for synchronous code. This blocks the thread.
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
