import Foundation
import StubKitFormats

/// Reads an HTTP Archive entry by entry, so that a tree of the whole file is never in memory.
struct HARReader {
  /// The creator of archives that need no corrections.
  static let creator = "StubKit"

  /// The name of the file, for messages.
  let fileName: String?
  /// The folder that contains the files with bodies, or `nil` if it is unknown.
  let folder: URL?

  private var entries: [HTTPArchive.Entry] = []
  private var problems: [HTTPArchiveError] = []
  private var isOwn = false
  private var hasLog = false
  private var hasEntries = false
  /// The number of the current entry, from 1, or 0 outside of the entries.
  private var number = 0

  init(fileName: String?, folder: URL?) {
    self.fileName = fileName
    self.folder = folder
  }

  /// - Returns: The entries, and the problems of what was taken at its obvious meaning.
  func read(_ data: Data) throws -> (entries: [HTTPArchive.Entry], problems: [HTTPArchiveError]) {
    var reader = self
    let entries = try data.withUnsafeBytes { try reader.read($0.bindMemory(to: UInt8.self)) }
    return (entries, reader.problems)
  }

  private mutating func read(_ utf8: UnsafeBufferPointer<UInt8>) throws -> [HTTPArchive.Entry] {
    if let problem = HTTPArchiveError.noText(utf8, file: fileName) { throw problem }
    var scanner = JSONScanner(utf8)
    do {
      try scan(&scanner)
      _ = try scanner.next()
    } catch let error as JSONProblem {
      throw HTTPArchiveError(error, scanner, file: fileName, entry: number == 0 ? nil : number)
    } catch let key as DuplicateKey {
      throw error(
        scanner.line(at: key.position),
        "The key \(key.name.debugDescription) occurs twice in one object, and programs disagree about which of the two counts.",
        "Remove one of them.")
    }
    guard hasLog else {
      throw error(
        1, "The file is JSON, but not an HTTP Archive: it has no object \"log\".", "Choose the .har file itself.")
    }
    guard hasEntries else { throw error(1, "The log has no array \"entries\".", Self.exportAgain) }
    return entries.withPlausibleStarts
  }

  private static let exportAgain = "Export the archive again."

  private mutating func scan(_ scanner: inout JSONScanner) throws {
    try scanner.members { scanner, key in
      guard case "log" = key else { return try scanner.skip() }
      hasLog = try scanner.members { scanner, key in
        switch key {
        case "version": try scanVersion(&scanner)
        case "creator":
          try scanner.members { scanner, key in
            guard case "name" = key else { return try scanner.skip() }
            isOwn = try scanner.string()?.text == Self.creator
          }
        case "entries":
          hasEntries = try scanner.elements { try scanEntry(&$0) }
          number = 0
        default: try scanner.skip()
        }
      }
    }
  }

  private func scanVersion(_ scanner: inout JSONScanner) throws {
    let position = scanner.nextPosition()
    let token = try scanner.next()
    let version: String
    switch token {
    case .string(let string): version = string.text
    case .number(let range):
      version = String(decoding: UnsafeBufferPointer(rebasing: scanner.utf8[range]), as: UTF8.self)
    default:
      try scanner.skipRest(of: token)
      version = ""
    }
    // By the specification, an empty version means 1.1. Version 1.3 is a proposal that only adds to 1.2.
    guard ["", "1.1", "1.2", "1.3"].contains(version) else {
      throw error(
        scanner.line(at: position), "The archive has the version \"\(version)\", but StubKit reads 1.1 to 1.3.",
        "Export it as HAR 1.2.")
    }
  }

  private mutating func scanEntry(_ scanner: inout JSONScanner) throws {
    number += 1
    let position = scanner.nextPosition()
    do {
      let read = try HAREntry(scanning: &scanner)
      for problem in read.problems {
        let cure = "It was taken at its obvious meaning. Export the archive again, or correct it."
        problems.append(HTTPArchiveError(file: fileName, entry: number, problem: problem, remedy: cure))
      }
      entries.append(try HTTPArchive.Entry(read, isOwn: isOwn, folder: folder))
    } catch let problem as HAREntry.Problem {
      throw error(scanner.line(at: position), problem.sentence, "Export the archive again, or remove the entry.")
    }
  }

  private func error(_ line: Int, _ problem: String, _ remedy: String) -> HTTPArchiveError {
    HTTPArchiveError(
      file: fileName, entry: number == 0 ? nil : number, line: line, problem: problem, remedy: remedy)
  }
}

extension [HTTPArchive.Entry] {
  /// The entries, with the start of a neighbour for each one whose own start can't be read.
  fileprivate var withPlausibleStarts: [HTTPArchive.Entry] {
    guard contains(where: { $0.unreadableStart != nil }) else { return self }
    var entries = self
    var last = first { $0.unreadableStart == nil }?.startedAt ?? Date()
    for index in entries.indices {
      if let text = entries[index].unreadableStart {
        entries[index].startedAt = last
        entries[index].unreadableStart = text
      } else {
        last = entries[index].startedAt
      }
    }
    return entries
  }
}

extension JSONScanner {
  /// Returns the line of the value that begins at a position, or after the comma there.
  func line(at position: Int) -> Int {
    var start = position
    while start < utf8.count, utf8[start] == UInt8(ascii: ",") || utf8[start] <= 0x20 { start += 1 }
    return utf8[..<start].count { $0 == UInt8(ascii: "\n") } + 1
  }
}

extension HTTPArchiveError {
  /// - Parameter scanner: The scanner that found the problem, at the place of it.
  init(_ error: JSONProblem, _ scanner: JSONScanner, file: String?, entry: Int?) {
    let rest = scanner.utf8[scanner.position...]
    let (problem, remedy) =
      rest.starts(with: "<<<<<<<".utf8)
      ? ("The file has a merge conflict.", "Resolve it, or record the archive again.")
      : rest.isEmpty
        ? ("The file is cut off: \(error.problem).", "Export the archive again.")
        : ("The file is not valid JSON: at column \(error.column), \(error.problem).", "Export the archive again.")
    self.init(file: file, entry: entry, line: error.line, problem: problem, remedy: remedy)
  }

  /// Returns the problem of bytes that aren't text in UTF-8, or `nil` if they are.
  static func noText(_ utf8: UnsafeBufferPointer<UInt8>, file: String?) -> HTTPArchiveError? {
    func error(_ problem: String, _ remedy: String) -> HTTPArchiveError {
      HTTPArchiveError(file: file, problem: problem, remedy: remedy)
    }
    if utf8.isEmpty { return error("The file is empty.", "Export the archive again.") }
    if utf8.starts(with: "PK\u{3}\u{4}".utf8) {
      return error("The file is a ZIP archive.", "Unpack it, and read the .har file in it.")
    }
    if utf8.starts(with: [0x1F, 0x8B]) { return error("The file is compressed with gzip.", "Decompress it first.") }
    if utf8.starts(with: [0xFF, 0xFE]) || utf8.starts(with: [0xFE, 0xFF]) {
      return error("The file is in UTF-16, but an HTTP Archive must be in UTF-8.", "Save it in UTF-8.")
    }
    guard let invalid = utf8.firstInvalidUTF8 else { return nil }
    let line = utf8[..<invalid].count { $0 == UInt8(ascii: "\n") } + 1
    return HTTPArchiveError(
      file: file, line: line, problem: "The file is not valid UTF-8, which an HTTP Archive must be.",
      remedy: "Save it in UTF-8.")
  }
}
