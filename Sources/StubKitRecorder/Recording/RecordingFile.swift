import Foundation
import StubKit
import StubKitArchive

/// The places where a recording is written, and from where it can be read.
struct RecordingFile {
  let name: String
  /// The file that is written.
  let url: URL
  /// Other files that can be read instead.
  private let bundled: [URL]

  init(_ recording: Recording) throws(RecordingError) {
    name = recording.name
    if let problem = Self.problem(with: recording.name) {
      throw RecordingError(
        name, .invalidName,
        "The name of the recording \(name.debugDescription) \(problem). Write a path below the recordings folder, without an "
          + "extension, as in Recording(\"login/wrong password\"). To choose the folder, pass in:.")
    }
    // A processed resource keeps only the last component of its path.
    let last = URL(fileURLWithPath: name).lastPathComponent
    url = recording.folder.appendingPathComponent(name + ".har")
    let names = name == last ? [name] : [name, last]
    bundled = recording.bundleFolders.flatMap { folder in names.map { folder.appendingPathComponent($0 + ".har") } }
  }

  private static func problem(with name: String) -> String? {
    let parts = name.pieces(at: "/")
    if name.hasPrefix("/") || parts[0] == "~" { return "is an absolute path" }
    if parts.contains("..") { return "leaves the recordings folder" }
    if parts.contains("") || parts.contains(".") || name.utf8.contains(0) { return "is not a valid path" }
    if name.lowercased().hasSuffix(".har") { return "has an extension" }
    return nil
  }

  /// The path of the file, which is the same for each path that leads to its folder.
  var key: String {
    url.deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(url.lastPathComponent).path
  }

  /// The file for what a failed test has recorded.
  var failed: URL { url.appendingPathExtension("failed") }

  /// Returns the name of the file that is in this one's place where case doesn't count, or `nil`.
  ///
  /// - Parameter names: The names in the folder.
  func namesake(among names: [String]) -> String? {
    let name = url.lastPathComponent
    return names.contains(name) ? nil : names.first { $0.lowercased() == name.lowercased() }
  }

  /// Returns the file to play, or `nil` if none exists.
  ///
  /// - Parameter bundleFirst: Whether the file in the bundle comes first. After recording, the folder has the newer
  ///   one.
  func existing(bundleFirst: Bool) -> URL? {
    places(bundleFirst: bundleFirst).first(where: \.isThere)
  }

  private func places(bundleFirst: Bool) -> [URL] { bundleFirst ? bundled + [url] : [url] + bundled }

  /// - Parameter filter: The filter that selects the test on the command line, or `nil` if it isn't known.
  func missing(filter: String?) -> RecordingError {
    let paths = places(bundleFirst: true).map(\.path).unique
    let problem = "There is no recording \(name.debugDescription). StubKit looked for \(paths.listed)."
    if let user = RecordingClaims.user(of: self) {
      let cure = "It is still being recorded, by \(user). StubKit writes the file at the end of that test."
      return RecordingError(name, .missing, "\(problem)\n\(cure)")
    }
    return RecordingError(
      name, .missing,
      """
      \(problem)
      To record it from the network, run the test once with
          \(Self.command(.once, filter: filter))
      """)
  }

  /// Returns the command that runs a test in a mode.
  ///
  /// - Parameter filter: The filter that selects the test on the command line, or `nil` if it isn't known.
  static func command(_ mode: RecordingMode, filter: String?) -> String {
    "STUBKIT_RECORD=\(mode) swift test" + (filter.map { " --filter \($0.asShellWord)" } ?? "")
  }

  /// Returns the recording to play or to compare with.
  func recording(_ mode: RecordingMode, isWritten: Bool, filter: String?) throws(RecordingError) -> ReadRecording? {
    if mode == .all { return nil }
    if let url = existing(bundleFirst: mode == .replay || mode == .check) { return try read(url) }
    if isWritten { return nil }
    throw missing(filter: filter)
  }

  private func read(_ url: URL) throws(RecordingError) -> ReadRecording {
    do {
      return try ReadRecordings.shared.recording(at: url)
    } catch {
      let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
      let cure =
        isFolder
        ? "Remove it, or give the recording another name."
        : "Fix the file, or record it again with STUBKIT_RECORD=all."
      throw self.error(.unreadable, "can't be read from \(url.path): \(error.sentence) \(cure)")
    }
  }
}

/// What is done with a file, and said about it, if a recording should not replace it.
extension RecordingFile {
  private func error(_ reason: RecordingError.Reason, _ problem: String) -> RecordingError {
    RecordingError(name, reason, "The recording \(name.debugDescription) \(problem)")
  }

  /// Writes what can't replace the recording beside it, or else to the folder for temporary files.
  ///
  /// - Returns: The file.
  func writeAside(_ archive: Data) throws -> URL {
    if (try? archive.writeAsArchive(to: failed)) != nil { return failed }
    let other = FileManager.default.temporaryDirectory.appendingPathComponent(failed.lastPathComponent)
    try archive.writeAsArchive(to: other)
    return other
  }

  /// - Parameter place: A sentence that says where the new recording is, or `nil` if nothing was recorded.
  func keptAside(because reason: String, _ place: String?) -> String {
    let old = "\(url.isThere ? "The existing recording is unchanged:" : "There is no recording at") \(url.path)"
    return "The recording \(name.debugDescription) was not written, because \(reason). "
      + [old, place].compactMap(\.self).joined(separator: ". ")
  }

  /// - Parameters:
  ///   - cause: Why it was not written, in sentences.
  ///   - place: Sentences that say where the new recording is.
  func notWritten(_ cause: String, _ place: String) -> RecordingError {
    error(.unwritable, "was not written. \(cause)\n\(place)")
  }

  /// Returns what was written, in a line.
  func written(_ entries: [HTTPArchive.Entry], unfinishedCount: Int, _ report: Replacements) -> String {
    let cancelled = entries.count { $0.error?.code == .cancelled }
    let failed = entries.count { $0.error != nil } - cancelled
    return "Recorded \(entries.count.requests) to \(url.path) (\(failed == 0 ? "" : "\(failed) failed, ")"
      + "\(cancelled == 0 ? "" : "\(cancelled) cancelled, ")\(report.summary)"
      + "\(unfinishedCount == 0 ? "" : ", \(unfinishedCount.requests) left out as unfinished"))"
  }

  /// Returns what is said of old entries that stay as they are although they have secrets, in a line.
  func oldSecrets(_ count: Int) -> String {
    let (one, many) = ("value of an older entry looks like a secret", "values of older entries look like secrets")
    return "\(count.asCount(one, many)), and stayed. To replace \(count == 1 ? "it" : "them"): "
      + "stubkit-har redact \(url.lastPathComponent) --in-place"
  }

  /// - Parameters:
  ///   - entries: The requests whose bodies, or those of their responses, are too long.
  ///   - isWritten: Whether the recording was written with the other requests.
  func tooLong(_ entries: [HTTPArchive.Entry], isWritten: Bool) -> RecordingError {
    let lines = entries.map(\.request.lineWithoutSecrets).listed
    let causes = entries.map { "\($0.request.lineWithoutSecrets) \($0.statedObstacle ?? "")" }.joined(
      separator: ", and ")
    let those = entries.count == 1 ? "that request" : "these requests"
    return error(
      .unwritable,
      "was \(isWritten ? "written without \(lines)" : "not written"), because \(causes), which is the most that a "
        + "recording keeps. Let the test ask for less, or register a stub for \(those).")
  }

  /// The error of a test whose uses of the file can't be written together.
  func recordedOtherwise(_ earlier: RecordingUser, _ later: RecordingUser) -> RecordingError {
    error(
      .conflicting,
      "is recorded in two ways by one test: by \(earlier), and by \(later). StubKit writes both together, at the end of the "
        + "test. Give both the same mode and the same redacting:, or each a recording of its own.")
  }

  private static func unfinished(_ count: Int) -> String {
    "\(count.requests) had not ended. Wait for every response."
  }

  /// Returns what is said of a file to which nothing is added, because no new request ended.
  func unchanged(unfinishedCount: Int) -> String {
    "The recording \(name.debugDescription) is unchanged. \(Self.unfinished(unfinishedCount))"
  }

  func nothingRecorded(failedCount: Int, unfinishedCount: Int, _ place: String?) -> RecordingError {
    let failed = failedCount == 0 ? nil : "\(failedCount.requests) failed."
    let unfinished = unfinishedCount == 0 ? nil : Self.unfinished(unfinishedCount)
    let old =
      url.isThere
      ? "The existing recording is unchanged: \(url.path). Remove it if the test needs no response."
      : "There is no recording at \(url.path)."
    let problem = "was not written, because no request of the test came back from the network."
    return error(.empty, [problem, failed, unfinished, old, place].compactMap(\.self).joined(separator: " "))
  }
}

extension URLRequest {
  /// The method and the URL without what can contain secrets: user information, the query, and the fragment.
  fileprivate var lineWithoutSecrets: String {
    "\(httpMethod ?? "GET") \(url?.withoutUserAndQuery?.absoluteString ?? "")"
  }
}
