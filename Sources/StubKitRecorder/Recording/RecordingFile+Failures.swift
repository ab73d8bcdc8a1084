import Foundation
import StubKit
import StubKitArchive

/// What is done with a file, and said about it, if a recording should not replace it.
extension RecordingFile {
  /// - Parameter place: Where the new recording is, or why it is nowhere, or `nil` if nothing was recorded.
  func keptAside(_ place: String?) -> String {
    let old =
      FileManager.default.fileExists(atPath: url.path)
      ? "The existing recording is unchanged: \(url.path)" : "There is no recording at \(url.path)"
    return "The recording \(name.debugDescription) was not written, because its test failed. "
      + [old, place].compactMap(\.self).joined(separator: ". ")
  }

  /// Puts back the recording before that of a test that failed after it was written.
  func takeBack(
    _ archive: HTTPArchive, before: ArchiveBackup, after: ArchiveBackup, _ surroundings: RecordingSurroundings
  ) {
    do {
      try RecordingLock.whileLocked(url) {
        // Somebody else has written it meanwhile.
        guard ArchiveBackup(of: url).isSameArchive(as: after) else { return }
        try archive.write(to: failed)
        try before.restore()
        surroundings.say(keptAside("What it has recorded is in \(failed.path)"))
      }
    } catch {
      surroundings.say("The recording \(name.debugDescription) of a failed test can't be taken back: \(error.sentence)")
    }
  }

  func error(of problem: ArchiveRecorder.Problem) -> RecordingError {
    switch problem {
    case .unattributed(let request):
      RecordingError(
        name, .conflicting,
        "The recording \(name.debugDescription) was not written, because another recording was in use at the same time, and "
          + "\(request.line) can belong to either: no task of one of them made it. Make the request in a task inside of "
          + "withRecording, or use the recordings one after the other.")
    case .lostBody(let request, let reason):
      RecordingError(
        name, .unwritable,
        "The recording \(name.debugDescription) was not written, because a body of \(request.line) could not be kept in "
          + "\(FileManager.default.temporaryDirectory.path): \(reason.asSentence) Make room there, and record it again."
      )
    }
  }

  func nothingRecorded(unfinishedCount: Int) -> RecordingError {
    let unfinished = unfinishedCount == 0 ? "" : " \(unfinishedCount.requests) had not ended. Wait for every response."
    return RecordingError(
      name, .empty,
      "The recording \(name.debugDescription) was not written, because no request of the test came back from the network."
        + "\(unfinished) The existing recording is unchanged: \(url.path). Remove it if the test needs none.")
  }
}

extension URLRequest {
  /// The method and the URL without its query, which can contain secrets.
  fileprivate var line: String {
    let url = url?.absoluteString ?? ""
    return "\(httpMethod ?? "GET") \(url.prefix { $0 != "?" && $0 != "#" })"
  }
}

extension String {
  fileprivate var asSentence: String { hasSuffix(".") ? self : self + "." }
}
