import Foundation

extension HAREntry {
  /// Makes of what a browser or proxy has written what went over the wire, as far as the rest of StubKit has to know it.
  mutating func mend() {
    requestHeaders.removeAll { $0.name.isPseudoHeader }
    responseHeaders = responseHeaders.filter { !$0.name.isPseudoHeader }.flatMap(\.split)
    if !expectsBody, content.data == nil, content.file == nil { content.size = 0 }
    if content.isPlainText, let data = content.data, let encoded = data.encoded(asSaidBy: contentType) {
      content.data = encoded
    }
    // Bytes that were no text are lost, and their length tells: a replacement character has three.
    if let postData, postData.isPlainText, let text = postData.data, let requestBodySize, requestBodySize > 0,
      text.count != requestBodySize, text.hasReplacementCharacter
    {
      self.postData?.data = nil
      self.postData?.params = []
      self.postData?.size = requestBodySize
    }
  }

  /// The content is decoded, so that nothing may say that it is not, or tell the length that it had.
  mutating func mendResponseHeaders(bodyLength: Int) {
    responseHeaders.removeAll { ["content-encoding", "transfer-encoding"].contains($0.name.lowercased()) }
    guard expectsBody, let first = responseHeaders.firstIndex(where: { $0.name.isContentLength }) else { return }
    responseHeaders[first].value = String(bodyLength)
    let others = responseHeaders[(first + 1)...].filter { !$0.name.isContentLength }
    responseHeaders.replaceSubrange((first + 1)..., with: others)
  }

  /// Whether the response is of a kind that has a body that a client sees.
  var expectsBody: Bool {
    guard method?.uppercased() != "HEAD", let status else { return false }
    return !(100..<200 ~= status || status == 204 || 300..<400 ~= status)
  }

  /// What the header says, or else the content.
  var contentType: String { responseValue("content-type") ?? content.mimeType }

  func responseValue(_ name: String) -> String? {
    responseHeaders.last { $0.name.lowercased() == name }?.value
  }
}

extension HAREntry.Pair {
  /// The fields that a tool has joined by line feeds, as Chrome does with those of one name.
  fileprivate var split: [HAREntry.Pair] {
    guard let value, value.has("\n") else { return [self] }
    return value.pieces(at: "\n").map { HAREntry.Pair(name: name, value: String($0.withoutOuterSpace)) }
  }
}

extension HAREntry.Body {
  /// Whether its bytes are those of a text, rather than decoded.
  var isPlainText: Bool { encoding.map { $0.isEmpty } ?? true && file == nil }
}

extension Data {
  var hasReplacementCharacter: Bool { range(of: Data("\u{FFFD}".utf8)) != nil }

  /// A text in UTF-8 in the encoding that a content type names; `nil` if that is UTF-8, not known, or does not have all characters.
  ///
  /// A browser has decoded it. A client that reads the content type would do so again.
  fileprivate func encoded(asSaidBy contentType: String) -> Data? {
    guard contentType.has(";"), let charset = HeaderParameters(contentType)["charset"]?.lowercased(),
      let encoding = String.Encoding.ofCharsets[charset], contains(where: { $0 >= 0x80 })
    else { return nil }
    return String(validUTF8: self)?.data(using: encoding)
  }
}

extension String.Encoding {
  /// By the names of the WHATWG Encoding standard. It takes the first for Windows' code page, which only adds to ISO 8859-1.
  fileprivate static let ofCharsets: [String: String.Encoding] = [
    "iso-8859-1": .windowsCP1252, "latin1": .windowsCP1252, "windows-1252": .windowsCP1252, "iso-8859-2": .isoLatin2,
    "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1253": .windowsCP1253,
    "windows-1254": .windowsCP1254, "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP,
    "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
  ]
}

extension String {
  fileprivate var isPseudoHeader: Bool { starts(withBytesOf: ":") }
  fileprivate var isContentLength: Bool { lowercased() == "content-length" }
}
