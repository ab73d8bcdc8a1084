import Foundation

/// The events for one reader of ``StubRegistry/events``.
///
/// It keeps the newest unread events, up to a limit, and counts those that it has dropped.
struct StubEventQueue: Sendable {
  /// The largest number of unread events, which equals that of requests in a journal.
  static let limit = 10_000

  private typealias Numbered = (number: Int, event: StubEvent)

  private let events: AsyncStream<Numbered>.Continuation
  private let addedCount = Protected(0)

  /// - Parameter onEnd: A closure that is called when the reader is gone: its task was cancelled, or nobody holds the
  ///   stream any more.
  static func make(
    limit: Int = StubEventQueue.limit, onEnd: @escaping @Sendable () -> Void
  ) -> (queue: StubEventQueue, stream: AsyncStream<StubEvent>) {
    let (events, continuation) = AsyncStream.makeStream(of: Numbered.self, bufferingPolicy: .bufferingNewest(limit))
    continuation.onTermination = { _ in onEnd() }
    let lastRead = Protected(0)
    let stream = AsyncStream {
      for await (number, event) in events {
        var event = event
        event.droppedCount = lastRead.withLock { last in
          defer { last = max(last, number) }
          return max(0, number - last - 1)
        }
        return event
      }
      return nil
    }
    return (StubEventQueue(events: continuation), stream)
  }

  private init(events: AsyncStream<Numbered>.Continuation) { self.events = events }

  func add(_ event: StubEvent) {
    // The event is added under the lock, so that the numbers are in the order of the events. Dropped events are
    // released outside.
    let result = addedCount.withLock { count in
      count += 1
      return events.yield((count, event))
    }
    _ = consume result
  }

  func finish() { events.finish() }
}
