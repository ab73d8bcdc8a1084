import Foundation
import StubKit
import StubKitTesting

/// The transcripts that the tests of this process have, to name the files of tests and cases that are gone.
enum TranscriptFiles {
  /// The value of `STUBKIT_TRANSCRIPTS`, except in StubKit's own tests.
  @TaskLocal static var mode = ProcessInfo.processInfo.environment["STUBKIT_TRANSCRIPTS"]

  /// Writes to standard error, except in StubKit's own tests.
  @TaskLocal static var say: @Sendable (String) -> Void = RunningTest.tell

  /// How much later it is than the clock says, in StubKit's own tests.
  @TaskLocal static var timePassed: TimeInterval = 0

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
  /// the source files beside the folder. Of a test that has run, all cases have.
  static func leftovers(besides files: [TranscriptFile]) -> [URL] {
    let used = Set(files.map(\.url.path))
    return Dictionary(grouping: files, by: \.folder.path).sorted { $0.key < $1.key }.flatMap { path, files -> [URL] in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      let unused = names.filter { $0.hasSuffix(".http") && !used.contains("\(path)/\($0)") }.sorted()
      let tests = Set(files.map { CaseNames.fileName($0.testCase.names) })
      let declared = unused.isEmpty ? "" : declarations(in: files[0].sources)
      return unused.filter { name in
        let pieces = name.dropLast(5).pieces(at: ".").map(String.init)
        let hasRun = pieces.indices.dropFirst().contains { tests.contains(pieces[..<$0].joined(separator: ".")) }
        return hasRun || !isDeclared(pieces, in: declared)
      }.map { files[0].folder.appendingPathComponent($0) }
    }
  }

  /// The words of the source files of a folder, with a blank before and after each.
  private static func declarations(in folder: URL) -> String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let texts = names.filter { $0.hasSuffix(".swift") }.compactMap {
      try? String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
    }
    let isInWord = { (byte: UInt8) in byte.isInName || byte >= 0x80 }
    return " \(texts.lines.utf8.split { !isInWord($0) }.map { String(utf8: $0) }.joined(separator: " ")) "
  }

  /// Returns whether source files can declare a test of this name, with or without a case behind it.
  private static func isDeclared(_ pieces: [String], in words: String) -> Bool {
    func has(_ keyword: String, _ piece: String) -> Bool {
      // A name with a hash doesn't say what was declared.
      piece.has("~") || words.range(of: " \(keyword) \(piece) ", options: .literal) != nil
    }
    return pieces.indices.contains { index in
      has("func", pieces[index])
        && pieces[..<index].allSatisfy { piece in
          ["struct", "class", "actor", "enum", "extension"].contains { has($0, piece) }
        }
    }
  }
}
