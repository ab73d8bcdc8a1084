/// Ends a load that receives nothing for too long (`URLRequest.timeoutInterval`) while its answer isn't known yet,
/// because the user's closures are running. After that, the timeout is part of the delivery's plan.
///
/// Use it only on the load's queue.
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

  /// The time for which it has been running.
  var elapsed: Time { start.map { queue.now - $0 } ?? .zero }

  /// Starts it from the beginning. Has no effect while it is running.
  func begin() {
    guard start == nil else { return }
    let start = queue.now
    self.start = start
    timer = queue.schedule(at: start + limit) { [weak self] in
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
