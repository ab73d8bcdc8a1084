import Foundation

@testable import StubKit
@testable import StubKitServer

/// The requests of a connection, against a slow specification, in one piece and in pieces that the input determines.
struct HTTPFuzzing: FuzzTarget {
  /// Small ones, so that inputs reach them.
  private static let limits = RequestParser.Limits(target: 40, fields: 160, body: 60)

  func parse(_ input: Data) { _ = Self.read(Array(input), pieces: [input.count]) }

  func check(_ input: Data) {
    let bytes = Array(input)
    let expected = SlowHTTP(bytes, Self.limits)
    let whole = Self.read(bytes, pieces: [bytes.count])
    demand(whole == expected.reading, "\(input.text.debugDescription) is \(whole), not \(expected.reading)")
    for pieces in [[1], [2, 1], bytes.prefix(16).map { Int($0 % 23) + 1 }] where !bytes.isEmpty {
      demand(Self.read(bytes, pieces: pieces) == whole, "\(input.text.debugDescription) in pieces of \(pieces)")
    }
    // What follows a complete request doesn't change it, and the request doesn't change what follows.
    guard whole.status == nil, !whole.isInside else { return }
    let after = Self.read(bytes + Array("GET /z HTTP/1.1\r\nHost: z\r\n\r\n".utf8), pieces: [bytes.count + 3, 5])
    demand(
      after.requests.dropLast() == whole.requests[...] && after.requests.last?.target == "/z",
      "a request after \(whole)")
  }

  /// - Parameter pieces: The lengths of the pieces, again and again.
  static func read(
    _ bytes: [UInt8], pieces: [Int], _ limits: RequestParser.Limits = limits
  ) -> SlowHTTP.Reading {
    var (parser, reading) = (RequestParser(limits: limits), SlowHTTP.Reading())
    var (start, number) = (0, 0)
    do {
      while start < bytes.count {
        let end = min(bytes.count, start + pieces[number % pieces.count])
        parser.append(bytes[start..<end])
        (number, start) = (number + 1, end)
        while let event = try parser.next() {
          switch event {
          case .head(let head):
            reading.open = SlowHTTP.Request(
              method: head.method, target: head.target, version: head.minorVersion,
              fields: head.fields.fields.map { [$0.name, $0.value] })
          case .end(let body):
            reading.open?.body += body
            reading.open.map { reading.requests.append($0) }
            reading.open = nil
          }
        }
      }
      reading.isInside = parser.isInsideRequest
    } catch { reading.status = error.status }
    reading.open = nil
    return reading
  }
}

/// HTTP/1.1 (RFC 9112), line by line: what a strict server reads from a connection.
struct SlowHTTP {
  struct Request: Equatable {
    var method: String
    var target: String
    var version: Int
    var fields: [[String]] = []
    var body: [UInt8] = []
  }

  struct Reading: Equatable {
    var requests: [Request] = []
    var open: Request?
    /// The status of the problem that ended it, or `nil`.
    var status: Int?
    var isInside = false
  }

  private struct Problem: Error { let status: Int }
  /// The bytes end.
  private struct Incomplete: Error {}

  private(set) var reading = Reading()
  private var rest: [UInt8]
  private let limits: RequestParser.Limits

  init(_ bytes: [UInt8], _ limits: RequestParser.Limits) {
    rest = bytes
    self.limits = limits
    do {
      while !rest.isEmpty { try readRequest() }
    } catch let problem as Problem {
      reading.status = problem.status
    } catch {
      reading.isInside = true
    }
  }

  private mutating func readRequest() throws {
    var line = try line(limits.target + 128, 414)
    if line.isEmpty { line = try self.line(limits.target + 128, 414) }
    try Self.refuse(line.isEmpty)
    var request = try request(line)
    var budget = limits.fields
    while true {
      let line = try field(&budget)
      if line.isEmpty { break }
      request.fields.append(try Self.field(line))
    }
    func values(_ name: String) -> [String] { request.fields.filter { $0[0].lowercased() == name }.map { $0[1] } }
    try checkHost(values("host"), request.version)
    let (lengths, codings) = (values("content-length"), values("transfer-encoding"))
    var length = 0
    if let text = lengths.first {
      try Self.refuse(!codings.isEmpty || lengths.count > 1 || text.isEmpty || !text.utf8.allSatisfy { 48...57 ~= $0 })
      let digits = text.drop { $0 == "0" }
      try Self.refuse(digits.count > 6 || Int("0" + digits)! > limits.body, 413)
      length = Int("0" + digits)!
    } else if !codings.isEmpty {
      try Self.refuse(request.version == 0)
      let names = Self.elements(codings)
      let isLast = names.last == "chunked" && names.filter { $0 == "chunked" }.count == 1
      try Self.refuse(names != ["chunked"], isLast ? 501 : 400)
    }
    try Self.refuse(request.version == 1 && Self.elements(values("expect")).contains { $0 != "100-continue" }, 417)
    if codings.isEmpty { request.body = try take(length) } else { try readChunks(&request, &budget) }
    reading.requests.append(request)
  }

  /// The elements of a list, which may have empty ones between them.
  private static func elements(_ values: [String]) -> [String] {
    let pieces = SlowText.pieces(values.joined(separator: ","), ",")
    return pieces.map { SlowText.trimmed($0).lowercased() }.filter { !$0.isEmpty }
  }

  private mutating func readChunks(_ request: inout Request, _ budget: inout Int) throws {
    while true {
      let line = String(decoding: try line(4_096, 400).map { $0 < 128 ? $0 : 63 }, as: UTF8.self)
      let match = line.prefixMatch(of: #/([0-9A-Fa-f]{1,15})(?:[ \t]*;[\t -~]*)?/#)
      guard let match, match.0.utf8.count == line.utf8.count else { throw Problem(status: 400) }
      let size = Int(match.1, radix: 16)!
      try Self.refuse(request.body.count + size > limits.body, 413)
      if size == 0 { break }
      request.body += try take(size)
      try Self.refuse(!self.line(2, 400).isEmpty)
    }
    while true {
      let line = try field(&budget)
      if line.isEmpty { return }
      _ = try Self.field(line)
    }
  }

  private func request(_ line: [UInt8]) throws -> Request {
    let text = Self.latin1(line)
    let parts = text.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
    guard parts.count == 3, Self.isToken(parts[0]), let version = parts[2].wholeMatch(of: #/HTTP/([0-9])\.([0-9])/#)
    else { throw Problem(status: 400) }
    try Self.refuse(version.1 != "1", 505)
    let target = parts[1].unicodeScalars
    try Self.refuse(target.count > limits.target, 414)
    try Self.refuse(target.isEmpty || !target.allSatisfy { $0 > " " && $0 < "\u{7F}" && $0 != "#" })
    return Request(method: parts[0], target: parts[1], version: version.2 == "0" ? 0 : 1)
  }

  private static func field(_ line: [UInt8]) throws -> [String] {
    let pieces = line.split(separator: 58, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
    guard pieces.count == 2, isToken(latin1(pieces[0])) else { throw Problem(status: 400) }
    var value = pieces[1]
    while let last = value.last, last == 32 || last == 9 { value.removeLast() }
    value = Array(value.drop { $0 == 32 || $0 == 9 })
    try refuse(!value.allSatisfy { $0 == 9 || $0 > 31 && $0 != 127 })
    let text = String(decoding: value, as: UTF8.self)
    return [latin1(pieces[0]), Array(text.utf8) == value ? text : latin1(value)]
  }

  private func checkHost(_ hosts: [String], _ version: Int) throws {
    try Self.refuse(hosts.count > 1 || hosts.isEmpty && version == 1)
    guard let host = hosts.first else { return }
    // By bytes, because a mark that combines makes one character of it and a bracket or a colon.
    var rest = Array(host.utf8)[...]
    if rest.first == 91 {
      guard let end = rest.firstIndex(of: 93) else { throw Problem(status: 400) }
      var address = in6_addr()
      try Self.refuse(inet_pton(AF_INET6, String(decoding: rest[1..<end], as: UTF8.self), &address) != 1)
      rest = rest[(end + 1)...]
    } else {
      rest = rest.drop { byte in
        48...57 ~= byte || 65...90 ~= byte || 97...122 ~= byte || "!$%&'()*+,-.;=_~".utf8.contains(byte)
      }
    }
    guard let colon = rest.popFirst() else { return }
    try Self.refuse(colon != 58 || !rest.allSatisfy { 48...57 ~= $0 })
    try Self.refuse(!rest.isEmpty && UInt16(String(decoding: rest, as: UTF8.self)) == nil)
  }

  private mutating func field(_ budget: inout Int) throws -> [UInt8] {
    let line = try line(budget, 431)
    budget -= line.count + 2
    return line
  }

  /// - Parameter status: The status of a line that has more bytes than the limit, with its end.
  private mutating func line(_ limit: Int, _ status: Int) throws -> [UInt8] {
    for (position, byte) in rest.enumerated() {
      if byte == 10 { throw Problem(status: 400) }
      if position + 2 > limit { throw Problem(status: status) }
      guard byte == 13 else { continue }
      guard position + 1 < rest.count else { throw Incomplete() }
      guard rest[position + 1] == 10 else { throw Problem(status: 400) }
      defer { rest.removeFirst(position + 2) }
      return Array(rest[..<position])
    }
    throw Incomplete()
  }

  private static func refuse(_ isWrong: Bool, _ status: Int = 400) throws {
    if isWrong { throw Problem(status: status) }
  }

  private mutating func take(_ count: Int) throws -> [UInt8] {
    if rest.count < count { throw Incomplete() }
    defer { rest.removeFirst(count) }
    return Array(rest[..<count])
  }

  private static func isToken(_ text: String) -> Bool { text.wholeMatch(of: #/[!#$%&'*+\-.^_`|~0-9A-Za-z]+/#) != nil }

  private static func latin1(_ bytes: [UInt8]) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
