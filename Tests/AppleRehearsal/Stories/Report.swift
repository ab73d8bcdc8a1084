import Foundation
import StubKit
import Testing

#if canImport(ObjectiveC)
  import ObjectiveC
#endif

/// What a run of the stories has seen of the platform, in a file to be pasted into an issue.
///
/// The file is written again with each line, so a run that ends early leaves what it has seen.
enum Report {
  private static let lines = Locked<[String: String]>([:])
  /// Whether a story has passed, by loader and name.
  private static let stories = Locked<[String: Bool]>([:])

  /// Where it is written: `STUBKIT_REPORT`, or the folder for temporary files.
  static let file =
    ProcessInfo.processInfo.environment["STUBKIT_REPORT"].map { URL(fileURLWithPath: $0) }
    ?? FileManager.default.temporaryDirectory.appendingPathComponent("StubKitReport.md")

  /// Checks the fact that the running story is named for, and notes whether it holds. Each has one line for a loader.
  ///
  /// - Parameter seen: What was seen, in case the fact doesn't hold.
  static func fact(
    _ holds: Bool, _ seen: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    note(Test.current?.displayName ?? "?", holds ? "holds" : "DOES NOT HOLD, but \(seen())")
    #expect(holds, "\(seen())", sourceLocation: sourceLocation)
  }

  private static func key(_ subject: String) -> String {
    "- \(Stage.isClassic ? "classic" : "new") loader: \(subject)"
  }

  /// Returns what is noted about a subject with the loader of the running story, or `nil`.
  static func noted(_ subject: String) -> String? { lines.current[key(subject)] }

  /// Notes something that is seen, and true either way.
  static func note(_ subject: String, _ value: String) {
    let all = lines.withLock { lines in
      let key = key(subject)
      // What has failed once stays.
      if lines[key]?.hasPrefix("DOES NOT") != true { lines[key] = value }
      return lines
    }
    if all.count == 1 { print("What is seen of the platform is in \(file.path)") }
    write()
  }

  /// Notes that a story has ended with the loader that it ran with. What has failed once stays.
  static func end(_ story: String, isClassic: Bool, hasPassed: Bool) {
    stories.withLock { stories in
      let key = "\(isClassic ? "classic" : "new") \(story)"
      stories[key] = stories[key] != false && hasPassed
    }
    write()
  }

  private static func write() {
    let (all, passed) = (lines.current, stories.current)
    var text = "### \(ProcessInfo.processInfo.operatingSystemVersionString)\n\n"
    let stories = (try? AssumedFact.stories()) ?? [:]
    let rows = AssumedFact.all.map { $0.line(stories[$0.name] ?? [], passed) + "\n" }
    let (held, failed) = (rows.count { $0.contains("| holds, ") }, rows.count { $0.contains("**DOES NOT HOLD**") })
    text += "Of \(rows.count) facts, \(held) hold, \(failed) do not hold, and no story of the others has run.\n\n"
    text += "| StubKit assumes that | Here, it | What to change |\n| --- | --- | --- |\n" + rows.joined()
    text += "\nNo story sees these:\n\n" + AssumedFact.unseen.map { "- \($0)\n" }.joined()
    text += "\nSeen:\n\n" + all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }.joined()
    try? Data(text.utf8).write(to: file, options: .atomic)
  }
}

@Suite("The report", .inEachLoader, .timeLimit(.minutes(1)))
struct ReportStories {
  @Test("names what StubKit uses of the platform")
  func capabilities() {
    let lines = HTTPStubs.capabilities.split(separator: "\n")
    for line in lines {
      let name = line.dropFirst(9).prefix { $0 != ":" }
      Report.note("mechanism \(name)", line.hasPrefix("active") ? "active" : "REFUSED: \(line)")
      #expect(!name.isEmpty && Report.noted("mechanism \(name)") != nil, "\(line)")
    }
    #expect(!lines.isEmpty)
  }

  @Test("names the classes of sessions and tasks")
  func classes() {
    func chain(_ object: AnyObject) -> String {
      sequence(first: object_getClass(object)) { class_getSuperclass($0) }.prefix { $0 != nil }
        .map { $0.map { "\($0)" } ?? "" }.joined(separator: " < ")
    }
    let session = URLSession(configuration: .staged)
    let url = URL(string: "http://a.example/")!
    Report.note("class of a session", chain(session))
    Report.note("class of a data task", chain(session.dataTask(with: url)))
    Report.note("class of a download task", chain(session.downloadTask(with: url)))
    Report.note("class of an upload task", chain(session.uploadTask(with: URLRequest(url: url), from: Data())))
    session.invalidateAndCancel()
    // Whatever their names are, each is a class of the system's, and not the same for each kind of task.
    let kinds = ["a session", "a data task", "a download task", "an upload task"].map {
      Report.noted("class of \($0)") ?? ""
    }
    #expect(kinds[0].contains("Session") && kinds[1...].allSatisfy { $0.contains("Task") }, "\(kinds)")
    #expect(kinds[1] != kinds[2], "\(kinds)")
  }

  @Test("says what arrives of an unmatched request's error")
  func unmatched() async {
    let error = await withStubs {
      await #expect(throws: (any Error).self) {
        try await text(URLSession(configuration: .staged), "http://a.example/")
      }
    }
    guard let error else { return }
    let bridged = error as NSError
    let underlying = bridged.userInfo[NSUnderlyingErrorKey].map { "\(type(of: $0))" } ?? "none"
    let isFound = UnmatchedRequestError(from: error) != nil
    Report.note(
      "error of an unmatched request",
      "\(type(of: error)) \(bridged.domain) \(bridged.code), underlying \(underlying), \(isFound ? "found" : "LOST")")
    #expect(isFound, "\(error)")
  }
}
