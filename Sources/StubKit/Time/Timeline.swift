import Dispatch

/// How time passes for the loads of a registry. It is the inside of a ``StubClock``.
///
/// Work that takes no time on the timeline, but doesn't happen at once either, has a number: call ``begin()`` before it
/// and ``end(_:)`` after it. A timeline that a test moves doesn't move before everything that has begun has ended.
protocol Timeline: AnyObject, Sendable {
  var now: Duration { get }

  /// Runs work on a queue after a deadline, never before it. Work that is due at the same moment runs in the order in
  /// which it was scheduled.
  func schedule(
    at deadline: Duration, on queue: any DeliveryQueue, _ work: @escaping Work
  ) -> DeliveryTimer

  /// A Boolean value that indicates whether a clock waits until what has begun has ended.
  var isWatched: Bool { get }

  /// A Boolean value that indicates whether a request times out while it waits for a gate, a stream or a closure,
  /// which have no time of their own.
  var timesOutWaits: Bool { get }

  func begin() -> UInt64
  func end(_ work: UInt64)

  /// Runs the closure of a stub, or of the policy for unmatched requests. Time doesn't move until it returns, except
  /// while it waits for the timeline.
  func answer<Response>(by stub: StubReference?, _ closure: () async throws -> Response) async rethrows -> Response

  /// Notes that the code of the caller uses the timeline. If a closure of one of its stubs is the caller, it begins to
  /// wait for the timeline: by a sleep, by a request, or for the end of a move. Returns what ends that wait.
  func beginWait() -> OneTime<Void>?

  /// The executor of the user's closures and streams, which tells when they have come to rest, or `nil` if they run
  /// elsewhere.
  var executor: (any Executor)? { get }
}

extension Timeline {
  var isWatched: Bool { false }
  var timesOutWaits: Bool { true }
  func begin() -> UInt64 { 0 }
  func end(_ work: UInt64) {}
  var executor: (any Executor)? { nil }

  func answer<Response>(by stub: StubReference?, _ closure: () async throws -> Response) async rethrows -> Response {
    try await closure()
  }

  func beginWait() -> OneTime<Void>? { nil }

  /// Returns work that has begun for the timeline, and ends after it has run.
  func counted(_ work: @escaping Work) -> Work {
    guard isWatched else { return work }
    let begun = begin()
    return { [self] in
      work()
      end(begun)
    }
  }
}

/// A scheduled piece of work that can be cancelled.
struct DeliveryTimer {
  /// Releases the work at once. Work that already waits on the queue can still run.
  let cancel: Work
}
