import Dispatch

/// A closure of a stub that runs. Its timeline doesn't move until the closure returns, except while the closure waits
/// for the timeline.
struct RunningClosure {
  /// The closure that the code of the caller is part of, or `nil`.
  @TaskLocal static var current: RunningClosure?

  let timeline: VirtualTimeline
  let number: UInt64
}
