import Foundation
import StubKit

/// The parts of the process that recordings use: its environment, and the place for messages.
package struct RecordingSurroundings: Sendable {
  var environment: [String: String]
  /// Whether a recording replaces a file that exists when it ends.
  var replacesFiles: Bool
  var say: @Sendable (String) -> Void
  /// Records a warning of the running test, and returns `false` if that isn't possible.
  var warn: @Sendable (String, StubLocation) -> Bool = { RunningTest.record($0, at: $1, isWarning: true) }

  var now: @Sendable () -> Date = { Date() }

  package init(
    environment: [String: String], replacesFiles: Bool = true, say: @escaping @Sendable (String) -> Void
  ) {
    self.environment = environment
    self.replacesFiles = replacesFiles
    self.say = say
  }

  /// The surroundings of the process, except in StubKit's own tests.
  @TaskLocal package static var current = RecordingSurroundings(
    environment: ProcessInfo.processInfo.environment, say: RunningTest.tell)

  /// Returns the mode of a recording. The environment takes precedence over the code.
  func mode(of recording: Recording) throws(RecordingError) -> RecordingMode {
    guard let text = environment["STUBKIT_RECORD"], !text.isEmpty else { return recording.mode ?? .replay }
    if let mode = RecordingMode(text) { return mode }
    let problem = "STUBKIT_RECORD=\(text) is not a recording mode. The modes are \(RecordingMode.names)."
    throw RecordingError(recording.name, .unknownMode, problem)
  }

  /// Returns whether differences between the network and a recording fail the test.
  func failsOnDrift(_ recording: Recording) throws(RecordingError) -> Bool {
    switch environment["STUBKIT_DRIFT"] {
    case nil, "", "warn": return false
    case "fail": return true
    case let other?:
      let problem = "STUBKIT_DRIFT=\(other) is unknown. Write STUBKIT_DRIFT=warn or STUBKIT_DRIFT=fail."
      throw RecordingError(recording.name, .unknownMode, problem)
    }
  }
}
