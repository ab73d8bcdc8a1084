import Foundation
import StubKit

/// The transcript of one test, or of one case of it, in a file of its own.
struct TranscriptFile: RequestCheck {
  /// The name of the file, without its extension: the names of the suites, of the test and of the case, with dots.
  let name: String
  /// The part of the name without the case.
  let test: String
  let folder: URL
  /// The folder with the source file of the test.
  let sources: URL
  let order: RequestOrder
  /// The filter that selects the test on the command line.
  let filter: String

  /// - Parameters:
  ///   - names: The names of the suites, and of the test.
  ///   - arguments: Those of the case, or `nil` if the test has no parameters.
  init(_ transcript: Transcript, of names: [String], filePath: String, arguments: [String]? = nil) {
    test = Self.name(of: names)
    name = Self.name(of: names, arguments)
    sources = URL(fileURLWithPath: filePath).deletingLastPathComponent()
    folder = transcript.folder ?? sources.appendingPathComponent("Requests")
    order = transcript.order
    filter = names.joined(separator: "/")
  }

  /// Returns the name of a file of a test, or of one of its cases.
  static func name(of names: [String], _ arguments: [String]? = nil) -> String {
    let test = names.map(\.fitForFileName).joined(separator: ".")
    return test + (arguments.map { ".\($0.joined(separator: ",").fitForFileName(upTo: 60))" } ?? "")
  }

  var url: URL { folder.appendingPathComponent("\(name).http") }

  /// The file as messages name it.
  private var place: String { "\(folder.lastPathComponent)/\(name).http" }

  private var command: String { "STUBKIT_TRANSCRIPTS=write swift test --filter \(filter.asShellWord)" }

  /// Compares the requests of a registry with the file, or writes it.
  ///
  /// - Parameter hasFailed: Whether the test has failed otherwise. What it has sent replaces nothing then.
  /// - Returns: What is wrong.
  func check(_ registry: StubRegistry, hasFailed: Bool) -> String? {
    TranscriptFiles.note(self)
    let use = TranscriptUse(in: registry)
    let isWriting: Bool
    switch TranscriptFiles.mode {
    case nil, "": isWriting = false
    case "write": isWriting = true
    case let mode?: return "STUBKIT_TRANSCRIPTS=\(mode) is unknown. Write STUBKIT_TRANSCRIPTS=write."
    }
    guard FileManager.default.fileExists(atPath: url.path) else { return checkMissing(use, isWriting, hasFailed) }
    do {
      let data = try Data(contentsOf: url)
      let transcript = try TranscriptText(data, methods: use.methods, without: use.untranscribed)
      let comparison = TranscriptComparison(
        use.actual, with: transcript.requests, shown: use.shown, order: order)
      if isWriting, !comparison.isEqual || !transcript.once.isEmpty {
        let new = TranscriptPlaceholders(
          use.shown, of: use.actual, after: transcript, String(utf8: data), comparison)
        return write(new.fileText, use, hasFailed, comparison.isEqual ? nil : comparison)
      }
      return problem(comparison, use)
    } catch let error as TranscriptError {
      if isWriting { return write(TranscriptPlaceholders(use.shown, of: use.actual).fileText, use, hasFailed, nil) }
      return "The transcript can't be read: \(url.path), \(error)\nFix it, or write it anew: \(command)"
    } catch {
      return "The transcript can't be read from \(url.path): \(error.localizedDescription)"
    }
  }

  private func problem(_ comparison: TranscriptComparison, _ use: TranscriptUse) -> String? {
    guard !comparison.isEqual else {
      let heading = "It isn't certain that the test's requests are all that \(place) is compared with."
      return use.doubts.isEmpty ? nil : ([heading] + use.doubts).lines
    }
    let cure = "If this is right, write \(url.path) anew: \(command)"
    return (comparison.report(place) + use.doubts + [cure]).lines
  }

  private func checkMissing(_ use: TranscriptUse, _ isWriting: Bool, _ hasFailed: Bool) -> String? {
    // A test without requests needs no file.
    if use.actual.isEmpty { return nil }
    let new = TranscriptPlaceholders(use.shown, of: use.actual)
    if isWriting { return write(new.fileText, use, hasFailed, nil) }
    return """
      The test has no transcript, and made \(use.actual.count.requests). There is no file \(url.path). To write it, run
          \(command)
      """
  }

  /// - Parameter comparison: With the file so far, if it says something else.
  private func write(
    _ text: String, _ use: TranscriptUse, _ hasFailed: Bool, _ comparison: TranscriptComparison?
  ) -> String? {
    guard !hasFailed else {
      TranscriptFiles.say("\(place) was not written, because its test failed.")
      return nil
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data((use.actual.isEmpty ? "# No requests\n" : text).utf8).write(to: url, options: .atomic)
    } catch {
      return "The transcript can't be written to \(url.path): \(error.localizedDescription)"
    }
    var lines = ["wrote \(url.path): \(use.actual.count.requests)"]
    if let comparison { lines += comparison.report("its earlier text") }
    TranscriptFiles.say(lines.lines)
    return nil
  }
}

/// The transcripts that the tests of this process have, to tell those that no test has any more.
enum TranscriptFiles {
  /// The value of `STUBKIT_TRANSCRIPTS`, except in StubKit's own tests.
  @TaskLocal static var mode = ProcessInfo.processInfo.environment["STUBKIT_TRANSCRIPTS"]

  /// Says what was written, except in StubKit's own tests.
  @TaskLocal static var say: @Sendable (String) -> Void = RunningTest.tell

  private static let noted = Protected<[TranscriptFile]>([])

  static func note(_ file: TranscriptFile) {
    guard mode == "write" else { return }
    noted.withLock { $0.append(file) }
    tellsAtEnd
  }

  private static let tellsAtEnd: Void = {
    _ = atexit {
      for file in TranscriptFiles.leftovers(besides: TranscriptFiles.noted.withLock(\.self)) {
        RunningTest.tell("\(file.path) is the transcript of no test any more. Delete it.")
      }
    }
  }()

  /// Returns the transcripts of no test, in the folders of some files. A test that has not run is found by its name in
  /// the source files beside the folder.
  static func leftovers(besides files: [TranscriptFile]) -> [URL] {
    let used = Set(files.map(\.url.path))
    let folders = Dictionary(files.map { ($0.folder.path, $0) }) { first, _ in first }
    return folders.sorted { $0.key < $1.key }.flatMap { path, file -> [URL] in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      let unused = names.filter { $0.hasSuffix(".http") && !used.contains("\(path)/\($0)") }
      guard !unused.isEmpty else { return [] }
      let tests = Set(files.filter { $0.folder.path == path }.map(\.test))
      let declared = DeclaredNames(in: file.sources)
      return unused.sorted().filter { name in
        let pieces = name.dropLast(5).pieces(at: ".").map(String.init)
        // All cases of a test have run.
        let isOfTest = pieces.indices.dropFirst().contains { tests.contains(pieces[..<$0].joined(separator: ".")) }
        return isOfTest || !declared.hasTest(pieces)
      }.map { file.folder.appendingPathComponent($0) }
    }
  }

  /// The types and functions that the source files of a folder declare.
  private struct DeclaredNames {
    private var types: Set<String> = []
    private var functions: Set<String> = []

    init(in folder: URL) {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names where name.hasSuffix(".swift") {
        guard let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8) else { continue }
        for match in text.matches(of: /\b(func|struct|class|actor|enum|extension)\s+(`[^`]+`|[\w.]+)/) {
          let names =
            match.2.hasPrefix("`")
            ? [String(match.2.dropFirst().dropLast())] : match.2.split(separator: ".").map(String.init)
          for name in names.map(\.fitForFileName) {
            if match.1 == "func" { functions.insert(name) } else { types.insert(name) }
          }
        }
      }
    }

    /// Returns whether there can be a test of this name, with or without a case behind it.
    func hasTest(_ pieces: [String]) -> Bool {
      pieces.indices.contains { functions.contains(pieces[$0]) && pieces[..<$0].allSatisfy(types.contains) }
    }
  }
}
