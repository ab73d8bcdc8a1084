import Foundation
import TestSupport
import Testing

@testable import StubKitRecorder

/// Bodies of every kind, compressed and binary ones, and texts that are encoded in them. The suite is "A redaction".
extension RedactionTests {
  /// The rows of `Redaction/bodies`: the type of a body, `> ` or `< ` before it if it is only a response's or a
  /// request's, and its text, in which «a» is replaced by a placeholder, and «a→b» by b.
  @Test("of bodies changes no byte but the secrets, and adapts the Content-Length")
  func allBodies() throws {
    for row in try PlantedSecret.rows("Redaction/bodies") {
      let (type, marked) = (row[0], row[1].replacing("SECRET", with: Self.secret))
      var number = 0
      let expected = marked.replacing(#/«([^»→]*)(?:→([^»]*))?»/#) { match -> String in
        number += 1
        return match.2.map(String.init) ?? (number == 1 ? "REDACTED" : "REDACTED-\(number)")
      }
      let text = marked.replacing(#/«([^»→]*)(?:→[^»]*)?»/#) { String($0.1) }
      let (isSent, isAnswered) = (!type.hasPrefix("> "), !type.hasPrefix("< "))
      let name = type.replacing(#/^[<>] /#, with: "").replacing(#/^json$/#, with: "application/json")
      let entry = Self.entry(
        isSent ? "type:\(name) < \(text)" : "/", answer: isAnswered ? text : "", name.replacing("+", with: " "))
      let (redacted, _) = try Self.redacted(entry)
      if isSent { #expect(redacted.request.httpBody?.text == expected, "\(row)") }
      guard isAnswered, let response = redacted.response else { continue }
      #expect(response.body.text == expected, "\(row)")
      #expect(response.headers["Content-Length"] == "\(expected.utf8.count)", "\(row)")
    }
  }

  @Test("of a password that is also a word elsewhere leaves the word")
  func coincidence() throws {
    let role = #"{"role": "admin", "url": "/admin/users"}"#
    let entry = Self.entry(#"json < {"password": "admin"}"#, answer: role, "application/json")
    #expect(try Self.redacted(entry).entry.response?.body == Data(role.utf8))
  }

  @Test("of a long body keeps the pieces in which it arrived, whose ends move with the text")
  func longBody() throws {
    let text = #"{"token": "s3cr3t", "rest": ""# + String(repeating: "x", count: 300_000) + #""}"#
    var entry = Self.entry("/", answer: text, "application/json")
    entry.pieces = [9, 12, 18, text.utf8.count].map { .init(end: $0, time: .zero) }
    let (redacted, _) = try Self.redacted(entry)
    #expect(redacted.response?.body == Data(text.replacing("s3cr3t", with: "REDACTED").utf8))
    // The secret is at 11..<17 and its placeholder at 11..<19. A piece that ended within the one ends after the other.
    #expect(redacted.pieces.map(\.end) == [9, 19, 20, text.utf8.count + 2])
  }

  /// A request with a body in Base64, redacted by the standard rules.
  private static func redactedBody(_ base64: String, coding: String?) -> (body: Data?, report: Replacements) {
    var entry = entry("POST")
    entry.request.setValue(coding, forHTTPHeaderField: "Content-Encoding")
    entry.request.httpBody = Data(base64Encoded: base64)
    let (redacted, report) = HTTPArchive(entries: [entry]).redactedAndReported(.standard)
    return (redacted.entries[0].request.httpBody, report)
  }

  private static let gzip = "H4sIAAAAAAACA6tWKkgsLi7PL0pRslJQKjZOLkot0bXUNcpWqgUA/cBG8hsAAAA"

  @Test(
    "leaves a compressed body as it is, and reports it as not searched",
    arguments: [
      (nil, gzip + "="),
      // Of two members.
      ("gzip", gzip + "fiwgAAAAAAAIDq1YqSCwuLs8vSlGyUlAqNk4uSi3RtdQ1ylaqBQD9wEbyGwAAAA=="),
      ("deflate", "eJyrVipILC4uzy9KUbJSUCo2Ti5KLdG11DXKVqoFAIKrCNI="), ("br", "iwyAeyJwYXNzd29yZCI6IP8D"),
    ] as [(String?, String)])
  func compressed(coding: String?, base64: String) {
    let (body, report) = Self.redactedBody(base64, coding: coding)
    #expect(body == Data(base64Encoded: base64))
    #expect(report.unsearched == "; not searched, because compressed: the request body of entry 1")
    #expect(report.summary == "0 values redacted\(report.unsearched)")
  }

  @Test("searches a body that is text, whatever coding it is said to have", arguments: ["gzip", "identity"])
  func notCompressed(coding: String) {
    let text = Data(#"{"password": "s3cret-9-2k"}"#.utf8)
    let (body, report) = Self.redactedBody(text.base64EncodedString(), coding: coding)
    #expect(body == Data(#"{"password": "REDACTED"}"#.utf8))
    #expect(report.unsearched == "")
    #expect(report.summary == "1 value redacted: 1 by name")
  }

  private static let withPassword = #"{"password": "hunter2!X", "name": "Ünal 🙂"}"#

  @Test("reports a binary body, in which it searches no names")
  func binary() throws {
    for (type, body, isNamed) in [
      ("text/plain", Data("log\0\(Self.withPassword)".utf8), true),
      ("application/x-protobuf", Data([10, 3, 1, 2, 3]), true),
      ("application/octet-stream", Data([0, 1, 2, 3, 4]), true), ("image/png", Data([0, 1, 2, 3, 4]), false),
      ("application/json", Data(Self.withPassword.utf8), false), ("", Data("{}".utf8), false), ("", Data(), false),
    ] {
      var entry = Self.entry("POST", answer: "")
      entry.request.setValue(type, forHTTPHeaderField: "Content-Type")
      entry.request.httpBody = body
      entry.response?.headers["Content-Type"] = type
      entry.response?.body = body
      let report = HTTPArchive(entries: [entry]).redactedAndReported(.standard).report
      let bodies = "the request body of entry 1, the response body of entry 1"
      #expect(
        report.unsearched == (isNamed ? "; not searched for names, because binary: \(bodies)" : ""), "\(type), \(body)")
    }
  }

  @Test(
    "leaves a body in UTF-16 as it is, and reports that it searched no names in it",
    arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [[UInt8](), [0xFF, 0xFE]])
  func wideText(encoding: String.Encoding, mark: [UInt8]) throws {
    let body = Data(mark) + (try #require(Self.withPassword.data(using: encoding)))
    var entry = Self.entry("POST", answer: "", "application/json")
    entry.response?.body = body
    let (archive, report) = HTTPArchive(entry).redactedAndReported(.standard)
    #expect(archive.entries[0].response?.body == body)
    #expect(report.unsearched == "; not searched for names, because binary: the response body of entry 1")
  }

  @Test("of a value in Base64 leaves what is no secret in the JSON or PEM that it encodes")
  func encoded() throws {
    let pem = "-----BEGIN PRIVATE KEY-----\n\(Self.secret)\n-----END PRIVATE KEY-----\n"
    for text in [#"{"next":"/home","token":"\#(Self.secret)"}"#, #"[{"a":{"password":"\#(Self.secret)"}}]"#, pem] {
      let value = Data(text.utf8).base64EncodedString()
      let body = try Self.redacted(Self.entry("/", answer: #"{"state":"\#(value)"}"#)).entry.response?.body ?? Data()
      let state =
        Data(base64OfAnyKind: try JSONDecoder().decode([String: String].self, from: body)["state"] ?? "") ?? Data()
      let left = String(decoding: state, as: UTF8.self)
      #expect(left == text.replacing(Self.secret, with: "REDACTED"), "\(text): \(left)")
    }
  }
}
