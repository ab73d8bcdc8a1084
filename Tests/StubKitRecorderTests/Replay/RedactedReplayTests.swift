import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitFormats
@testable import StubKitRecorder

@Suite("A request with its secrets", .inTurn)
struct RedactedReplayTests {
  /// A request with a secret in every place that the standard redactions know, and another name in it.
  private static func secretive(_ name: String, _ secret: String, kind: Int) -> URLRequest {
    let headers = ["Authorization": "Bearer \(secret)", "Cookie": "session=\(secret)", "X-Api-Key": secret]
    let url = "http://\(name):\(secret)@a.example/login?access_token=\(secret)&page=1"
    let bodies = [
      ("application/x-www-form-urlencoded", "user=\(name)&password=\(secret)&client_secret=\(secret)"),
      (
        "application/json",
        #"{"user": "\#(name)", "auth": {"password": "\#(secret)", "tokens": [{"id_token": "\#(secret)"}]}}"#
      ),
      (
        "multipart/form-data; boundary=b\(secret)",
        "--b\(secret)\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\n\(name)\r\n--b\(secret)\r\n"
          + "Content-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--b\(secret)--\r\n"
      ),
    ]
    var all = headers
    all["Content-Type"] = bodies[kind].0
    return request(url, method: "POST", headers: all, body: bodies[kind].1)
  }

  @Test("finds a place for each of several values of one name")
  func repeated() {
    for (recorded, sent, isMet) in [
      (["REDACTED", "REDACTED-a"], ["x-a", "y"], true),
      (["REDACTED", "REDACTED-a"], ["y", "x-a"], true),
      (["REDACTED", "REDACTED-a"], ["x", "y"], false),
      (["a-REDACTED", "REDACTED-b", "REDACTED"], ["a-b", "a-c", "d-b"], true),
      (["a-REDACTED", "REDACTED-b", "REDACTED"], ["a-b", "a-c", "a-d"], true),
      (["a-REDACTED", "REDACTED-b", "a-REDACTED"], ["a-b", "a-c", "a-d"], true),
      (["a-REDACTED", "REDACTED-b", "a-REDACTED"], ["a-b", "a-c", "d"], false),
      (["REDACTED", "REDACTED", "1"], ["1", "1", "1"], true),
      (["REDACTED", "REDACTED", "1"], ["1", "1"], false),
    ] {
      func items(_ values: [String]) -> NamedItems { NamedItems(values.map { NamedValue(name: "token", value: $0) }) }
      #expect(items(recorded).isMetAsRecorded(by: items(sent)) == isMet, "\(recorded)")
    }
  }

  @Test("finds its entry after the standard redactions")
  func standard() {
    for kind in 0..<3 {
      let archive = HTTPArchive(
        entries: ["ann", "bob"].map { entry(Self.secretive($0, "s3cretOf\($0)", kind: kind)) }
      ).redacted(.standard)
      for matching in [.default, [.method, .url, .body, .headers(["Authorization", "Cookie", "X-Api-Key"])]]
        as [ReplayMatching]
      {
        let registry = StubRegistry()
        let stubs = replay(archive, matching: matching, in: registry)
        for (position, name) in ["ann", "bob"].enumerated() {
          let live = Self.secretive(name, "anotherSecret", kind: kind)
          #expect(registry.stub(matching: live) === stubs[position], "\(stubs[position].condition)")
        }
        #expect(registry.stub(matching: Self.secretive("eve", "anotherSecret", kind: kind)) == nil, "\(kind)")
      }
    }
  }

  @Test("meets a placeholder only with a value of its kind, and an exact entry before it")
  func kinds() {
    for password in [
      #""""#, "null", "true", "{}", "[]", "7", nil, #"{"password": "x"}"#,
    ] {
      func login(_ password: String?) -> URLRequest {
        request(
          "http://a.com/login", method: "POST",
          body: #"{"user": "ann"\#(password.map { #", "password": \#($0)"# } ?? "")}"#)
      }
      let wrong = entry(login(#""wr0ng" "#), status: 401)
      let archive = HTTPArchive(entries: [wrong, entry(login(password), status: 422)]).redacted(.standard)
      let registry = StubRegistry()
      let stubs = replay(archive, in: registry)
      #expect(registry.stub(matching: login(#""another""#)) === stubs[0], "\(password)")
      #expect(registry.stub(matching: login(password)) === stubs[1], "\(password)")
      // Without its own entry, it has no answer.
      let other = entry(login(#"["REDACTED"]"#))
      let alone = replay(HTTPArchive(entries: [archive.entries[0], other]), in: StubRegistry())
      #expect(alone[0].condition.matches(login(#""another""#)), "\(password)")
      #expect(!alone[0].condition.matches(login(password)), "\(password)")
    }
  }
}
