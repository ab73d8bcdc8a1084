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
  let timeline: any Timeline
}

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
  public var timeline: StubTimeline { StubTimeline(timeline: RealTimeline.shared) }
}

extension StubClock where Self == RealStubClock {
  /// The system's own time.
  public static var real: RealStubClock { RealStubClock() }
}

/// A clock that skips every wait but keeps the order of events.
///
/// ```swift
/// try await withStubs {
///   HTTPStubs.clock = .immediate
///   stub(
///     condition: isPath("/video"),
///     response: .file("video.mp4").network(.edge))
///   // 30 MB over EDGE arrive in a moment.
///   _ = try await player.download()
/// }
/// ```
///
/// - If several things wait, the one that is due first goes first. The clock can't take requests into account that
///   have not been made yet.
/// - A response that is slower than the timeout of its request fails at once with `.timedOut`.
/// - Gates, open streams and closures still wait for whatever opens, feeds or finishes them, and don't time out.
///
/// Each registry that uses the clock has a time of its own.
///
/// > Important: The clock doesn't affect the code under test. If that code sleeps between retries, give both a
/// > ``ManualClock``.
public struct ImmediateStubClock: StubClock, Hashable {
  /// Creates the clock. All of them are the same.
  public init() {}

  /// A new timeline for each registry.
  public var timeline: StubTimeline { StubTimeline(timeline: ImmediateTimeline()) }
}

extension StubClock where Self == ImmediateStubClock {
  /// A clock that skips every wait.
  public static var immediate: ImmediateStubClock { ImmediateStubClock() }
}
