import Foundation
import StubKit

/// Reads a transcript as ``TranscriptWriter`` writes it.
struct TranscriptReader {
  private(set) var requests: [TranscribedRequest] = []
  private let lines: [String]
  private let untranscribed: Set<NamedValue>

  /// - Parameter untranscribed: The header fields to leave out, with names in lower case.
  init(_ text: String, without untranscribed: Set<NamedValue> = []) throws {
    let bytes = text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? text.utf8.dropFirst(3) : text.utf8[...]
    lines = bytes.split(separator: .newline, omittingEmptySubsequences: false).map { line in
      String(utf8: line.last == 0x0D ? line.dropLast() : line)
    }
    self.untranscribed = untranscribed
    var start = 0
    while start < lines.count {
      var count = 1
      if isBorder(start) {
        count = try self.count(start)
        start += 1
      }
      let end = (start..<lines.count).first(where: isBorder) ?? lines.count
      if let request = try block(start..<end) { requests += repeatElement(request, count: count) }
      start = end
    }
  }

  /// Reads a file.
  init(_ data: Data, without untranscribed: Set<NamedValue>) throws {
    guard let text = String(validUTF8: data) else {
      let invalid = data.withUnsafeBytes { $0.bindMemory(to: UInt8.self).firstInvalidUTF8 } ?? 0
      throw TranscriptError("expected UTF-8.", line: data.prefix(invalid).count { $0 == .newline } + 1)
    }
    try self.init(text, without: untranscribed)
  }

  private func isBorder(_ index: Int) -> Bool { lines[index].starts(withBytesOf: "###") }

  private func isBlank(_ index: Int) -> Bool { lines[index].utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } }

  /// How often the request behind a border is made.
  private func count(_ index: Int) throws -> Int {
    let title = lines[index].dropFirst(3).drop { $0 == " " }
    guard title.first == "×" || title.first == "x" && title.dropFirst().first?.isNumber == true else { return 1 }
    guard let count = Int(title.dropFirst().filter { $0 != " " }), (1...100_000).contains(count) else {
      throw TranscriptError("expected a number of equal requests, as in ### ×4.", line: index + 1)
    }
    return count
  }

  /// Adds the line to an error. The errors of JSON count their lines themselves.
  private func at<Result>(_ index: Int, _ read: () throws -> Result) throws -> Result {
    do { return try read() } catch let error as TranscriptError {
      throw TranscriptError(error.problem, line: error.line + index + 1)
    }
  }

  private func block(_ range: Range<Int>) throws -> TranscribedRequest? {
    var (request, hasTarget, index) = (TranscribedRequest(), false, range.lowerBound)
    while index < range.upperBound, !hasTarget || !isBlank(index) {
      let line = lines[index]
      try at(index) {
        if line.starts(withBytesOf: "#") || line.starts(withBytesOf: "//") {
          try Self.readComment(line, &request)
        } else if hasTarget {
          request.fields.append(try Self.field(line, in: "of the request"))
        } else if !isBlank(index) {
          try Self.readTarget(line, &request)
          hasTarget = true
        }
      }
      index += 1
    }
    guard hasTarget else { return nil }
    let lines = withoutBlankEnds(index..<range.upperBound)
    let type = request.normalizeFields(hasBody: !lines.isEmpty, without: untranscribed)
    request.body = request.isRedirected ? .none : try body(lines, type)
    return request
  }

  private func withoutBlankEnds(_ range: Range<Int>) -> Range<Int> {
    var (first, end) = (range.lowerBound, range.upperBound)
    while first < end, isBlank(first) { first += 1 }
    while end > first, isBlank(end - 1) { end -= 1 }
    return first..<end
  }

  private static func readComment(_ line: String, _ request: inout TranscribedRequest) throws {
    if line == TranscriptWriter.redirect { request.isRedirected = true }
    if line.hasPrefix(TranscriptWriter.time) { request.time = String(line.dropFirst(TranscriptWriter.time.count)) }
    guard line.hasPrefix(TranscriptWriter.timeout) else { return }
    let timeout = String(line.dropFirst(TranscriptWriter.timeout.count))
    guard let seconds = Double(timeout), seconds > 0 else {
      throw TranscriptError("expected a number of seconds, as in # timeout 60.")
    }
    request.timeout = seconds == 60 ? nil : timeout
  }

  private static func readTarget(_ line: String, _ request: inout TranscribedRequest) throws {
    guard let (method, url) = line.cut(at: " "), !method.isEmpty, !url.isEmpty else {
      throw TranscriptError("expected a method and a URL, as in GET https://api.example.com/users.")
    }
    if url.has(" ") { throw TranscriptError("expected no blank in a URL. Write %20.") }
    request.method = try TranscribedText(reading: method).sent
    let address = url.cut(at: "?")?.before ?? url
    request.url = try address.pieces(at: "/").map { try TranscribedText(reading: $0) }
    request.items = try (url.cut(at: "?")?.after).map { try items($0) }
  }

  private static func items(_ text: some StringProtocol) throws -> [TranscribedRequest.Field] {
    try String(text).pieces(at: "&").map { item in
      guard let (name, value) = item.cut(at: "=") else { return .init(nil, try TranscribedText(reading: item)) }
      return .init(try self.name(name), try TranscribedText(reading: value))
    }.sortedByName
  }

  private static func name(_ source: Substring) throws -> String {
    let name = try TranscribedText(reading: source)
    guard name.isLiteral else { throw TranscriptError("\(source) is a name, which can't have a placeholder.") }
    return name.sent
  }

  private static func field(_ line: String, in place: String) throws -> TranscribedRequest.Field {
    guard let (name, value) = line.cut(at: ":") else {
      throw TranscriptError(
        "expected a header \(place), such as Accept: text/plain, a blank line before the body, or ### before the next "
          + "request.")
    }
    return .init(try self.name(name), try TranscribedText(reading: value.withoutOuterSpace))
  }

  // MARK: Bodies

  private func body(_ range: Range<Int>, _ type: String, isPart: Bool = false) throws -> TranscribedRequest.Body {
    guard !range.isEmpty else { return .none }
    switch BodyForm(lines[range], type, isPart: isPart) {
    case .placeholder, .text:
      return .text(try range.map { index in try at(index) { try TranscribedText(reading: lines[index]) } })
    case .bytes: return .bytes(TranscribedBytes(source: lines[range.lowerBound]))
    case .form: return .form(try at(range.lowerBound) { try Self.items(lines[range].joined()) })
    case .multipart: return .multipart(try parts(range))
    case .json:
      return .json(
        try at(range.lowerBound) { try TranscribedJSON(parsing: Array(lines[range].lines.utf8), hasPlaceholders: true) }
      )
    }
  }

  private func parts(_ range: Range<Int>) throws -> [TranscribedRequest.Part] {
    let delimiter = ExactString(lines[range.lowerBound])
    guard let end = range.last(where: { ExactString(lines[$0]) == ExactString(delimiter.string + "--") }) else {
      throw TranscriptError("expected \(delimiter.string)-- at the end of the parts.", line: range.upperBound)
    }
    let starts = (range.lowerBound..<end).filter { ExactString(lines[$0]) == delimiter } + [end]
    return try zip(starts, starts.dropFirst()).map { start, end in
      var part = TranscribedRequest.Part()
      let blank = (start + 1..<end).first(where: isBlank) ?? end
      part.fields = try (start + 1..<blank).map { index in
        try at(index) { try Self.field(lines[index], in: "of a part") }
      }
      let type = part.fields.value(of: "content-type")?.source() ?? ""
      part.body = try body(withoutBlankEnds(min(blank + 1, end)..<end), type, isPart: true)
      return part
    }
  }
}
