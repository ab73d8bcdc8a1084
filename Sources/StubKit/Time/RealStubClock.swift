/// The system's own time.
public struct RealStubClock: StubClock {
  /// The inside of the clock.
  public var timeline: StubTimeline { StubTimeline(timeline: nil) }
}

extension StubClock where Self == RealStubClock {
  /// The system's own time, which is what a registry runs on unless told otherwise.
  public static var real: RealStubClock { RealStubClock() }
}
