import Foundation

/// A body in parts (RFC 2046, section 5.1), such as a form with files (RFC 7578).
package struct MultipartBody: Sendable {
  package struct Part: Sendable {
    /// The name in Content-Disposition, or `nil` if there is none.
    package let name: String?
    /// The name of the file in Content-Disposition, or `nil` if there is none.
    package let filename: String?
    /// The Content-ID (RFC 2045, section 7), by which formats other than forms name a part.
    package let contentID: String?
    /// The content type of the part, or `text/plain`, which is the default in RFC 7578.
    package let contentType: String
    package let body: Data

    /// Compares the type and the subtype, ignoring case, and the parameters only if `wanted` has some. `nil` matches
    /// any type.
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

  /// Returns the boundary in a Content-Type, or `nil` if it is not multipart. A boundary is on one line.
  package static func boundary(ofContentType header: String) -> String? {
    guard header.lowercased().starts(withBytesOf: "multipart/"), let boundary = HeaderParameters(header)["boundary"],
      !boundary.isEmpty, !boundary.utf8.contains(where: { $0.isLineBreak })
    else { return nil }
    return boundary
  }

  /// Reads every part that a delimiter opens. A part that nothing closes ends with the body.
  package init(parsing data: Data, boundary: String) {
    parts = data.withUnsafeBytes { bytes in
      MultipartScanner(bytes: bytes, delimiter: Array("--\(boundary)".utf8)).parts.map { part in
        Part(bytes[part], in: data[(data.startIndex + part.lowerBound)..<(data.startIndex + part.upperBound)])
      }
    }
  }
}

/// Finds the parts of a body line by line. A delimiter begins a line and is not longer than one, so each byte is
/// examined only a few times.
private struct MultipartScanner {
  // Safe because no scanner leaves the closure in which its caller has the buffer.
  let bytes: UnsafeRawBufferPointer
  let delimiter: [UInt8]

  /// The range of each part, from the line after its delimiter to the line break before the next one.
  var parts: [Range<Int>] {
    var parts: [Range<Int>] = []
    var partStart: Int?
    var line = 0
    while line < bytes.count {
      let next = bytes.line(after: line)
      if let isLast = delimiter(in: line..<next) {
        if let start = partStart { parts.append(start..<withoutLineBreak(from: start, to: line)) }
        partStart = isLast ? nil : next
        if isLast { break }
      }
      line = next
    }
    if let partStart { parts.append(partStart..<bytes.count) }
    return parts
  }

  /// Returns whether the line is the last delimiter, or `nil` if it isn't a delimiter because more than white space
  /// follows the boundary.
  private func delimiter(in line: Range<Int>) -> Bool? {
    guard bytes[line].starts(with: delimiter) else { return nil }
    let rest = bytes[line].dropFirst(delimiter.count)
    if rest.starts(with: "--".utf8) { return true }
    return rest.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0.isLineBreak } ? false : nil
  }

  /// The line break before a delimiter belongs to the delimiter.
  private func withoutLineBreak(from start: Int, to end: Int) -> Int {
    var end = end
    if end > start, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return end
  }
}

extension MultipartBody.Part {
  /// - Parameters:
  ///   - bytes: The part.
  ///   - data: The same part, as data.
  fileprivate init(_ bytes: Slice<UnsafeRawBufferPointer>, in data: Data) {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    let (head, bodyStart) = Self.head(of: bytes)
    var disposition: HeaderParameters?
    var (contentType, contentID): (String?, String?)
    for line in Self.lines(of: head) {
      guard let (field, value) = line.cut(at: ":") else { continue }
      let content = String(value.withoutOuterSpace)
      switch field.withoutOuterSpace.lowercased() {
      case "content-disposition": disposition = HeaderParameters(content)
      case "content-type": contentType = content
      case "content-id": contentID = content
      default: continue
      }
    }
    self.init(
      name: disposition?.text("name"), filename: disposition?.text("filename"), contentID: contentID,
      contentType: contentType ?? "text/plain", body: data.dropFirst(bodyStart))
  }

  /// Returns the header fields. A line that begins with white space continues the one before it (RFC 5322, section
  /// 2.2.3).
  private static func lines(of head: Slice<UnsafeRawBufferPointer>) -> [String] {
    var lines: [[UInt8]] = []
    for line in head.split(whereSeparator: \.isLineBreak) {
      if line.first == 0x20 || line.first == 0x09, !lines.isEmpty {
        lines[lines.count - 1] += line
      } else {
        lines.append(Array(line))
      }
    }
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns what precedes the first blank line, and the position of the body after it.
  private static func head(of bytes: UnsafeRawBufferPointer) -> (head: Slice<UnsafeRawBufferPointer>, bodyStart: Int) {
    for lineBreak in ["\r\n", "\n"] where bytes.starts(with: lineBreak.utf8) {
      return (bytes[..<0], lineBreak.utf8.count)
    }
    var line = 0
    while line < bytes.count {
      line = bytes.line(after: line)
      // Two line breaks of one kind.
      for blank in ["\r\n\r\n", "\n\n"] {
        let start = line - blank.utf8.count / 2
        if start >= 0, bytes[start...].starts(with: blank.utf8) {
          return (bytes[..<start], start + blank.utf8.count)
        }
      }
    }
    return (bytes[...], bytes.count)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the position of the next line, or the end.
  fileprivate func line(after start: Int) -> Int {
    guard let base = baseAddress, start < count,
      let found = memchr(base + start, CInt(UInt8(ascii: "\n")), count - start)
    else { return count }
    return UnsafeRawPointer(found) - base + 1
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether the byte is a carriage return or a line feed.
  fileprivate var isLineBreak: Bool { self == 0x0A || self == 0x0D }
}
