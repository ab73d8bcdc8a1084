import Foundation
import StubKit

/// The lines of a request's head, each without its line end. They throw what is wrong with them.
enum HeadParsing {
  typealias Bytes = ArraySlice<UInt8>

  /// Parses `GET /users HTTP/1.1` (RFC 9112, section 3).
  static func requestLine(_ line: Bytes, targetLimit: Int) throws(RequestProblem) -> RequestHead {
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    try require(parts.count == 3, "A request line is a method, a target and a version with one space between them.")
    try require(parts[0].isToken, "The method is not a token (RFC 9110, section 9.1).")
    let minorVersion = try version(parts[2])
    guard parts[1].count <= targetLimit else { throw tooLong(target: targetLimit) }
    // RFC 3986 allows no other bytes, and a fragment is never sent.
    let isTarget = !parts[1].isEmpty && parts[1].allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x23 }
    try require(isTarget, "The target is empty, or has a character that must be percent-encoded in a URL.")
    return RequestHead(
      method: String(utf8: parts[0]), target: String(utf8: parts[1]),
      minorVersion: minorVersion, keepsAlive: minorVersion > 0)
  }

  private static func require(_ isMet: Bool, _ sentence: String) throws(RequestProblem) {
    if !isMet { throw RequestProblem(400, sentence) }
  }

  static func tooLong(target limit: Int) -> RequestProblem {
    RequestProblem(414, "The target has more than \(limit) bytes, which is more than most servers take.")
  }

  private static func version(_ text: Bytes) throws(RequestProblem) -> Int {
    let bytes = Array(text)
    guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), bytes[5].isDigit, bytes[6] == 0x2E, bytes[7].isDigit
    else { throw RequestProblem(400, "The request line doesn't end with a version such as HTTP/1.1.") }
    guard bytes[5] == 0x31 else {
      throw RequestProblem(505, "The server speaks HTTP/1.1 and HTTP/1.0, not HTTP/\(bytes[5] - 0x30).")
    }
    return bytes[7] == 0x30 ? 0 : 1
  }

  /// Parses `Accept: text/html` (RFC 9112, section 5).
  static func field(_ line: Bytes) throws(RequestProblem) -> (name: String, value: String) {
    try require(
      line.first?.isBlank != true, "A header field continues on a second line (RFC 9112, section 5.2, obs-fold).")
    guard let colon = line.firstIndex(of: 0x3A) else { throw RequestProblem(400, "A header field has no colon.") }
    let name = line[..<colon]
    try require(name.isToken, "The name of a header field is not a token, or a space precedes its colon.")
    let value = line[(colon + 1)...]
    try require(value.allSatisfy(\.isFieldByte), "The value of a header field has a control character.")
    // Older clients write Latin-1 (RFC 9110, section 5.5).
    let text = String(validUTF8: value) ?? String(value.map { Character(Unicode.Scalar($0)) })
    return (String(utf8: name), text)
  }

  /// Determines from the fields where the request ends, and what the client expects (RFC 9112, section 6).
  static func finish(_ head: inout RequestHead, bodyLimit: Int) throws(RequestProblem) {
    try checkHost(head)
    head.body = try framing(head, bodyLimit: bodyLimit)
    let connection = head.tokens(of: "Connection")
    head.keepsAlive = !connection.contains("close") && (head.minorVersion > 0 || connection.contains("keep-alive"))
    let expectations = head.tokens(of: "Expect")
    // A client of HTTP/1.0 can't wait for a 100 (RFC 9110, section 10.1.1).
    guard !expectations.isEmpty, head.minorVersion > 0 else { return }
    guard expectations.allSatisfy({ $0 == "100-continue" }) else {
      throw RequestProblem(417, "The server can't meet the expectation. It knows 100-continue.")
    }
    head.expectsContinue = head.body != .none && head.body != .length(0)
  }

  private static func checkHost(_ head: RequestHead) throws(RequestProblem) {
    let hosts = head.fields.values(of: "Host")
    try require(hosts.count <= 1, "The request has more than one Host field.")
    try require(hosts.count == 1 || head.minorVersion == 0, "The request has no Host field, which HTTP/1.1 requires.")
    // A host and a port, and nothing that would make another URL of it.
    try require(hosts.allSatisfy { isAuthority($0) }, "The Host field is not a host with an optional port.")
  }

  /// Returns whether a text is a host with an optional port (RFC 3986, section 3.2.2). Brackets are for IPv6 addresses.
  static func isAuthority(_ text: some StringProtocol) -> Bool {
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "[") {
      // By bytes, because a mark that combines makes one character of it and a bracket.
      rest = rest.dropFirst()
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
      var bytes = in6_addr()
      guard inet_pton(AF_INET6, String(decoding: rest[..<end], as: UTF8.self), &bytes) == 1 else { return false }
      rest = rest[end...].dropFirst()
    } else {
      rest = rest.drop(while: \.isHostByte)
    }
    guard rest.first == UInt8(ascii: ":") else { return rest.isEmpty }
    rest = rest.dropFirst()
    return rest.isEmpty || rest.allSatisfy(\.isDigit) && UInt16(String(utf8: rest)) != nil
  }

  private static func framing(_ head: RequestHead, bodyLimit: Int) throws(RequestProblem) -> RequestHead.Framing {
    let (codings, lengths) = (
      head.fields.values(of: "Transfer-Encoding"), head.fields.values(of: "Content-Length")
    )
    try require(codings.isEmpty || lengths.isEmpty, "The request has both a Transfer-Encoding and a Content-Length.")
    if !codings.isEmpty {
      try require(head.minorVersion > 0, "HTTP/1.0 has no Transfer-Encoding.")
      let names = head.tokens(of: "Transfer-Encoding")
      guard names == ["chunked"] else {
        // Without chunked as the last coding, nobody knows where the body ends (RFC 9112, section 6.3).
        let isDelimited = names.last == "chunked" && names.count { $0 == "chunked" } == 1
        throw RequestProblem(isDelimited ? 501 : 400, "The server knows one Transfer-Encoding, which is chunked.")
      }
      return .chunked
    }
    guard let length = lengths.first else { return .none }
    let isNumber = !length.isEmpty && length.utf8.allSatisfy(\.isDigit)
    try require(lengths.count == 1 && isNumber, "The Content-Length is not one number.")
    guard let count = Int(length), count <= bodyLimit else { throw tooLarge(body: bodyLimit) }
    return .length(count)
  }

  static func tooLarge(body limit: Int) -> RequestProblem {
    RequestProblem(413, "The body has more than \(limit) bytes. Raise the server's Limits.body.")
  }

  /// Parses the line before a chunk: a hexadecimal size, and perhaps extensions (RFC 9112, section 7.1).
  static func chunkSize(_ line: Bytes) throws(RequestProblem) -> Int {
    let digits = line.prefix { $0.hexadecimalDigit != nil }
    guard !digits.isEmpty, digits.count <= 15, let size = Int(String(utf8: digits), radix: 16)
    else { throw RequestProblem(400, "The size of a chunk is not a hexadecimal number of at most 15 digits.") }
    let rest = line[digits.endIndex...]
    let isExtension = rest.drop(while: \.isBlank).first == 0x3B && rest.allSatisfy(\.isFieldByte)
    try require(rest.isEmpty || isExtension, "Something other than an extension follows the size of a chunk.")
    return size
  }
}

extension UInt8 {
  /// Whether the byte can be part of a name or an IPv4 address (RFC 3986, section 3.2.2).
  fileprivate var isHostByte: Bool { isAlphanumeric || "!$%&'()*+,-.;=_~".utf8.contains(self) }

  /// Whether the byte can be part of a field's value (RFC 9110, section 5.5).
  fileprivate var isFieldByte: Bool { self >= 0x20 && self != 0x7F || isBlank }

  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension ArraySlice<UInt8> {
  fileprivate var isToken: Bool { !isEmpty && allSatisfy(\.isTokenByte) }
}
