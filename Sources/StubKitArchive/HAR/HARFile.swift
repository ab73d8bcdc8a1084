import Foundation
import StubKit

/// The text of an HTTP Archive, with the places of its parts, which are decoded one by one.
///
/// The whole text is checked, so that it has only one meaning: it is JSON, and no object has a key twice.
struct HARFile {
  struct Part {
    /// The number of the entry, from 1, or 0 for a member of the log or of the file.
    let entry: Int
    /// Where the member is, such as `log.pages`. Empty for an entry.
    let path: String
    /// The place in the text.
    let range: Range<Int>
  }

  let text: Data
  /// The name of the file, for messages.
  let name: String?
  private(set) var parts: [Part] = []
  /// The place of the text between the brackets of the entries.
  private(set) var placeOfEntries = 0..<0
  private var hasSurrogates = false

  init(_ text: Data, name: String?) throws {
    (self.text, self.name) = (text, name)
    try text.withUnsafeBytes { try scan($0.bindMemory(to: UInt8.self)) }
  }

  /// Returns the bytes of a part, with U+FFFD in the place of each half of a surrogate pair, which Foundation refuses.
  func bytes(of part: Part) -> Data {
    let bytes = text.dropFirst(part.range.lowerBound).prefix(part.range.count)
    guard hasSurrogates else { return bytes }
    return bytes.withUnsafeBytes { $0.bindMemory(to: UInt8.self).withoutLoneSurrogates } ?? bytes
  }

  /// Decodes the member of the log with a name. Returns `nil` if there is none, or if it is of another type.
  func member<Value: Decodable>(_ name: String, as type: Value.Type) -> (value: Value, part: Part)? {
    guard let part = parts.first(where: { $0.path == "log." + name }),
      let value = try? JSONDecoder().decode(type, from: bytes(of: part))
    else { return nil }
    return (value, part)
  }

  /// - Parameter position: The position in the text.
  func error(_ entry: Int, at position: Int, _ problem: String, _ remedy: String) -> HTTPArchiveError {
    let line = text.prefix(position).count { $0 == .newline } + 1
    return HTTPArchiveError(file: name, entry: entry > 0 ? entry : nil, line: line, problem: problem, remedy: remedy)
  }

  /// Throws an error for bytes that aren't text in UTF-8.
  private func requireText(_ utf8: UnsafeBufferPointer<UInt8>) throws {
    if utf8.isEmpty {
      throw HTTPArchiveError(file: name, problem: "The file is empty.", remedy: "Export the archive again.")
    }
    let utf16 = ("in UTF-16, but an HTTP Archive must be in UTF-8.", "Save it in UTF-8.")
    let others: [([UInt8], (String, String))] = [
      ([0x50, 0x4B, 3, 4], ("a ZIP archive.", "Unpack it, and read the .har file in it.")),
      ([0x1F, 0x8B], ("compressed with gzip.", "Decompress it first.")), ([0xFF, 0xFE], utf16), ([0xFE, 0xFF], utf16),
    ]
    for (start, (problem, remedy)) in others where utf8.starts(with: start) {
      throw HTTPArchiveError(file: name, problem: "The file is \(problem)", remedy: remedy)
    }
    guard let invalid = utf8.firstInvalidUTF8 else { return }
    throw error(0, at: invalid, "The file is not valid UTF-8, which an HTTP Archive must be.", "Save it in UTF-8.")
  }

  // MARK: Parts

  private mutating func scan(_ utf8: UnsafeBufferPointer<UInt8>) throws {
    try requireText(utf8)
    var scanner = JSONScanner(utf8)
    // The keys so far of each array or object around the position, and the last one of the file and of the log.
    var keys: [Set<String>] = []
    var path = ["", ""]
    // How deep the parts are: in the file, in its log, or in its entries. And how deep they were.
    var level = 1
    var deepest = 1
    var start = 0
    var count = 0
    func add(_ range: Range<Int>) {
      if level == 3 { count += 1 }
      parts.append(
        Part(
          entry: level == 3 ? count : 0, path: level == 3 ? "" : path.prefix(level).joined(separator: "."), range: range
        ))
    }
    do {
      scan: while true {
        let depth = scanner.depth
        switch try scanner.next() {
        case .key(let key):
          let name = key.text
          guard keys[depth - 1].insert(name).inserted else {
            throw error(
              level == 3 ? count + 1 : 0, at: key.start,
              "The key \(name.debugDescription) occurs twice in one object, and programs disagree about which of the two counts.",
              "Remove one of them.")
          }
          if depth < 3 { path[depth - 1] = name }
        case .beginObject where depth == 1 && level == 1 && path[0] == "log":
          keys.append([])
          (level, deepest) = (2, 2)
        case .beginArray where depth == 2 && level == 2 && path[1] == "entries":
          keys.append([])
          (level, deepest) = (3, 3)
          placeOfEntries = scanner.position..<scanner.position
        case .beginObject, .beginArray:
          keys.append([])
          if depth == level { start = scanner.start }
        case .endObject, .endArray:
          keys.removeLast()
          if scanner.depth == level { add(start..<scanner.position) }
          if scanner.depth == level - 1 {
            if level == 3 { placeOfEntries = placeOfEntries.lowerBound..<scanner.position - 1 }
            level = max(1, level - 1)
          }
        case .end: break scan
        case .string, .number, .bool, .null: if depth == level { add(scanner.start..<scanner.position) }
        }
      }
    } catch let problem as JSONSyntaxError {
      let rest = utf8[scanner.position...]
      let isConflict = rest.starts(with: "<<<<<<<".utf8)
      let kind = rest.isEmpty ? "cut off:" : "not valid JSON: at column \(problem.column),"
      throw HTTPArchiveError(
        file: name, entry: level == 3 ? count + 1 : nil, line: problem.line,
        problem: isConflict ? "The file has a merge conflict." : "The file is \(kind) \(problem.problem).",
        remedy: isConflict ? "Resolve it, or record the archive again." : "Export the archive again.")
    }
    guard deepest > 1 else {
      throw error(
        0, at: 0, "The file is JSON, but not an HTTP Archive: it has no object \"log\".", "Choose the .har file itself."
      )
    }
    guard deepest > 2 else { throw error(0, at: 0, "The log has no array \"entries\".", "Export the archive again.") }
    hasSurrogates = scanner.hasSurrogates
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The JSON text without halves of surrogate pairs, or `nil` if there is none.
  fileprivate var withoutLoneSurrogates: Data? {
    var scanner = JSONScanner(self)
    var edits = ByteEdits()
    while let token = try? scanner.next() {
      switch token {
      case .string(let string), .key(let string):
        if string.loneSurrogate != nil { edits.replace(string.range, with: string.text.quotedAsJSON.utf8) }
      case .end: return edits.isEmpty ? nil : edits.applied(to: self).data
      default: break
      }
    }
    return nil
  }
}
