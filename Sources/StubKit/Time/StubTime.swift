import Foundation

/// The time of a ``StubClock``. It is a clock itself: `.real` or `.immediate`.
@_documentation(visibility: internal)
public struct StubTime: StubClock, Equatable {
  /// The timeline of all registries that use the clock, or `nil` if each of them has one of its own.
  let shared: (any Timeline)?

  /// The time itself.
  public var time: StubTime { self }

  /// Returns whether both are the same clock. Each manual clock equals itself alone.
  public static func == (left: StubTime, right: StubTime) -> Bool { left.shared === right.shared }

  /// Returns the timeline for a registry.
  func timeline() -> any Timeline { shared ?? ImmediateTimeline() }
}

extension StubClock where Self == StubTime {
  /// The system's own time, which is the default. A response with a delay of two seconds arrives after two seconds,
  /// never before.
  ///
  /// ```swift
  /// HTTPStubs.clock = .real
  /// ```
  public static var real: StubTime { StubTime(shared: RealTimeline.shared) }

  /// A clock that skips every wait but keeps the order of events.
  ///
  /// ```swift
  /// try await withStubs {
  ///   HTTPStubs.clock = .immediate
  ///   stub(
  ///     .get, "https://api.example.com/video",
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
  public static var immediate: StubTime { StubTime(shared: nil) }
}
