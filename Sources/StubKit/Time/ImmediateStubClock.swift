/// A clock that waits for nothing: what would take half a minute takes no time, in the same order.
///
/// ```swift
/// try await withStubs {
///   HTTPStubs.clock = .immediate
///   stub(condition: isPath("/video"), response: .file("video.mp4").network(.edge))
///   _ = try await player.download()  // 30 MB over EDGE, done in a moment
/// }
/// ```
///
/// - Of what waits at the same moment the earlier goes first. Nothing is promised against requests that are yet to be made.
/// - A response that is slower than its request's timeout fails with `.timedOut`, at once.
/// - What waits for somebody (a ``ResponseGate``, a stream that is still open, a closure) does so, and does not time out.
///
/// Each registry that is given it has a time of its own.
///
/// > Important: The code under test keeps its own time. If it sleeps between retries, give both of them a ``ManualClock``.
public struct ImmediateStubClock: StubClock, Hashable {
  /// The clock; all of them are the same.
  public init() {}

  /// A new one each time.
  public var timeline: StubTimeline { StubTimeline(timeline: ImmediateTimeline()) }
}

extension StubClock where Self == ImmediateStubClock {
  /// Waits for nothing.
  public static var immediate: ImmediateStubClock { ImmediateStubClock() }
}
