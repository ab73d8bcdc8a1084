import Dispatch

/// The end of somebody's patience.
///
/// The time is taken in slices. A process that is stopped, at a breakpoint for example, spends one slice at the most.
final class PatienceTimer: DeliveryTimer, Sendable {
  private static let slice = Time.milliseconds(200)
  private static let queue = DispatchQueue(label: "StubKit.patience")

  private let work: Protected<(@Sendable () -> Void)?>

  /// - Parameter work: Short work, which runs on a queue of all such timers unless the timer is cancelled before.
  init(_ patience: Time, _ work: @escaping @Sendable () -> Void) {
    self.work = Protected(work)
    wait(patience)
  }

  func cancel() {
    // What the work holds belongs to the user, and can do anything when it is released, so not under the lock.
    let work = work.withLock { $0.take() }
    _ = consume work
  }

  private func wait(_ rest: Time) {
    Self.queue.asyncAfter(deadline: (.now() + min(rest, Self.slice)).dispatchTime) { [self] in
      if rest <= Self.slice {
        work.withLock { $0.take() }?()
      } else if work.withLock({ $0 != nil }) {
        wait(rest - Self.slice)
      }
    }
  }
}
