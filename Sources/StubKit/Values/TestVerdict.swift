import Foundation

/// Something that code uses, such as a recording, from before its first line until after its scope.
package protocol ScopedUse: Sendable {
  /// The code has returned. What is still in flight isn't part of the use.
  func stop()

  /// Ends the use, and keeps what has come of it. This can block the thread.
  ///
  /// - Parameter reason: Why it replaces nothing that was there before, as the end of a sentence, or `nil`.
  func end(because reason: String?) throws
  func end(because reason: String?) async throws
}

/// Whether the running test has failed. What it has recorded then replaces nothing.
///
/// For code in no test, the outermost recording counts as the test.
package final class TestVerdict: Sendable {
  /// The verdict on the test of the current task, or `nil` if no failures are watched.
  @TaskLocal package static var current: TestVerdict?

  private struct State {
    var hasFailed = false
    var said: [String] = []
    /// What parts of the test have left to its end, or `nil` after that.
    var left: [any ScopedUse]? = []
  }

  private let state = Protected(State())
  private let start = ContinuousClock.now
  private let timeLimit: Duration?
  /// The name of the test, or `nil` if it is unknown.
  package let test: String?

  /// - Parameter timeLimit: The time after which its framework fails the test and cancels it, or `nil` for never.
  package init(of test: String? = nil, timeLimit: Duration? = nil) {
    self.test = test
    self.timeLimit = timeLimit
  }

  /// Whether the test has failed so far. Ask for it in the task of the test.
  package var hasFailed: Bool { state.withLock { $0.hasFailed } || isOverTime }

  /// Whether the time limit has ended the test. The framework says so to nobody but the task.
  package var isOverTime: Bool { Task.isCancelled && timeLimit.map { start.duration(to: .now) >= $0 } ?? false }

  /// The texts of its failures, the first hundred.
  package var said: [String] { state.withLock { $0.said } }

  /// Notes that the test has failed.
  ///
  /// - Parameter text: What the framework says, or `nil` if it says nothing.
  package func fail(saying text: String? = nil) {
    state.withLock { state in
      state.hasFailed = true
      if let text, state.said.count < 100 { state.said.append(text) }
    }
  }

  /// Leaves what a part of the test has used to the end of the test. Returns `false` if that is over.
  @discardableResult
  package func leave(_ use: any ScopedUse) -> Bool { state.withLock { $0.left?.append(use) != nil } }

  /// Returns what an earlier part of the test has left, to go on with it.
  package func takeBack(_ isWanted: (any ScopedUse) -> Bool) -> (any ScopedUse)? {
    state.withLock { state in
      guard let index = state.left?.firstIndex(where: isWanted) else { return nil }
      return state.left?.remove(at: index)
    }
  }

  /// Returns what an earlier part of the test has left, and leaves it there.
  package func left(where isWanted: (any ScopedUse) -> Bool) -> (any ScopedUse)? {
    state.withLock { $0.left?.first(where: isWanted) }
  }

  /// Returns all that was left, at the end of the test.
  func takeAll() -> [any ScopedUse] { state.withLock { $0.left.take() ?? [] } }
}
