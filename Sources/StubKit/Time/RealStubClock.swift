/// The system's own time, which is the default. A response with a delay of two seconds arrives after two seconds,
/// never before.
///
/// ```swift
/// HTTPStubs.clock = .real
/// ```
public struct RealStubClock: StubClock, Hashable {
  /// Creates the clock. All of them are the same.
  public init() {}

  /// The system's own timeline.
  public var timeline: StubTimeline { StubTimeline(timeline: nil) }
}

extension StubClock where Self == RealStubClock {
  /// The system's own time.
  public static var real: RealStubClock { RealStubClock() }
}
