/// The system's own time, the default: a response with a delay of two seconds comes after two seconds, never before.
///
/// ```swift
/// HTTPStubs.clock = .real
/// ```
public struct RealStubClock: StubClock, Hashable {
  /// The clock; all of them are the same.
  public init() {}

  /// The system's own.
  public var timeline: StubTimeline { StubTimeline(timeline: nil) }
}

extension StubClock where Self == RealStubClock {
  /// The system's own time.
  public static var real: RealStubClock { RealStubClock() }
}
