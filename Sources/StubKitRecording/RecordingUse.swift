import StubKitRecorder
import StubKitTesting

/// The use of a recording by a test.
struct RecordingUse: ScopedUse {
  let recording: Recording
  /// The location of the test.
  let location: StubLocation
  /// The filter that selects the test on the command line.
  let filter: String

  func begin(in registry: StubRegistry) throws -> any BegunUse {
    Begun(session: try RecordingSession(recording, in: registry, at: location, filter: filter, isOfTest: true))
  }

  private struct Begun: BegunUse {
    let session: RecordingSession

    func end(isWhole: Bool) -> [String] {
      do throws(RecordingError) { try session.end(isWhole: isWhole) } catch { return [error.description] }
      return []
    }

    func end(isWhole: Bool) async -> [String] {
      do throws(RecordingError) { try await session.end(isWhole: isWhole) } catch { return [error.description] }
      return []
    }
  }
}
