/// The time of a loop that waits, without what passes while the process is stopped.
///
/// A debugger or a laptop's lid often stops the clients as well. They are not idle for that.
struct LoopTime {
  private(set) var now: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  /// The time that a loop on a busy machine needs beside its wait.
  private static let slack = Duration.seconds(1)

  init(_ start: ContinuousClock.Instant = .now) { (now, last) = (start, start) }

  /// Goes on after a wait.
  ///
  /// - Parameter wait: The longest time that the wait was to take, or `nil` if it had no end.
  mutating func advance(to time: ContinuousClock.Instant, after wait: Duration?) {
    let passed = last.duration(to: time)
    last = time
    if passed <= max(wait ?? passed, .zero) + Self.slack { now += passed }
  }
}
