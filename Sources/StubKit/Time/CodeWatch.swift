/// Tells timelines when Swift code that runs elsewhere than on their executors begins and ends.
///
/// A task concerns the timelines that it uses, and so does each task that it starts.
protocol CodeWatch: AnyObject, Sendable {
  /// A timeline begins. The task of the caller uses it.
  func add(_ timeline: VirtualTimeline)

  /// A timeline ends.
  func remove(_ timeline: VirtualTimeline)

  /// The task of the caller uses a timeline.
  func join(_ timeline: VirtualTimeline)

  /// Time has moved.
  func moved(_ timeline: VirtualTimeline)

  /// Runs code that concerns a timeline.
  func attribute<Result>(to timeline: VirtualTimeline, _ body: () -> Result) -> Result

  /// Runs code that starts tasks that concern no timeline, although the caller does.
  func aside<Result>(_ body: () -> Result) -> Result
}
