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
  }
  private let state = Protected(State())

  /// Takes each request for one of the test, because no other test runs at the same time.
  package func countEach() { state.withLock { $0.countsEach = true } }

  /// Records a request, before it fails. Has no effect if the test is over.
  ///
  /// - Parameter isCertain: Whether the request belongs to the test beyond doubt.
  func add(_ error: UnmatchedRequestError, isCertain: Bool = true) {
    state.withLock { state in
      guard state.isOpen else { return }
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

  /// Accepts no more requests, and returns those that failed, ordered by the first request of each.
  package func finish() -> [Miss] {
    state.withLock { state in
      state.isOpen = false
      return state.misses
    }
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
