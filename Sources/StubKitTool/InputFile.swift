import Foundation
import StubKitArchive
import StubKitCommandLine

/// A file that a command reads, or standard input.
struct InputFile {
  /// `nil` for standard input.
  let url: URL?

  init(_ word: String) { url = word == "-" ? nil : URL(fileURLWithPath: word) }

  /// The name for messages.
  var name: String { url?.lastPathComponent ?? "standard input" }

  func read(_ console: Console) throws -> Data {
    do {
      guard let url else { return try console.read() }
      return try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw FileProblem(
        "\(url?.path ?? name) can't be read: \(url.flatMap(FileProblem.reading) ?? FileProblem.reason(error))")
    }
  }

  func document(_ console: Console) throws -> ArchiveDocument {
    let document = try ArchiveDocument(try read(console), name: name, source: url)
    for problem in document.archive.problems { console.warn(problem.description.withoutControls) }
    return document
  }
}

extension Arguments {
  /// Returns the remaining words, which must be files, or `-` for standard input.
  consuming func files() throws(Mistake) -> [InputFile] {
    let words = try rest()
    guard !words.isEmpty else { throw Mistake("Pass a file, or - for standard input.") }
    guard words.count(where: { $0 == "-" }) <= 1 else { throw Mistake("- appears more than once.") }
    return words.map { InputFile($0) }
  }

  /// Returns the remaining word, which must be one file, or `-` for standard input.
  consuming func file() throws(Mistake) -> InputFile {
    let files = try files()
    guard files.count == 1 else { throw Mistake("Pass one file, not \(files.count).") }
    return files[0]
  }
}
