import Foundation
import StubKitFormats

extension RedactionRules {
  /// A body without its secrets.
  struct Body {
    var data: Data
    /// The number of redacted values.
    var count = 0
    /// Returns the new place of a position in the body.
    var moved: (Int) -> Int = { $0 }
  }

  /// - Returns: `nil` if the body has no secrets.
  func redacted(_ body: Data, contentType: String) -> Body? {
    var result = Body(data: body)
    result.apply(body.edits { bodyEdits($0, contentType: contentType, in: body) })
    result.apply(result.data.edits { linkEdits($0, contentType: contentType) })
    result.apply(result.data.edits { scriptEdits($0, contentType: contentType) })
    for pattern in patterns { result.apply(pattern.edits(result.data)) }
    return result.count > 0 ? result : nil
  }

  private func bodyEdits(
    _ text: UnsafeBufferPointer<UInt8>, contentType: String, in body: Data
  ) -> ByteEdits {
    let type = contentType.lowercased()
    if let boundary = MultipartBody.boundary(ofContentType: contentType) {
      return multipartEdits(body, boundary: boundary)
    }
    if type.starts(withBytesOf: "text/event-stream") { return eventEdits(text) }
    let first = text.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || type.contains("json") {
      return readsJSON ? jsonEdits(text) : ByteEdits()
    }
    return type.isEmpty || type.starts(withBytesOf: "application/x-www-form-urlencoded") ? formEdits(text) : ByteEdits()
  }

  /// Returns the edits of URLs in any text, also in JSON that breaks off.
  private func linkEdits(_ text: UnsafeBufferPointer<UInt8>, contentType: String) -> ByteEdits {
    let type = contentType.lowercased()
    let isText = type.starts(withBytesOf: "text/") || type.contains("json") || text.firstInvalidUTF8 == nil
    return isText ? urlEdits(text) : ByteEdits()
  }

  /// Returns the edits of JSON in another text.
  private func scriptEdits(_ text: UnsafeBufferPointer<UInt8>, contentType: String) -> ByteEdits {
    let type = contentType.lowercased()
    let isPage = type.starts(withBytesOf: "text/") || type.contains("javascript") || type.contains("xml")
    return isPage ? looseEdits(text) : ByteEdits()
  }

  private func formEdits(_ text: UnsafeBufferPointer<UInt8>) -> ByteEdits {
    var edits = ByteEdits()
    guard !formFields.isEmpty else { return edits }
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "&")) ?? text.count
      if let equals = text[start..<end].firstIndex(of: UInt8(ascii: "=")) {
        let name = String(decoding: text[start..<equals], as: UTF8.self)
        if redactsFormField(name[...].formDecoded) { edits.redact(equals + 1..<end, in: text) }
      }
      start = end + 1
    }
    return edits
  }

  private func multipartEdits(_ body: Data, boundary: String) -> ByteEdits {
    var edits = ByteEdits()
    for part in MultipartBody(parsing: body, boundary: boundary).parts {
      let start = part.body.startIndex - body.startIndex
      body.withUnsafeBytes { bytes in
        let whole = bytes.bindMemory(to: UInt8.self)
        let range = start..<start + part.body.count
        if let name = part.name, redactsFormField(name) {
          edits.redact(range, in: whole)
        } else if part.contentType.lowercased().contains("json"), readsJSON {
          edits.append(jsonEdits(UnsafeBufferPointer(rebasing: whole[range])), at: start)
        }
      }
    }
    return edits
  }

  /// Returns the edits of server-sent events. The data of an event can be JSON.
  private func eventEdits(_ text: UnsafeBufferPointer<UInt8>) -> ByteEdits {
    var edits = ByteEdits()
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
      let field = text[start..<end].starts(with: "data:".utf8) ? start + 5 : start
      let line = UnsafeBufferPointer(rebasing: text[min(field, end)..<end])
      let first = line.first { $0 > 0x20 }
      let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
      if isJSON { edits.append(jsonEdits(line), at: min(field, end)) }
      start = end + 1
    }
    return edits
  }
}

extension RedactionRules.Body {
  fileprivate mutating func apply(_ edits: ByteEdits) {
    guard !edits.isEmpty else { return }
    data = data.withUnsafeBytes { edits.applied(to: $0.bindMemory(to: UInt8.self)) }
    count += edits.count
    let before = moved
    moved = { edits.moved(before($0)) }
  }
}

extension Data {
  fileprivate func edits(_ find: (UnsafeBufferPointer<UInt8>) -> ByteEdits) -> ByteEdits {
    withUnsafeBytes { find($0.bindMemory(to: UInt8.self)) }
  }
}

extension Pattern {
  /// Returns the matches of the pattern in bytes of any kind. Bytes that aren't UTF-8 are read as ISO 8859-1.
  func edits(_ bytes: Data) -> ByteEdits {
    guard let text = String(validUTF8: bytes) else {
      let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      return edits(text) { $0 }
    }
    // The offset continues from the last match, so that the text is read only once.
    var (utf16, utf8, index) = (0, 0, text.startIndex)
    return edits(text) { position in
      let next = text.utf16.index(index, offsetBy: position - utf16)
      utf8 += text.utf8.distance(from: index, to: next)
      (utf16, index) = (position, next)
      return utf8
    }
  }

  /// - Parameter offset: A closure that returns the byte offset of a UTF-16 offset. Calls are in ascending order.
  private func edits(_ text: String, offset: (Int) -> Int) -> ByteEdits {
    var edits = ByteEdits()
    let whole = NSRange(location: 0, length: text.utf16.count)
    for match in expression.matches(in: text, range: whole) where match.range.length > 0 {
      let lower = offset(match.range.location)
      let upper = offset(match.range.location + match.range.length)
      guard let range = Range(match.range, in: text), text[range] != Redaction.mark else { continue }
      edits.replace(lower..<upper, with: Redaction.mark)
    }
    return edits
  }

  func redacted(_ text: String, _ count: inout Int) -> String {
    let edits = edits(Data(text.utf8))
    count += edits.count
    return edits.isEmpty ? text : edits.applied(to: text)
  }
}
