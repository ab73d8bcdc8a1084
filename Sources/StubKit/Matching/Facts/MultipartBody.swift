import Foundation

/// A body in parts (RFC 2046, section 5.1), as a form with files has it (RFC 7578).
struct MultipartBody: Sendable {
  struct Part: Sendable {
    /// From Content-Disposition; nil if it has none.
    let name: String?
    /// As the part has it, else `text/plain`, which RFC 7578 takes for granted.
    let contentType: String
    let body: Data

    /// Compares type and subtype, without case; parameters too if `wanted` has some. Nil is any.
    func hasContentType(_ wanted: String?) -> Bool {
      guard let wanted else { return true }
      let actual = wanted.contains(";") ? contentType : String(contentType.prefix { $0 != ";" })
      return Self.normal(actual) == Self.normal(wanted)
    }

    private static func normal(_ contentType: String) -> String {
      contentType.lowercased().filter { !$0.isWhitespace && $0 != "\"" }
    }
  }

  let parts: [Part]

  /// The boundary that a Content-Type names, or nil if it is not multipart.
  static func boundary(ofContentType header: String) -> String? {
    guard header.lowercased().hasPrefix("multipart/") else { return nil }
    return HeaderParameters(header)["boundary"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Takes every part that a delimiter opens; one that nothing closes ends with the body.
  init(parsing data: Data, boundary: String) {
    let delimiter = Data("--\(boundary)".utf8)
    var parts: [Part] = []
    var partStart: Data.Index?
    var position = data.startIndex
    while let found = data.range(of: delimiter, in: position..<data.endIndex) {
      position = found.upperBound
      let startsLine = found.lowerBound == data.startIndex || data[found.lowerBound - 1] == UInt8(ascii: "\n")
      guard startsLine, let lineEnd = Self.endOfDelimiter(data, after: found.upperBound) else { continue }
      if let start = partStart {
        parts.append(Part(data[start..<Self.withoutLineBreak(data, from: start, to: found.lowerBound)]))
      }
      partStart = nil
      if data[found.upperBound...].starts(with: Data("--".utf8)) { break }
      partStart = lineEnd
      position = lineEnd
    }
    if let partStart { parts.append(Part(data[partStart...])) }
    self.parts = parts
  }

  /// The start of the next line, or nil if more than white space follows, as in a longer boundary.
  private static func endOfDelimiter(_ data: Data, after index: Data.Index) -> Data.Index? {
    var index = index
    if data[index...].starts(with: Data("--".utf8)) { return index }
    while index < data.endIndex {
      switch data[index] {
      case UInt8(ascii: "\n"): return index + 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
      default: return nil
      }
    }
    return index
  }

  /// The line break before a delimiter belongs to the delimiter.
  private static func withoutLineBreak(_ data: Data, from start: Data.Index, to end: Data.Index) -> Data.Index {
    var end = end
    if end > start, data[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > start, data[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return end
  }
}

extension MultipartBody.Part {
  fileprivate init(_ data: Data) {
    let (head, body) = Self.split(data)
    var name: String?
    var contentType: String?
    for line in Self.lines(of: head) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      switch line[..<colon].trimmingCharacters(in: .whitespaces).lowercased() {
      case "content-disposition": name = HeaderParameters(value)["name"]
      case "content-type": contentType = value
      default: continue
      }
    }
    self.init(name: name, contentType: contentType ?? "text/plain", body: body)
  }

  /// The header fields; a line that begins with white space goes on with the one before it (RFC 5322, section 2.2.3).
  private static func lines(of head: Data) -> [String] {
    String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).reduce(into: []) { lines, line in
      if line.first == " " || line.first == "\t", let last = lines.indices.last {
        lines[last] += line
      } else {
        lines.append(String(line))
      }
    }
  }

  private static func split(_ data: Data) -> (head: Data, body: Data) {
    for lineBreak in ["\r\n", "\n"] where data.starts(with: Data(lineBreak.utf8)) {
      return (Data(), data.dropFirst(lineBreak.utf8.count))
    }
    let blankLines = ["\r\n\r\n", "\n\n"].compactMap { data.range(of: Data($0.utf8)) }
    if let blank = blankLines.min(by: { $0.lowerBound < $1.lowerBound }) {
      return (data[..<blank.lowerBound], data[blank.upperBound...])
    }
    return (data, Data())
  }
}
