import Foundation

/// What recordings have from their process: its environment, and where it is told what was done.
struct RecordingSurroundings: Sendable {
  var environment: [String: String]
  var say: @Sendable (String) -> Void

  /// Those of the process, except in StubKit's own tests.
  @TaskLocal static var current = RecordingSurroundings(environment: ProcessInfo.processInfo.environment) { line in
    FileHandle.standardError.write(Data("StubKit: \(line)\n".utf8))
  }

  /// The mode of a recording, the environment's before the code's.
  func mode(of recording: Recording) throws(RecordingError) -> RecordingMode {
    guard let text = environment["STUBKIT_RECORD"], !text.isEmpty else { return recording.mode ?? .replay }
    if let mode = RecordingMode(text) { return mode }
    throw RecordingError(
      recording.name, .unknownMode,
      "STUBKIT_RECORD=\(text) names no mode of recordings. The modes are \(RecordingMode.names).")
  }

  /// The file that is told of unused entries; nil for none.
  var unusedFile: URL? {
    guard let path = environment["STUBKIT_UNUSED"], !path.isEmpty else { return nil }
    return URL(fileURLWithPath: path)
  }
}
