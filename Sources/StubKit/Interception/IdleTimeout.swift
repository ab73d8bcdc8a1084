import Dispatch

/// Ends a load that brings nothing new for too long (`URLRequest.timeoutInterval`), which no platform does for a
/// `URLProtocol`.
///
/// Used on the load's queue only. While it is stopped no time passes.
final class IdleTimeout: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on `queue` only.
  private let limit: Duration
  private let queue: any DeliveryQueue
  private let expire: () -> Void
  private var lastNews: DispatchTime?
  private var timer: (any DeliveryTimer)?

  init(after limit: Duration, on queue: any DeliveryQueue, _ expire: @escaping () -> Void) {
    self.limit = limit
    self.queue = queue
    self.expire = expire
  }

  /// Begins, from the beginning; ignored while it is running.
  func start() {
    guard lastNews == nil else { return }
    lastNews = queue.now
    wait()
  }

  /// Something came: the time begins anew.
  func reset() { if lastNews != nil { lastNews = queue.now } }

  func stop() {
    lastNews = nil
    timer?.cancel()
    timer = nil
  }

  // One timer for many pieces of news: it looks how long ago the last one was only when it fires.
  private func wait() {
    guard let lastNews else { return }
    timer = queue.scheduleLoosely(at: lastNews + limit) { [weak self] in self?.look() }
  }

  private func look() {
    guard let lastNews else { return }
    guard lastNews + limit <= queue.now else { return wait() }
    stop()
    expire()
  }
}
