/// A clock for the waiting in a registry: ``RealStubClock``, ``ImmediateStubClock`` or a ``ManualClock``.
///
/// It measures everything that takes time: delays, bandwidth, jitter, the pauses of event streams, and the timeouts
/// of requests. A ``ResponseGate`` and an open stream wait for whoever opens or feeds them.
///
/// ```swift
/// HTTPStubs.clock = .immediate
/// stub(
///   condition: isPath("/slow"),
///   response: .text("late").delay(.seconds(30)))
/// // Every request to /slow is answered at once.
/// ```
public protocol StubClock: Sendable {
  /// The part of a clock that the library needs. Only its own clocks can create one. A clock that wraps one of them
  /// returns the timeline of that clock.
  var timeline: StubTimeline { get }
}

/// The inside of a ``StubClock``.
public struct StubTimeline: Sendable {
  /// The timeline, or `nil` for the system's own time.
  let timeline: (any Timeline)?
}
