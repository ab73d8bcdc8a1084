import Dispatch

/// The requests of one test that fail for want of a stub, for a test framework to report.
///
/// The journal would not do: its limit drops entries, a test may clear it, and what a test leaves behind goes on filling it.
package final class MissCollection: Sendable {
  /// The requests with one method and URL.
  package struct Miss: Sendable {
    /// The first one's.
    package let error: UnmatchedRequestError
    /// How many there were, at least 1.
    package fileprivate(set) var count = 1
  }

  private struct State {
    var isOpen = true
    var misses: [Miss] = []
    var positions: [String: Int] = [:]
    /// How many requests there are of which it is not known yet whether a stub matches.
    var undecidedCount = 0
    /// Called when there are none any more.
    var end: OneTime<Void>?
  }
  private let state = Protected(State())

  /// A request that is made now; nil once the test is over.
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

    /// It failed for want of a stub.
    func miss(_ error: UnmatchedRequestError) { collection.add(error) }

    /// It is known what becomes of it, or it does not matter any more.
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

  /// Takes no more requests, and waits until it is known what becomes of those that were made, which takes no longer than their
  /// conditions' closures do.
  private func close(_ end: OneTime<Void>) {
    let isDecided = state.withLock { state in
      state.isOpen = false
      state.end = end
      return state.undecidedCount == 0
    }
    if isDecided { return end(()) }
    // A body that nobody ends, and that a condition wants to see, must not hold up the test for ever.
    _ = TimerTable.shared.schedule(at: .now() + .seconds(5)) { end(()) }
  }

  /// The requests that failed, once it is known of all that were made until now; in the order of the first of each.
  package func finish() async -> [Miss] {
    await withCheckedContinuation { continuation in close(OneTime { continuation.resume() }) }
    return state.withLock { $0.misses }
  }

  /// The same for synchronous code: it blocks its thread.
  package func finish() -> [Miss] {
    let isClosed = DispatchSemaphore(value: 0)
    close(OneTime { isClosed.signal() })
    isClosed.wait()
    return state.withLock { $0.misses }
  }
}

extension StubRegistry {
  /// Collects what fails for want of a stub from now on, instead of another collection that may have done so.
  package func collectMisses() -> MissCollection {
    let collection = MissCollection()
    setMisses(collection)
    return collection
  }
}
