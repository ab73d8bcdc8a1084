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

  func unwritable(_ error: any Error) -> RecordingError {
    RecordingError(
      name, .unwritable,
      "The recording \(name.debugDescription) can't be written to \(url.path): \(error.sentence) An existing recording is "
        + "unchanged.")
  }

  func error(of problem: ArchiveRecorder.Problem) -> RecordingError {
    switch problem {
    case .unattributed(let request):
      RecordingError(
        name, .conflicting,
        "The recording \(name.debugDescription) was not written, because another recording was in use at the same time, and "
          + "\(request.line) can belong to either: no task of one of them made it. Make the request in a task inside of "
          + "withRecording, or use the recordings one after the other.")
    case .longBody(let request):
      RecordingError(
        name, .unwritable,
        "The recording \(name.debugDescription) was not written, because a body of \(request.line) has more than "
          + "\(ArchivedBody.limit), which is the most that a recording keeps. Let the test ask for less, or register a stub for "
          + "that request.")
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
  /// The method and the URL without what can contain secrets: user information, the query, and the fragment.
  fileprivate var line: String {
    guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
      return httpMethod ?? "GET"
    }
    (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
    return "\(httpMethod ?? "GET") \(parts.string ?? "")"
  }
}
