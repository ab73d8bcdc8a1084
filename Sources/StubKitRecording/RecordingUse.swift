import StubKitRecorder
import StubKitTesting

/// The use of a recording by a test.
struct RecordingUse: ScopedUse {
  let recording: Recording
  /// The location of the test.
  let location: StubLocation
  /// The filter that selects the test on the command line.
  let filter: String

  func begin(in registry: StubRegistry) throws -> @Sendable (_ isWhole: Bool) -> [String] {
    let session = try RecordingSession(recording, in: registry, at: location, filter: filter, isOfTest: true)
    return { isWhole in
      do throws(RecordingError) {
        try session.end(isWhole: isWhole)
        return []
      } catch { return [error.description] }
    }
  }
}
