/// A flag that tells long-running work to stop because nobody waits for its result.
final class CancellationFlag: Sendable {
  private let state = Protected(false)

  var isCancelled: Bool { state.withLock { $0 } }

  func cancel() { state.withLock { $0 = true } }

  /// - Throws: `CancellationError` after `cancel()`.
  func check() throws { if isCancelled { throw CancellationError() } }
}
