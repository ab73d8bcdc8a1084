import Dispatch

/// A limit in real time for a wait.
///
/// The time is taken in slices. A process that is stopped, at a breakpoint for example, spends one slice at the most.
final class PatienceTimer: Sendable {
  private static let slice = Duration.milliseconds(200)
  private static let queue = DispatchQueue(label: "StubKit.patience")

  private let work: Protected<Closure<Work>?>

  /// - Parameter work: Short work, which runs on a queue of all such timers unless the timer is cancelled before.
  init(_ patience: Duration, _ work: @escaping Work) {
    self.work = Protected(Closure(work))
    wait(patience)
  }

  func cancel() { work.discard { $0.take() } }

  private func wait(_ rest: Duration) {
    Self.queue.asyncAfter(deadline: (.now() + min(rest, Self.slice)).dispatchTime) { [self] in
      if rest <= Self.slice {
        work.withLock { $0.take() }?.call()
      } else if work.withLock({ $0 != nil }) {
        wait(rest - Self.slice)
      }
    }
  }
}
