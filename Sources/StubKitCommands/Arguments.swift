import Foundation
import StubKitRecorder

/// The words after a command. Options are taken out one after another.
struct Arguments {
  private var words: [String]
  /// The words after `--`, which are no options.
  private let plainWords: [String]

  init(_ words: some Sequence<String>) {
    let parts = Array(words).split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)
    self.words = Array(parts[0])
    plainWords = parts.dropFirst().flatMap(Array.init)
  }

  /// Returns whether the words contain an option without a value, and removes it.
  mutating func takeFlag(_ name: String) -> Bool {
    let count = words.count
    words.removeAll { $0 == name }
    return words.count < count
  }

  /// Returns the values of an option, one for each time that it appears, and removes them. `--name value` and
  /// `--name=value` are the same.
  mutating func takeValues(_ name: String, what: String) throws(UsageMistake) -> [String] {
    var values: [String] = []
    while let position = words.firstIndex(where: { $0 == name || name.hasPrefix("--") && $0.hasPrefix(name + "=") }) {
      let joined = words.remove(at: position).cut(at: "=").map { String($0.after) }
      let next = words.dropFirst(position).first.flatMap { $0.hasPrefix("--") ? nil : $0 }
      guard let value = joined ?? next, !value.isEmpty else { throw UsageMistake("\(name) needs \(what) after it.") }
      if joined == nil { words.remove(at: position) }
      values.append(value)
    }
    return values
  }

  /// Returns the value of an option that can appear once, and removes it.
  mutating func takeValue(_ names: String..., what: String) throws(UsageMistake) -> String? {
    var values: [String] = []
    for name in names { values += try takeValues(name, what: what) }
    try require(values.count <= 1, "\(names.joined(separator: " or ")) appears more than once.")
    return values.first
  }

  /// Returns the number after `--port`.
  mutating func takePort() throws(UsageMistake) -> Int? {
    guard let text = try takeValue("--port", what: "a number") else { return nil }
    guard let port = Int(text), (1...65_535).contains(port) else {
      throw UsageMistake("--port \(text) is not a port, which is a number from 1 to 65535.")
    }
    return port
  }

  /// Returns the remaining words. Before `--`, none can look like an option.
  consuming func rest() throws(UsageMistake) -> [String] {
    if let option = words.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
      throw UsageMistake("There is no option \(option).")
    }
    return words + plainWords
  }

  /// Returns the remaining words, which must be files, or `-` for standard input.
  consuming func files() throws(UsageMistake) -> [InputFile] {
    let words = try rest()
    try require(!words.isEmpty, "Pass a file, or - for standard input.")
    try require(words.count { $0 == "-" } <= 1, "- appears more than once.")
    return words.map { InputFile($0) }
  }
}

/// A file that a command reads, or standard input.
struct InputFile {
  /// `nil` for standard input.
  let url: URL?

  init(_ word: String) { url = word == "-" ? nil : URL(fileURLWithPath: word) }

  /// The name for messages.
  var name: String { url?.lastPathComponent ?? "standard input" }

  func document(_ console: Console) throws -> ArchiveDocument {
    let document = try ArchiveDocument(try read(console), name: name, source: url)
    for problem in document.archive.problems { console.warn(problem.description.withoutControls) }
    return document
  }

  private func read(_ console: Console) throws -> Data {
    do {
      guard let url else { return try console.read() }
      return try Data(contentsOf: url)
    } catch {
      throw FileProblem("\(url?.path ?? name) can't be read: \(url.flatMap(FileProblem.reading) ?? error.sentence)")
    }
  }
}
