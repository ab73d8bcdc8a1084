import StubKit

/// A recording as a test uses it.
struct RecordingUse: Sendable {
  let recording: Recording
  /// Where the test is.
  let location: StubLocation
  /// What picks the test on the command line.
  let filter: String

  /// What a trait has left to the one inside it that makes the test's registry.
  @TaskLocal static var pending: RecordingUse?

  func begin(in registry: StubRegistry) throws(RecordingError) -> RecordingSession {
    try RecordingSession(recording, in: registry, at: location, filter: filter)
  }

  /// Ends a session.
  ///
  /// - Returns: What is wrong with what was recorded.
  static func end(_ session: RecordingSession?, isWhole: Bool) -> [Finding] {
    do throws(RecordingError) {
      try session?.end(isWhole: isWhole)
      return []
    } catch { return [Finding(error)] }
  }
}
