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
