import StubKit

/// The use of a recording by a test.
struct RecordingUse: Sendable {
  let recording: Recording
  /// The location of the test.
  let location: StubLocation
  /// The filter that selects the test on the command line.
  let filter: String

  /// The recording that a trait leaves to the trait inside it, which creates the test's registry.
  @TaskLocal static var pending: RecordingUse?

  func begin(in registry: StubRegistry) throws(RecordingError) -> RecordingSession {
    try RecordingSession(recording, in: registry, at: location, filter: filter)
  }

  /// Ends a session.
  ///
  /// - Returns: The problems with the recording.
  static func end(_ session: RecordingSession?, isWhole: Bool) -> [Finding] {
    do throws(RecordingError) {
      try session?.end(isWhole: isWhole)
      return []
    } catch { return [Finding(error)] }
  }
}
