/// A clock that a registry's loads can run on: ``RealStubClock``, ``ImmediateStubClock`` or a ``ManualClock``.
///
/// Everything that takes time goes by it: delays, bandwidth, jitter, the pauses of a stream of events, and the requests'
/// timeouts. What waits for somebody, a ``ResponseGate`` or a stream that is still open, goes by that.
///
/// ```swift
/// HTTPStubs.clock = .immediate
/// stub(condition: isPath("/slow"), response: .text("late").delay(.seconds(30)))
/// // Every request to /slow is answered at once.
/// ```
public protocol StubClock: Sendable {
  /// What the library needs of a clock. Only its own clocks can make one; a clock that wraps one of them hands on its.
  var timeline: StubTimeline { get }
}

/// The inside of a ``StubClock``.
public struct StubTimeline: Sendable {
  /// Nil for the system's own time.
  let timeline: (any Timeline)?
}
