import Dispatch

/// Something that happens once, which tasks and threads can wait for.
package final class Latch: Sendable {
  private let state = Locked(false)
  private let group = DispatchGroup()
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  package init() {
    (stream, continuation) = AsyncStream.makeStream()
    group.enter()
  }

  package var isOpen: Bool { state.withLock { $0 } }

  /// Opens the latch for good.
  package func open() {
    let isFirst = state.withLock { isOpen in
      defer { isOpen = true }
      return !isOpen
    }
    guard isFirst else { return }
    group.leave()
    continuation.finish()
  }

  /// Returns when the latch is open, or the task is cancelled. For the closures of stubs, which are cancelled when
  /// their requests end; a test waits with `until(_:or:)`.
  package func pass() async { for await _ in stream {} }

  /// Returns whether the latch was open before so many seconds of pauses were over, or the task was cancelled.
  package func isOpened(within seconds: Double) async -> Bool {
    (try? await holds(within: .seconds(seconds)) { isOpen }) ?? isOpen
  }

  /// Blocks the thread. For threads that have nothing else to do, such as a server's.
  @discardableResult
  package func blockUntilOpened(within seconds: Double = 600) -> Bool {
    group.wait(timeout: .now() + seconds) == .success
  }
}
