import Foundation
import StubKit

extension EntryInFile {
  /// Restores what was on the wire from what a browser or a proxy has written, as far as the rest of StubKit needs it.
  mutating func mend() {
    request.headers?.removeAll { $0.name?.starts(withBytesOf: ":") ?? true }
    response?.headers?.removeAll { $0.name?.starts(withBytesOf: ":") ?? true }
    responseHeaders = responseHeaders.flatMap(\.split)
    if !expectsBody, content.data == nil, content._file == nil { content.size = 0 }
    if content.isPlainText, let data = content.data,
      let encoded = content.size.flatMap({ data.bytesOfLetters($0, contentType) })
        ?? data.encoded(asSaidBy: contentType)
    {
      content.data = encoded
    }
    // Bytes that weren't text are lost. The length shows it, because a replacement character has three bytes.
    if let body = request.postData, body.isPlainText, let text = body.data, let size = request.bodySize, size > 0,
      text.count != size, text.hasReplacementCharacter
    {
      request.postData?.data = nil
      request.postData?.params = nil
      request.postData?.size = size
    }
  }

  /// Whether a client receives a body with such a response.
  var expectsBody: Bool {
    guard request.method.uppercased() != "HEAD", let status else { return false }
    return !(100..<200 ~= status || status == 204 || 300..<400 ~= status)
  }

  /// The content type of the header, or else that of the content.
  var contentType: String { responseValue("content-type") ?? content.mimeType ?? "" }

  func responseValue(_ name: String) -> String? { responseHeaders.last { $0.isNamed(name) }?.value?.text }
}

extension String {
  /// The media type that a content type begins with, in lower case.
  package var mediaType: String { (cut(at: ";")?.before ?? self[...]).withoutOuterSpace.lowercased() }
}

extension EntryInFile.Pair {
  fileprivate func isNamed(_ name: String) -> Bool { self.name?.isHeaderName(name) ?? false }

  /// The separate fields. Some tools, such as Chrome, join fields of one name with line feeds.
  fileprivate var split: [EntryInFile.Pair] {
    guard let text = value?.text, text.has("\n") else { return [self] }
    return text.pieces(at: "\n").map { line in
      var field = self
      field.value?.text = String(line.withoutOuterSpace)
      return field
    }
  }
}

extension EntryInFile.Body {
  /// Whether the bytes are those of the text in the file, and weren't decoded from base64.
  var isPlainText: Bool { encoding.map { $0.isEmpty } ?? true && _file == nil }
}

extension Data {
  var hasReplacementCharacter: Bool { range(of: Data("\u{FFFD}".utf8)) != nil }

  /// Returns the bytes of text in which each letter stands for a byte, as mitmproxy writes what isn't UTF-8.
  ///
  /// - Parameter size: The number of bytes, by the archive.
  fileprivate func bytesOfLetters(_ size: Int, _ contentType: String) -> Data? {
    guard count != size, let bytes = String(validUTF8: self)?.data(using: .isoLatin1), bytes.count == size else {
      return nil
    }
    // Some tools count letters. What is said to be UTF-8 is.
    let type = contentType.lowercased()
    let isUTF8 = type.contains("json") || type.contains("utf-8") || type.contains("utf8")
    return isUTF8 && String(validUTF8: bytes) == nil ? nil : bytes
  }

  /// Converts text from UTF-8 to the encoding of a content type. Returns `nil` if that is UTF-8, unknown, or lacks some
  /// of the characters.
  ///
  /// The browser has decoded the text. A client that reads the content type would decode it again.
  fileprivate func encoded(asSaidBy contentType: String) -> Data? {
    guard contentType.has(";"), let charset = HeaderParameters(contentType)["charset"]?.lowercased(),
      let encoding = String.Encoding.ofCharsets[charset], contains(where: { $0 >= 0x80 })
    else { return nil }
    return String(validUTF8: self)?.data(using: encoding)
  }
}

extension String.Encoding {
  /// The names of encodings in the WHATWG Encoding standard. Like the standard, this reads ISO 8859-1 as its superset,
  /// the code page of Windows.
  fileprivate static let ofCharsets: [String: String.Encoding] = [
    "iso-8859-1": .windowsCP1252, "latin1": .windowsCP1252, "windows-1252": .windowsCP1252, "iso-8859-2": .isoLatin2,
    "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1253": .windowsCP1253,
    "windows-1254": .windowsCP1254, "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP,
    "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
  ]
}

extension EntryInFile {
  /// Why an entry of another tool can't be replayed, as the end of a sentence that begins with the entry, or `nil` if
  /// it can.
  var foreignObstacle: String? { obstacleOfRequest ?? obstacleOfResponse ?? obstacleOfContent }

  static let notBase64 = "has a body that is said to be Base64 and isn't: export the archive again"

  private var obstacleOfRequest: String? {
    let scheme = request.url.cut(at: ":")?.before.lowercased() ?? ""
    if _webSocketMessages != nil || _resourceType == "websocket" || ["ws", "wss"].contains(scheme) || status == 101 {
      return "is a WebSocket, which StubKit does not replay"
    }
    if !["http", "https"].contains(scheme) { return "is not an HTTP request: its URL begins with \"\(scheme):\"" }
    let asksForMethod = requestHeaders.contains { $0.isNamed("access-control-request-method") }
    let isPreflight = request.method.uppercased() == "OPTIONS" && asksForMethod || _resourceType == "preflight"
    return isPreflight ? "is a CORS preflight, which only browsers send" : nil
  }

  private var obstacleOfResponse: String? {
    let error = (response?._error ?? response?._failureText).flatMap { $0.isEmpty ? nil : $0 }
    guard let status, status > 0 else { return "has no response: \(error ?? "its status is \(status ?? 0)")" }
    if let charlesStatus = response?._charlesStatus, charlesStatus != "COMPLETE" {
      return "was not complete when it was saved: its status in Charles is \(charlesStatus)"
    }
    return error.map { "failed in the browser: \($0)" }
  }

  private var obstacleOfContent: String? {
    guard content._file == nil else { return nil }
    guard let data = content.data else { return expectsBody ? obstacleOfMissingText : nil }
    guard content.isPlainText, let size = content.size, data.count != size,
      Double(data.count) != Double(size) + (content.compression ?? 0)
    else { return nil }
    if isBinary || data.hasReplacementCharacter {
      return "has a body of \(size) bytes that was saved as text and has lost some of them"
    }
    // Text has lost at most its byte order mark.
    guard expectsBody, data.count + 3 < size else { return nil }
    return "has a body of \(size) bytes, of which \(data.count) were saved: export the archive again, or mend the size"
  }

  private var obstacleOfMissingText: String? {
    if content.isUndecodable { return Self.notBase64 }
    if let encoding = content.encoding, !encoding.isEmpty, encoding.lowercased() != "base64" {
      return "has a body in the encoding \"\(encoding)\", which StubKit does not know"
    }
    let others = [responseValue("content-length").flatMap { Int($0) }, response?.bodySize]
    let length = ([content.size] + others).compactMap(\.self).first { $0 > 0 }
    // What says that there is no body counts only if nothing says that there is one.
    if length == nil, content.size == 0 || content.size == nil && others.contains(0) { return nil }
    return "has a body\(length.map { " of \($0) bytes" } ?? "") that was not saved: export the archive with its content"
  }

  private var isBinary: Bool {
    let type = contentType.mediaType
    // A picture that is text.
    if type == "image/svg+xml" { return false }
    return Self.binaryTypes.contains(type) || Self.binaryFamilies.contains(where: type.hasPrefix)
  }

  private static let binaryTypes: Set = [
    "application/cbor", "application/gzip", "application/msgpack", "application/octet-stream", "application/pdf",
    "application/protobuf", "application/vnd.ms-fontobject", "application/wasm", "application/x-gzip",
    "application/x-protobuf", "application/zip",
  ]

  /// How other binary types begin.
  private static let binaryFamilies = [
    "application/font", "application/grpc", "application/x-font", "audio/", "font/", "image/", "video/",
  ]
}
