/// A recording in use in a registry: its policy for unmatched requests, and what listens to those that go to the
/// network.
///
/// Recordings are nested, and the innermost one has all requests of the registry.
package final class RecordingFrame: Sendable {
  /// The innermost frame of the current task.
  @TaskLocal package static var current: RecordingFrame?

  let tap: (any NetworkTap)?
  /// The command after which unmatched requests have stubs, or `nil` if there is none.
  let remedy: String?
  /// Whether it is that of a whole test, whose tasks don't name it.
  let isOfTest: Bool
  /// The policy for requests that no stub matches, or `nil` for that of the registry.
  // Safe because it is touched only under the lock of the registry.
  nonisolated(unsafe) var unmatched: UnmatchedPolicy?

  package init(
    _ tap: (any NetworkTap)? = nil, unmatched: UnmatchedPolicy? = nil, remedy: String? = nil, isOfTest: Bool = false
  ) {
    (self.tap, self.unmatched, self.remedy, self.isOfTest) = (tap, unmatched, remedy, isOfTest)
  }

  /// Returns whether the frame can begin inside another one, and not beside it. It can if the code that begins it runs
  /// inside of the other one.
  func isInside(_ outer: RecordingFrame) -> Bool { outer === Self.current || outer.isOfTest && !isOfTest }
}
