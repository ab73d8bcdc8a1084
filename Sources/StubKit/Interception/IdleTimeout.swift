/// Ends a load for which nothing comes for too long (`URLRequest.timeoutInterval`) while it is not yet known what is to come:
/// while the user's closures run. From there on it is part of the delivery's plan.
///
/// Used on the load's queue only.
final class IdleTimeout: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on `queue` only.
  private let limit: Time
  private let queue: any DeliveryQueue
  private let expire: () -> Void
  private var start: Time?
  private var timer: (any DeliveryTimer)?

  init(after limit: Time, on queue: any DeliveryQueue, _ expire: @escaping () -> Void) {
    self.limit = limit
    self.queue = queue
    self.expire = expire
  }

  /// How long it has been running.
  var elapsed: Time { start.map { queue.now - $0 } ?? .zero }

  /// Begins, from the beginning; ignored while it is running.
  func begin() {
    guard start == nil else { return }
    let start = queue.now
    self.start = start
    timer = queue.scheduleLoosely(at: start + limit) { [weak self] in
      guard let self, self.start == start else { return }
      stop()
      expire()
    }
  }

  func stop() {
    start = nil
    timer?.cancel()
    timer = nil
  }
}
