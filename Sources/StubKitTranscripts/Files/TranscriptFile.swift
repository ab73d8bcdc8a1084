import Foundation
import StubKit
import StubKitTesting

/// The transcript of one test, or of one case of it, in a file of its own.
struct TranscriptFile: RequestCheck {
  let testCase: CaseOfTest
  let folder: URL
  /// The folder with the source file of the test.
  let sources: URL
  let order: RequestOrder

  /// - Parameter filePath: The path of the source file of the test.
  init(_ transcript: Transcript, of testCase: CaseOfTest, filePath: String) {
    self.testCase = testCase
    sources = URL(fileURLWithPath: filePath).deletingLastPathComponent()
    folder = transcript.folder ?? sources.appendingPathComponent("Requests")
    order = transcript.order
  }

  var url: URL { folder.appendingPathComponent("\(testCase.fileName).http") }

  /// The file as messages name it.
  private var place: String { "\(folder.lastPathComponent)/\(testCase.fileName).http" }

  private var command: String {
    "STUBKIT_TRANSCRIPTS=write swift test --filter \(testCase.names.joined(separator: "/").asShellWord)"
  }

  /// Compares the requests of a registry with the file, or writes it.
  ///
  /// - Parameter hasFailed: Whether the test has failed otherwise. What it has sent replaces nothing then.
  /// - Returns: What is wrong.
  func check(_ registry: StubRegistry, hasFailed: Bool) -> String? {
    let isWriting: Bool
    switch TranscriptFiles.mode {
    case nil, "": isWriting = false
    case "write": isWriting = true
    case let mode?: return "STUBKIT_TRANSCRIPTS=\(mode) is unknown. Write STUBKIT_TRANSCRIPTS=write."
    }
    let use = TranscriptUse(in: registry)
    let hasFile = FileManager.default.fileExists(atPath: url.path)
    // A test without requests needs no file.
    if !hasFile, use.actual.isEmpty { return nil }
    if let problem = testCase.problem ?? FileClaims.claim(url.path, for: testCase.identity) { return problem }
    TranscriptFiles.note(self)
    if !hasFile { return checkMissing(use, isWriting, hasFailed) }
    do {
      let transcript = try TranscriptText(try Data(contentsOf: url), without: use.untranscribed)
      var machine = use.machine
      machine.seenOnce = Set(transcript.note.digests.keys)
      let comparison = TranscriptComparison(use.actual, with: transcript.requests, order: order, machine)
      guard isWriting else { return problem(comparison, use, transcript.note) }
      let lacksTimes = transcript.requests.allSatisfy { $0.time == nil } && use.actual.contains { $0.time != nil }
      if comparison.isEqual, transcript.note.isEmpty, !lacksTimes { return problem(comparison, use, transcript.note) }
      return write(use, hasFailed, transcript.note, comparison)
    } catch let error as TranscriptError {
      if isWriting { return write(use, hasFailed) }
      return "The transcript can't be read: \(url.path), \(error)\nFix it, or write it anew: \(command)"
    } catch {
      return "The transcript can't be read from \(url.path): \(error.localizedDescription)"
    }
  }

  private func problem(_ comparison: TranscriptComparison, _ use: TranscriptUse, _ note: RunNote) -> String? {
    guard !comparison.isEqual else {
      let heading = "It isn't certain that the test's requests are all that \(place) is compared with."
      return use.doubts.isEmpty ? nil : ([heading] + use.doubts).lines
    }
    // What differs from run to run is known after two runs.
    let cure =
      note.writtenOnce == nil || !comparison.missing.isEmpty || !comparison.surplus.isEmpty
      ? "If this is right, write \(url.path) anew: \(command)"
      : "One run has written \(url.path). If these values differ from run to run, write it a second time: \(command)"
    return (comparison.report(place, hiding: use.secrets) + use.doubts + [cure]).lines
  }

  private func checkMissing(_ use: TranscriptUse, _ isWriting: Bool, _ hasFailed: Bool) -> String? {
    if isWriting { return write(use, hasFailed) }
    return """
      The test has no transcript, and made \(use.actual.count.requests). There is no file \(url.path). To write it, run
          \(command)
      """
  }

  /// - Parameters:
  ///   - earlier: The note of the file so far.
  ///   - comparison: With the file so far.
  private func write(
    _ use: TranscriptUse, _ hasFailed: Bool, _ earlier: RunNote = RunNote(), _ comparison: TranscriptComparison? = nil
  ) -> String? {
    guard !hasFailed else {
      TranscriptFiles.say("\(place) was not written, because its test failed.")
      return nil
    }
    let draft = TranscriptDraft(use.actual, hiding: use.secrets, after: earlier, comparison, on: use.machine)
    let text = use.actual.isEmpty ? "# No requests\n" : draft.fileText
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // Writing a file in one step replaces a link, so the file behind it is written.
      let target = url.followingLinks
      if let old = try? Data(contentsOf: target), old.elementsEqual(text.utf8) { return nil }
      try Data(text.utf8).write(to: target, options: .atomic)
    } catch {
      return "The transcript can't be written to \(url.path): \(error.localizedDescription)"
    }
    var lines = ["wrote \(url.path): \(use.actual.count.requests)"]
    if let comparison, !comparison.isEqual { lines += comparison.report("its earlier text", hiding: use.secrets) }
    if draft.note.writtenOnce != nil {
      lines.append("Write it a second time, so that it knows what differs from run to run.")
    }
    TranscriptFiles.say(lines.lines)
    return nil
  }
}

extension URL {
  /// The file behind symbolic links, which need not exist yet.
  fileprivate var followingLinks: URL {
    var url = self
    for _ in 0..<32 {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else { break }
      url = URL(fileURLWithPath: target, relativeTo: url.deletingLastPathComponent()).absoluteURL
    }
    return url
  }
}
