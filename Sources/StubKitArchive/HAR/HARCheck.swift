import Foundation
import StubKitFormats

extension HTTPArchive {
  /// Returns everything that is wrong with an HTTP Archive by the specification of HAR 1.2, in the order of the file.
  ///
  /// ```swift
  /// for problem in HTTPArchive.problems(in: try Data(contentsOf: url), file: url.lastPathComponent) { print(problem) }
  /// // users.har, entry 3, line 120: "request.url" is missing. HAR 1.2 requires it. Add a string.
  /// ```
  ///
  /// ``init(_:)`` reads more than HAR 1.2 allows: many tools leave something out, or add fields of their own.
  ///
  /// - Parameters:
  ///   - data: The contents of a file.
  ///   - file: The name of the file, for the messages.
  public static func problems(in data: Data, file: String? = nil) -> [HTTPArchiveError] {
    data.withUnsafeBytes { bytes in
      let utf8 = bytes.bindMemory(to: UInt8.self)
      if let problem = HTTPArchiveError.noText(utf8, file: file) { return [problem] }
      var check = HARCheck(file: file)
      check.run(utf8)
      return check.problems
    }
  }
}

/// Compares a file with the table of HAR 1.2.
private struct HARCheck {
  let file: String?
  private(set) var problems: [HTTPArchiveError] = []
  /// The number of the current entry, from 1.
  private var entry: Int?
  private var lines = LineTable()

  init(file: String?) { self.file = file }

  mutating func run(_ utf8: UnsafeBufferPointer<UInt8>) {
    var scanner = JSONScanner(utf8)
    do {
      var hasLog = false
      let isObject = try scanner.members { scanner, key in
        guard case "log" = key else { return try scanner.skip() }
        hasLog = true
        try check(.log, at: "log", &scanner)
      }
      if !isObject || !hasLog {
        add(
          0, "The file is JSON, but not an HTTP Archive: it has no object \"log\".", "Choose the .har file itself.",
          scanner)
      }
      _ = try scanner.next()
    } catch let error as JSONProblem {
      problems.append(HTTPArchiveError(error, scanner, file: file, entry: entry))
    } catch {
      // The scanner throws no other errors.
    }
  }

  private mutating func check(_ schema: HARSchema, at path: String, _ scanner: inout JSONScanner) throws {
    let start = scanner.nextPosition()
    if case .object(let fields) = schema { return try checkObject(fields, at: path, start, &scanner) }
    if case .array(let element) = schema { return try checkArray(of: element, at: path, start, &scanner) }
    let token = try scanner.next()
    switch (schema, token) {
    case (.string, .string(let text)):
      if path == "log.version", !["1.1", "1.2"].contains(text.text) {
        add(start, "\"\(path)\" is \"\(text.text)\".", "HAR 1.2 requires \"1.2\".", scanner)
      } else if path == "response.content.encoding", !["", "base64"].contains(text.text) {
        add(start, "\"\(path)\" is \"\(text.text)\".", "Write \"base64\", or leave it out for text.", scanner)
      }
    case (.date, .string(let text)):
      if HARDate.date(text.text) == nil {
        add(
          start, "\"\(path)\" is \"\(text.text.prefix(60))\", which is not an ISO 8601 date.",
          "Write it as 2026-03-01T12:30:00.000Z.", scanner)
      }
    case (.url, .string(let text)):
      if text.text.isEmpty || URL(archived: text.text) == nil {
        add(
          start, "\"\(path)\" is \"\(text.text.prefix(200))\", which is not a valid URL.", "Write an absolute URL.",
          scanner)
      }
    case (.duration, .number(let range)):
      if scanner.utf8[range.lowerBound] == UInt8(ascii: "-") {
        add(start, "\"\(path)\" is negative.", "Write 0 for an unknown time.", scanner)
      }
    case (.number, .number), (.bool, .bool): break
    case (.anyObject, .beginObject): try scanner.skipRest(of: token)
    default:
      try scanner.skipRest(of: token)
      addWrongType(start, token, schema, at: path, scanner)
    }
  }

  private mutating func checkObject(
    _ fields: [HARField], at path: String, _ start: Int, _ scanner: inout JSONScanner
  ) throws {
    // A message names the entry by its number, so paths begin inside the entry.
    let prefix = path == "entry" ? "" : path + "."
    var seen: Set<String> = []
    let token = try scanner.next()
    guard case .beginObject = token else {
      try scanner.skipRest(of: token)
      return addWrongType(start, token, .anyObject, at: path, scanner)
    }
    while case .key(let key) = try scanner.next() {
      let name = key.text
      if !seen.insert(name).inserted {
        add(key.start, "\"\(prefix)\(name)\" occurs twice in its object.", "Remove one of them.", scanner)
      }
      guard let field = fields.first(where: { $0.name == name }) else {
        if name != "comment", !name.hasPrefix("_") {
          add(
            key.start, "\"\(prefix)\(name)\" is not a field of HAR 1.2.",
            "Names of other fields begin with an underscore.", scanner)
        }
        try scanner.skip()
        continue
      }
      let position = scanner.nextPosition()
      if !field.isRequired, scanner.utf8[position...].starts(with: "null".utf8) {
        try scanner.skip()
      } else {
        try check(field.schema, at: prefix + name, &scanner)
      }
    }
    for field in fields where field.isRequired && !seen.contains(field.name) {
      add(
        start, "\"\(prefix)\(field.name)\" is missing.", "HAR 1.2 requires it. Add \(field.schema.name).", scanner)
    }
    if path == "request.postData", !seen.contains("params"), !seen.contains("text") {
      add(start, "\"\(path)\" has no \"text\" and no \"params\".", "Add one of them.", scanner)
    }
  }

  private mutating func checkArray(
    of element: HARSchema, at path: String, _ start: Int, _ scanner: inout JSONScanner
  ) throws {
    let isOfEntries = path == "log.entries"
    var number = 0
    guard scanner.current == UInt8(ascii: "[") else {
      let token = try scanner.next()
      try scanner.skipRest(of: token)
      return addWrongType(start, token, .array(element), at: path, scanner)
    }
    try scanner.elements { scanner in
      number += 1
      if isOfEntries { entry = number }
      try check(element, at: isOfEntries ? "entry" : "\(path)[\(number - 1)]", &scanner)
    }
    if isOfEntries { entry = nil }
  }

  private mutating func addWrongType(
    _ position: Int, _ token: JSONScanner.Token, _ schema: HARSchema, at path: String, _ scanner: JSONScanner
  ) {
    add(position, "\"\(path)\" is \(token.name).", "HAR 1.2 requires \(schema.name).", scanner)
  }

  private mutating func add(_ position: Int, _ problem: String, _ remedy: String, _ scanner: JSONScanner) {
    let line = lines.line(of: position, in: scanner.utf8)
    problems.append(HTTPArchiveError(file: file, entry: entry, line: line, problem: problem, remedy: remedy))
  }
}

/// The line of each position in a text. The text is read once, when the first line is asked for.
private struct LineTable {
  private var ends: [Int]?

  mutating func line(of position: Int, in utf8: UnsafeBufferPointer<UInt8>) -> Int {
    var position = position
    while position < utf8.count, utf8[position] == UInt8(ascii: ",") || utf8[position] <= 0x20 { position += 1 }
    let ends = ends ?? utf8.indices.filter { utf8[$0] == UInt8(ascii: "\n") }
    self.ends = ends
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] < position { low = middle + 1 } else { high = middle }
    }
    return low + 1
  }
}

extension JSONScanner.Token {
  /// The kind of the token, with an article.
  fileprivate var name: String {
    switch self {
    case .beginObject, .endObject, .key: "an object"
    case .beginArray, .endArray: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool(let value): value ? "true" : "false"
    case .null: "null"
    case .end: "nothing"
    }
  }
}
