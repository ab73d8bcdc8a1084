import Foundation
import StubKit

/// Reads a transcript line by line.
struct TranscriptReader {
  private let lines: [String]
  private let methods: Set<String>
  private var position = 0
  private(set) var requests: [TranscribedRequest] = []
  private(set) var once: [String: String] = [:]

  /// The largest number of requests in a transcript.
  private static let limit = 100_000

  init(_ text: String, methods: Set<String>) {
    let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    // Git can give a file the line ends of Windows.
    lines = text.pieces(at: "\n").map { $0.utf8.last == 0x0D ? String($0.utf8.dropLast()) ?? "" : String($0) }
    self.methods = methods
  }

  mutating func read() throws {
    for (index, line) in lines.enumerated() where line.has("{") && !line.hasPrefix("#") {
      do { _ = try ValuePattern.pieces(of: line) } catch let problem as ValuePattern.Problem {
        throw error(problem.sentence, line: index, offset: problem.offset)
      }
    }
    while try readRequest() {}
  }

  private func error(_ problem: String, line: Int? = nil, offset: Int = 0) -> TranscriptError {
    let line = min(line ?? position, lines.count - 1)
    let column = lines[line].utf8.prefix(offset).count { $0 & 0xC0 != 0x80 } + 1
    return TranscriptError(line: line + 1, column: column, problem: problem)
  }

  private func isBlank(_ line: String) -> Bool { line.utf8.allSatisfy(\.isWhiteSpace) }

  /// Returns `false` at the end.
  private mutating func readRequest() throws -> Bool {
    var request = TranscribedRequest()
    var count = 1
    while position < lines.count, isBlank(lines[position]) || isComment(lines[position]) {
      let line = lines[position]
      if line.hasPrefix("###"), let digits = line.firstMatch(of: /^###\s*[×x]\s*(\S+)\s*$/)?.1 {
        guard let number = Int(digits), number > 0, requests.count + number <= Self.limit else {
          throw error("expected a number of equal requests, as in ### ×4.", offset: line.utf8.count - digits.utf8.count)
        }
        count = number
      }
      try readComment(line, of: &request)
      position += 1
    }
    guard position < lines.count else { return false }
    try readTarget(of: &request)
    while position < lines.count, !isBlank(lines[position]), !isEnd(lines[position]) {
      let line = lines[position]
      if isComment(line) {
        try readComment(line, of: &request)
      } else {
        guard let (name, value) = line.cut(at: ":"), !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
          throw error(
            "expected a header such as Accept: text/plain, a blank line before the body, or the next request.")
        }
        request.fields.append(.init(name: String(name), value: String(value.withoutOuterSpace)))
      }
      position += 1
    }
    request.body = try readBody(of: request)
    requests += repeatElement(request, count: count)
    return true
  }

  private func isComment(_ line: String) -> Bool { line.hasPrefix("#") || line.hasPrefix("//") }

  /// Returns whether a line ends a head: it begins another request, or comes between two.
  private func isEnd(_ line: String) -> Bool {
    line.hasPrefix("###") || TranscriptText.isRequest(line, methods: methods)
  }

  private mutating func readComment(_ line: String, of request: inout TranscribedRequest) throws {
    if line == TranscriptText.redirect { request.isRedirected = true }
    if line.hasPrefix(TranscriptText.timeout) {
      let seconds = String(line.dropFirst(TranscriptText.timeout.count))
      guard let number = Double(seconds), number > 0 else {
        throw error("expected a number of seconds, as in # timeout 60.", offset: TranscriptText.timeout.utf8.count)
      }
      request.timeout = seconds
    }
    if line.hasPrefix(TranscriptText.onceHeading) {
      for note in line.matches(of: /\{\{([A-Za-z0-9_-]+)\}\} ([0-9a-f]{16})/) { once[String(note.1)] = String(note.2) }
    }
  }

  private mutating func readTarget(of request: inout TranscribedRequest) throws {
    let line = lines[position]
    let (method, rest) = line.cut(at: " ") ?? (line[...], "")
    guard methods.contains(String(method)) else {
      throw error(
        "expected a method and a URL, as in GET https://api.example.com/users, and \(String(method).middle(30).debugDescription) "
          + "is no method.")
    }
    request.method = String(method)
    var target = String(rest.withoutOuterSpace)
    if let version = target.firstMatch(of: #/\s+HTTP/[0-9.]+$/#) { target.removeSubrange(version.range) }
    guard !target.isEmpty else { throw error("expected a URL after \(method).", offset: line.utf8.count) }
    if let space = target.place(of: " "), !target.hasBraces {
      throw error("expected no blank in a URL. Write %20.", offset: method.utf8.count + 1 + target[..<space].utf8.count)
    }
    position += 1
    // A long query can go on in further lines, as in other tools.
    while position < lines.count, lines[position].hasPrefix(" "),
      let first = lines[position][...].withoutOuterSpace.first, "?&".contains(first)
    {
      target += lines[position][...].withoutOuterSpace
      position += 1
    }
    let pieces = target.pieces(outsideOfPlaceholdersAt: "?", most: 2)
    request.url = pieces[0]
    request.items = pieces.count > 1 ? pieces[1].pieces(outsideOfPlaceholdersAt: "&") : nil
  }

  // MARK: Bodies

  private mutating func readBody(of request: TranscribedRequest) throws -> TranscribedBody {
    while position < lines.count, isBlank(lines[position]) { position += 1 }
    guard position < lines.count, !isEnd(lines[position]) else { return .none }
    let start = position
    while position < lines.count, !lines[position].hasPrefix("###") { position += 1 }
    let type = request.header("Content-Type")
    if let boundary = type.flatMap(MultipartBody.boundary(ofContentType:)), lines[start].hasPrefix("--\(boundary)") {
      return try multipart(start..<position, boundary)
    }
    return try body(start..<position, type ?? (request.method == "POST" ? TranscribedRequest.form : nil))
  }

  private func body(_ range: Range<Int>, _ type: String?) throws -> TranscribedBody {
    var range = range
    while let last = range.last, isBlank(lines[last]) { range.removeLast() }
    guard let start = range.first else { return .none }
    let first = lines[start]
    if range.count == 1, first.hasPrefix("<"), first.hasSuffix(">"),
      first.hasPrefix("<not kept") || first.dropFirst().first.map({ $0.isNumber || $0 == "{" }) == true
    {
      return .bytes(first)
    }
    let other = lines[range].map { $0.hasPrefix("\\") && !$0.hasPrefix("\\{{") ? String($0.dropFirst()) : $0 }
    if first.hasPrefix("{") || first.hasPrefix("["), !first.hasPrefix("{{") {
      do { return .json(try StubJSON(parsing: lines[range].lines.quotingPlaceholders)) } catch let error
        as JSONSyntaxError
      {
        throw TranscriptError(
          line: start + error.line, column: error.column,
          problem: "expected JSON: \(error.problem). Text that begins as JSON does has a backslash in front.")
      }
    }
    let joined = other.joined()
    if TranscribedBody.isForm(type), !first.hasPrefix("\\"), other.dropFirst().allSatisfy({ $0.hasPrefix("&") }),
      joined.hasBraces || TranscribedBody.isForm(text: joined), joined.has("=")
    {
      return .form(joined.pieces(outsideOfPlaceholdersAt: "&"))
    }
    return .text(other.lines)
  }

  private func multipart(_ range: Range<Int>, _ boundary: String) throws -> TranscribedBody {
    let delimiter = "--\(boundary)"
    var (parts, problems): ([TranscribedBody.Part], [String]) = ([], [])
    var line = range.lowerBound
    while line < range.upperBound, lines[line] == delimiter {
      line += 1
      var part = TranscribedBody.Part()
      while line < range.upperBound, !isBlank(lines[line]), !lines[line].hasPrefix(delimiter) {
        if lines[line].hasPrefix("# ") {
          part.problems.append(String(lines[line].dropFirst(2)))
        } else {
          guard let (name, value) = lines[line].cut(at: ":") else {
            throw error("expected a header of the part, or a blank line before its body.", line: line)
          }
          part.fields.append(.init(name: String(name), value: String(value.withoutOuterSpace)))
        }
        line += 1
      }
      let start = min(line + 1, range.upperBound)
      line = start
      while line < range.upperBound, lines[line] != delimiter, lines[line] != "\(delimiter)--" { line += 1 }
      part.body = try body(start..<line, part.type)
      parts.append(part)
    }
    guard line < range.upperBound, lines[line] == "\(delimiter)--" else {
      throw error("expected \(delimiter)-- at the end of the parts.", line: min(line, range.upperBound - 1))
    }
    for line in lines[line + 1..<range.upperBound] where line.hasPrefix("# ") {
      problems.append(String(line.dropFirst(2)))
    }
    return .multipart(parts, problems: problems)
  }
}

extension String {
  /// Returns the pieces between delimiters that are in no placeholder.
  fileprivate func pieces(outsideOfPlaceholdersAt delimiter: Unicode.Scalar, most: Int = .max) -> [String] {
    guard hasBraces else {
      guard most == 2 else { return pieces(at: delimiter).map(String.init) }
      return cut(at: delimiter).map { [String($0.before), String($0.after)] } ?? [self]
    }
    let bytes = Array(utf8)
    var (pieces, start, position): ([String], Int, Int) = ([], 0, 0)
    while position < bytes.count {
      if bytes.hasBraces(at: position), position == 0 || bytes[position - 1] != UInt8(ascii: "\\"),
        let end = try? ValuePattern.placeholder(in: bytes, at: position).end
      {
        position = end
        continue
      }
      if bytes[position] == UInt8(ascii: delimiter), pieces.count < most - 1 {
        pieces.append(String(utf8: bytes[start..<position]))
        start = position + 1
      }
      position += 1
    }
    return pieces + [String(utf8: bytes[start...])]
  }

  /// A JSON text whose placeholders are strings, or in strings: `{"id": {{id:\d+}}}`.
  fileprivate var quotingPlaceholders: String {
    guard hasBraces else { return self }
    let bytes = Array(utf8)
    var (text, isInString, backslashes, position): ([UInt8], Bool, Int, Int) = ([], false, 0, 0)
    while position < bytes.count {
      let byte = bytes[position]
      if bytes.hasBraces(at: position), backslashes == 0,
        let (placeholder, end) = try? ValuePattern.placeholder(in: bytes, at: position)
      {
        let quoted = placeholder.source.quotedAsJSON.utf8
        text +=
          isInString
          ? Array(quoted.dropFirst().dropLast()) : Array("\"\(TranscribedBody.bare)".utf8) + quoted.dropFirst()
        position = end
        continue
      }
      // JSON has no escape for a brace.
      if bytes.hasBraces(at: position), isInString, backslashes % 2 == 1 { text.append(UInt8(ascii: "\\")) }
      if byte == UInt8(ascii: "\""), backslashes % 2 == 0 { isInString.toggle() }
      backslashes = byte == UInt8(ascii: "\\") ? backslashes + 1 : 0
      text.append(byte)
      position += 1
    }
    return String(utf8: text)
  }
}
