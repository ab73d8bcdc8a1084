/// A clock that a registry's loads can run on: ``RealStubClock``, ``ImmediateStubClock`` or a ``ManualClock``.
public protocol StubClock: Sendable {
  /// What the library needs of a clock. Only its own clocks can make one; a clock that wraps one of them hands on its.
  var timeline: StubTimeline { get }
}

/// The inside of a ``StubClock``.
public struct StubTimeline: Sendable {
  /// Nil for the system's own time.
  let timeline: (any Timeline)?
}
