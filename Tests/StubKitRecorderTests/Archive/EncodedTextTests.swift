import Foundation
import TestSupport
import Testing

@testable import StubKitArchive
@testable import StubKitRecorder

/// Texts that are encoded as a whole, and are encoded again as they were.
@Suite("What is encoded", .inTurn)
struct EncodedTextTests {
  private static let json = #"{"user":"Ünal >?~","password":"aB3$xyz9","n":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}"#

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
  private static func hexadecimal(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
  private static func forURLs(_ text: String) -> String {
    base64(text).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  private static let encodings: [(name: String, encode: @Sendable (String) -> String)] = [
    ("Base64", base64), ("Base64 without padding", { base64($0).replacing("=", with: "") }),
    ("Base64 for URLs", forURLs), ("hexadecimal", hexadecimal), ("capital digits", { hexadecimal($0).uppercased() }),
    ("Base64 twice", { base64(base64($0)) }), ("hexadecimal in Base64", { base64(hexadecimal($0)) }),
    ("JSON in Base64", { base64("{\"inner\":\"\(base64($0))\"}") }),
    ("five times", { text in (0..<5).reduce(text) { all, _ in base64(all) } }),
  ]

  @Test(
    "has its secret replaced, and is encoded again as it was, as a body and in a member of JSON", arguments: encodings)
  func forms(name: String, encode: @Sendable (String) -> String) throws {
    // Of three lengths, for Base64 has another padding for each.
    for secret in [Self.json, Self.json + " ", Self.json + "  "] {
      let (body, redacted) = (encode(secret), encode(secret.replacing("aB3$xyz9", with: "REDACTED")))
      #expect(try Self.left(of: body, "text/plain") == redacted)
      func member(_ text: String) -> String { "{\"a\":1,\"data\":\"\(text)\"}" }
      #expect(try Self.left(of: member(body), "application/json") == member(redacted))
    }
  }

  private static func left(of body: String, _ type: String) throws -> String {
    let archive = HTTPArchive(RedactionTests.entry("/", answer: body, type))
    let (redacted, report) = archive.redactedAndReported(.standard)
    #expect(report.count == 1 && redacted.redactedAndReported(.standard).report.count == 0)
    return try #require(redacted.entries[0].response?.body.text)
  }

  /// An archive of two requests with passwords in Base64, and the request with any password.
  private static func encoded(in template: String) -> (archive: HTTPArchive, request: (String) -> URLRequest) {
    func request(_ password: String) -> URLRequest {
      let value = base64(#"{"user": "bob", "password": "\#(password)"}"#)
      let isInURL = template.hasPrefix("?") || template.hasPrefix("form")
      let escaped = isInURL ? value.replacing("=", with: "%3D").replacing("+", with: "%2B") : value
      return asked(template.replacing("%@", with: escaped))
    }
    return (HTTPArchive(entry(request("x9-zk2q7")), entry(request("k3Kd8sJq2L-and-more"))), request)
  }

  @Test(
    "is matched by a request whose encoded text has another secret",
    arguments: ["?state=%@", "json < {\"state\": \"%@\"}", "form < state=%@"])
  func requests(template: String) throws {
    let (archive, request) = Self.encoded(in: template)
    let registry = StubRegistry()
    let redacted = try HTTPArchive(archive.redactedAndReported(.standard).archive.data)
    _ = replay(redacted, matching: [.method, .url, .body], in: registry)
    #expect(registry.answerer(of: request("another-1")) != nil)
  }

  @Test(
    "is redacted so that each request still finds its entry",
    arguments: ["?state=%@", "json < {\"state\": \"%@\"}", "form < state=%@"])
  func proof(template: String) {
    let archive = Self.encoded(in: template).archive
    let (redacted, report) = archive.redactedAndReported(.standard)
    #expect(RedactionProof(of: redacted, against: archive, .standard, report).problem?.sentence == nil)
  }

  @Test("to any depth is redacted, or reported as too deep to search")
  func depth() throws {
    // Each level is a list around a text, whose quotation marks have twice the backslashes.
    for count in [3, 6, 9, 12] {
      let text = (0..<count).reduce(#"["password=aB3$xyz9"]"#) { all, _ in
        "[\"\(all.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"]"
      }
      let (redacted, report) = HTTPArchive(RedactionTests.entry("/", answer: text, "application/json"))
        .redactedAndReported(.standard)
      let left = redacted.entries[0].response?.body.text ?? ""
      #expect(!left.contains("aB3$xyz9") || report.unsearched.contains("too deep"), "\(count)")
    }
  }

  @Test("as PHP's serialize does it, or in gzip within Base64, is reported as not searched")
  func unsearched() {
    let gzip = "H4sIAAAAAAACA6tWKkgsLi7PL0pRslJQKjZOLkot0bXUNcpWqgUA/cBG8hsAAAA="
    for (body, reason) in [
      (#"a:1:{s:8:"password";s:8:"x9-zk2q7";}"#, "PHP's serialize"), ("{\"data\":\"\(gzip)\"}", "compressed"),
    ] {
      let report = HTTPArchive(RedactionTests.entry("/", answer: body, "text/plain")).redactedAndReported(.standard)
        .report
      #expect(
        report.unsearched.contains(reason) && report.unsearched.hasSuffix("the response body of entry 1"), "\(body)")
    }
  }
}
