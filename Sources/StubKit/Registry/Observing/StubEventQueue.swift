import Foundation
import StubKitFormats

/// The events for one reader of ``StubRegistry/events``.
///
/// It keeps the newest unread events, up to a number and a size, and counts those that it has dropped.
final class StubEventQueue: Sendable {
  struct Limit: Sendable {
    /// The largest number of unread events, which equals that of requests in a journal.
    var count = 10_000
    /// The largest number of bytes in the bodies of unread events. The newest event stays, however large it is.
    var byteCount = 64 << 20
  }

  private struct State {
    var events: [StubEvent?] = []
    /// The position of the oldest unread event.
    var first = 0
    var byteCount = 0
    /// The number of events that were dropped since the last one was read.
    var droppedCount = 0

    var count: Int { events.count - first }

    /// Removes the oldest event.
    mutating func removeFirst() -> StubEvent? {
      guard count > 0 else { return nil }
      let event = events[first].take()
      byteCount -= event?.byteCount ?? 0
      first += 1
      if first * 2 > events.count {
        events.removeFirst(first)
        first = 0
      }
      return event
    }
  }

  private let limit: Limit
  private let state = Protected(State())
  /// Wakes the reader. The events themselves are in the state.
  private let news: AsyncStream<Void>.Continuation

  /// - Parameter onEnd: A closure that is called when the reader is gone: its task was cancelled, or nobody holds the
  ///   stream any more.
  static func make(
    limit: Limit = Limit(), onEnd: @escaping @Sendable () -> Void
  ) -> (queue: StubEventQueue, stream: AsyncStream<StubEvent>) {
    let (news, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.onTermination = { _ in onEnd() }
    let queue = StubEventQueue(limit, continuation)
    let stream = AsyncStream {
      while true {
        if let event = queue.next() { return event }
        var isOpen = false
        for await _ in news {
          isOpen = true
          break
        }
        if !isOpen { return queue.next() }
      }
    }
    return (queue, stream)
  }

  private init(_ limit: Limit, _ news: AsyncStream<Void>.Continuation) {
    self.limit = limit
    self.news = news
  }

  func add(_ event: StubEvent) {
    // Dropped events hold values of the user, and are released outside the lock.
    let dropped = state.withLock { state in
      state.events.append(event)
      state.byteCount += event.byteCount
      var dropped: [StubEvent?] = []
      while state.count > limit.count || (state.byteCount > limit.byteCount && state.count > 1) {
        dropped.append(state.removeFirst())
        state.droppedCount += 1
      }
      return dropped
    }
    news.yield()
    _ = consume dropped
  }

  /// Returns the oldest unread event, if there is one.
  private func next() -> StubEvent? {
    let (event, isLast) = state.withLock { state in
      var event = state.removeFirst()
      event?.droppedCount = state.droppedCount
      if event != nil { state.droppedCount = 0 }
      return (event, state.count == 0)
    }
    // Another reader of the same stream may be waiting.
    if !isLast { news.yield() }
    return event
  }

  func finish() { news.finish() }
}

extension StubEvent {
  /// The number of bytes that the event keeps in memory. A response that the stub keeps anyway doesn't count.
  fileprivate var byteCount: Int {
    let length = request.httpBody?.count ?? 0
    guard case .closure = stub?.responder, let body = response?.body, body.isInMemory else { return length }
    return length + ((try? body.load().count) ?? 0)
  }
}
