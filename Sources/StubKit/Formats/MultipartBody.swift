import Foundation

/// A body in parts (RFC 2046, section 5.1), such as a form with files (RFC 7578).
package struct MultipartBody: Sendable {
  package struct Part: Sendable {
    /// The name in Content-Disposition, or `nil` if there is none.
    package let name: String?
    /// The name of the file in Content-Disposition, or `nil` if there is none.
    package let filename: String?
    /// The content type of the part, or `text/plain`, which is the default in RFC 7578.
    package let contentType: String
    package let body: Data

    /// Compares the type and the subtype, ignoring case, and the parameters only if `wanted` has some. `nil` is any.
    package func hasContentType(_ wanted: String?) -> Bool {
      guard let wanted else { return true }
      let actual = wanted.has(";") ? contentType[...] : contentType.cut(at: ";")?.before ?? contentType[...]
      return Self.normal(actual) == Self.normal(wanted)
    }

    private static func normal(_ contentType: some StringProtocol) -> String {
      let scalars = contentType.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "\"" }
      return String(String.UnicodeScalarView(scalars))
    }
  }

  package let parts: [Part]
  /// Whether a line `--boundary--` ends the parts, as RFC 2046 requires. Servers refuse a body without one.
  let isClosed: Bool
  /// Whether each delimiter and each line of a part's head ends with CR and LF, as RFC 2046 requires.
  private let hasLineBreaks: Bool

  /// Why servers refuse the body, or `nil`.
  var problem: String? {
    if !isClosed { return "no line ends the body with the boundary and --" }
    return hasLineBreaks ? nil : "its lines end with LF alone: write CR and LF, \"\\r\\n\" in Swift"
  }

  /// Returns the boundary in a Content-Type, or `nil` if it is not multipart. A boundary is on one line.
  package static func boundary(ofContentType header: String) -> String? {
    guard header.lowercased().starts(withBytesOf: "multipart/"), let boundary = HeaderParameters(header)["boundary"],
      !boundary.isEmpty, !boundary.utf8.contains(where: { $0.isLineBreak })
    else { return nil }
    return boundary
  }

  /// Reads every part that a delimiter opens. A part that nothing closes ends with the body. A delimiter begins a line,
  /// and only white space follows it, or the dashes of the last one.
  package init(parsing data: Data, boundary: String) {
    let delimiter = Array("--\(boundary)".utf8)
    var hasLineBreaks = true
    (parts, isClosed) = data.withUnsafeBytes { bytes in
      var parts = [Part]()
      var start: Int?
      var line = 0
      while line < bytes.count {
        let next = bytes.line(after: line)
        let rest = bytes[line..<next].dropFirst(delimiter.count)
        let isLast = rest.starts(with: "--".utf8)
        if bytes[line..<next].starts(with: delimiter), isLast || rest.allSatisfy(\.isWhiteSpace) {
          if line > 0, !bytes.hasLineBreak(at: line) { hasLineBreaks = false }
          if let start {
            // The line break before a delimiter belongs to the delimiter.
            var end = line
            if end > start, bytes[end - 1] == .newline { end -= 1 }
            if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            parts.append(Part(bytes, start..<end, of: data, &hasLineBreaks))
          }
          if isLast { return (parts, true) }
          if !bytes.hasLineBreak(at: next) { hasLineBreaks = false }
          start = next
        }
        line = next
      }
      return (parts + (start.map { [Part(bytes, $0..<bytes.count, of: data, &hasLineBreaks)] } ?? []), false)
    }
    self.hasLineBreaks = hasLineBreaks
  }
}

extension MultipartBody.Part {
  /// - Parameters:
  ///   - bytes: The bytes of the body.
  ///   - range: The range of the part in them.
  ///   - data: The body.
  ///   - hasLineBreaks: Becomes `false` if a line of the head doesn't end with CR and LF.
  fileprivate init(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, of data: Data, _ hasLineBreaks: inout Bool
  ) {
    var fields: [String: String] = [:]
    var head = range.lowerBound
    var start = range.lowerBound
    // A blank line ends the head.
    while start < range.upperBound, case let next = min(bytes.line(after: start), range.upperBound) {
      head = start
      start = next
      if start < range.upperBound, !bytes.hasLineBreak(at: start) { hasLineBreaks = false }
      if bytes[head..<start].allSatisfy(\.isLineBreak) { break }
      head = start
    }
    for line in bytes[range.lowerBound..<head].split(whereSeparator: \.isLineBreak) {
      guard let (name, value) = String(utf8: line).cut(at: ":") else { continue }
      fields[name.withoutOuterSpace.lowercased()] = String(value.withoutOuterSpace)
    }
    let disposition = fields["content-disposition"].map { HeaderParameters($0) }
    self.init(
      name: disposition?.text("name"), filename: disposition?.text("filename"),
      contentType: fields["content-type"] ?? "text/plain",
      body: data[data.startIndex + start..<data.startIndex + range.upperBound])
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether CR and LF stand before a position.
  fileprivate func hasLineBreak(at position: Int) -> Bool {
    position >= 2 && self[position - 2] == UInt8(ascii: "\r") && self[position - 1] == .newline
  }

  /// Returns the position of the next line, or the end.
  fileprivate func line(after start: Int) -> Int {
    guard let base = baseAddress, start < count,
      let found = memchr(base + start, CInt(UInt8.newline), count - start)
    else { return count }
    return UnsafeRawPointer(found) - base + 1
  }
}
