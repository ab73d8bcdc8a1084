import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitFormats
@testable import StubKitRecorder

/// A client that uses in its second request what the response to its first one contains.
@Suite("A conversation with a secret", .inTurn)
struct ConversationTests {
  struct Flow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The body and the headers of the first response, with the secret.
    var body: @Sendable (String) -> String = { #"{"token": "\#($0)"}"# }
    var headers: HTTPArchive.Headers = ["Content-Type": "application/json"]
    /// What the client takes from the response.
    var take: @Sendable (String) -> String? = { $0.string(of: "token") }
    /// The second request, with what the client took.
    let follow: @Sendable (String) -> URLRequest
    var secret = "t0k" + "n-5Fq" + "9ZkR2/w+Xb7=="

    /// Sends both requests, and returns what comes back for the second.
    func run(_ answer: (URLRequest) throws -> String) throws -> String {
      let first = try answer(Self.login)
      let taken = try #require(take(first), "\(first)")
      return try answer(follow(taken))
    }

    static let login = request(
      "https://a.example/login", method: "POST", headers: ["Content-Type": "application/json"],
      body: #"{"user": "ann", "password": "\#("hunter" + "2 secret!")"}"#)

    /// The archive of the live conversation. A request without the right secret gets another answer.
    var recorded: HTTPArchive {
      let other = request("https://a.example/other/\("x1" + "y2z3")?n=2")
      return HTTPArchive(entries: [
        HTTPArchive.Entry(
          request: Self.login, response: .init(headers: headers, body: Data(body(secret).utf8)),
          startedAt: Date(timeIntervalSince1970: 0)),
        entry(other, "another"), entry(follow(take(body(secret)) ?? ""), "welcome"),
      ])
    }
  }

  private static func get(_ address: String, _ headers: [String: String] = [:]) -> URLRequest {
    request("https://a.example" + address, headers: headers)
  }

  static let flows = [
    Flow(testDescription: "the path") { get("/upl/\($0.escaped)/done") },
    Flow(testDescription: "another header") { get("/me", ["X-Account": $0]) },
    Flow(testDescription: "another name in the query") { get("/me?t=\($0.escaped)") },
    Flow(testDescription: "another key of JSON") {
      request("https://a.example/next", method: "POST", body: #"{"from": {"cursor": \#(JSONValue($0))}}"#)
    },
    Flow(
      testDescription: "the path, decoded", body: { #"{"token": "\#($0.escaped)"}"# },
      take: { $0.string(of: "token")?.removingPercentEncoding }
    ) { get("/upl?key=\($0.escaped)") },
    Flow(testDescription: "the path, percent-encoded twice") { get("/go?to=\("/a?b=\($0.escaped)".escaped)") },
    Flow(testDescription: "Basic credentials") {
      get("/me", ["Authorization": "Basic \(Data("ann:\($0)".utf8).base64EncodedString())"])
    },
    Flow(
      testDescription: "a form, out of a page",
      body: { "<html><input type=\"hidden\" name=\"csrf_token\" value=\"\($0)\"></html>" },
      headers: ["Content-Type": "text/html"],
      take: { $0.components(separatedBy: "value=\"").last?.components(separatedBy: "\"").first }
    ) {
      request(
        "https://a.example/form", method: "POST", headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: "a=1&check=\($0.escaped)")
    },
    Flow(
      testDescription: "a number in the path", body: { #"{"otp": \#($0)}"# },
      take: { text in (try? JSONValue(parsing: Data(text.utf8)))?["otp"].map { "\($0)" } },
      follow: { get("/verify/\($0)") }, secret: "48" + "1516"),
    Flow(
      testDescription: "a UUID in the query", body: { #"{"token": "\#($0)"}"# },
      take: { $0.string(of: "token").flatMap { UUID(uuidString: $0)?.uuidString.lowercased() } },
      follow: { get("/me?session=\($0)") }, secret: "8b9c3c1e-6f0e-4f0e-9d0a-" + "0d4f5b1c2a3b"),
    Flow(
      testDescription: "text out of Base64", body: { #"{"token": "\#(Data($0.utf8).base64EncodedString())"}"# },
      take: { text in
        text.string(of: "token").flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) }
      },
      follow: { get("/upl/\($0.escaped)") }, secret: "user-42" + "-key-77"),
  ]

  @Test("replays after redaction, where the secret is in", arguments: flows)
  func replays(flow: Flow) async throws {
    let folder = try TestFolder()
    let file = folder.url.appendingPathComponent("a.har")
    try flow.recorded.redacted(.standard).write(to: file)
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    for form in [flow.secret, flow.secret.escaped, Data(flow.secret.utf8).base64EncodedString(), "hunter2"] {
      #expect(!text.contains(form), "\(form) in \(text)")
    }
    #expect(text.contains("REDACTED"))
    let archive = try HTTPArchive(contentsOf: file)
    let registry = StubRegistry()
    let stubs = replay(
      archive, matching: [.method, .url, .body, .headers(["Authorization", "X-Account"])], in: registry)
    let answer = try flow.run { request in
      let stub = try #require(registry.stub(matching: request), "\(request.url!) \(text)")
      let position = try #require(stubs.firstIndex { $0 === stub })
      return String(decoding: archive.entries[position].response?.body ?? Data(), as: UTF8.self)
    }
    #expect(answer == "welcome")
  }

  @Test("gives each of two secrets its own placeholder, and each request its own entry")
  func twoSecrets() throws {
    let (one, two) = ("first-" + "9Zk2Rw7Q", "second-" + "5Xb8Lm3V")
    let archive = HTTPArchive(entries: [
      entry("https://a.example/start", #"{"token": "\#(one)", "other": {"token": "\#(two)"}, "again": "\#(one)"}"#),
      entry("https://a.example/upl/\(two)", "two"), entry("https://a.example/upl/\(one)", "one"),
    ]).redacted(.standard)
    let text = archive.entries[0].response.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(text == #"{"token": "REDACTED", "other": {"token": "REDACTED-2"}, "again": "REDACTED"}"#)
    let registry = StubRegistry()
    let stubs = replay(archive, in: registry)
    // The client of a replay has placeholders. They repeat.
    for _ in 0..<2 {
      #expect(registry.stub(matching: request("https://a.example/upl/REDACTED")) === stubs[2])
      #expect(registry.stub(matching: request("https://a.example/upl/REDACTED-2")) === stubs[1])
    }
    #expect(registry.stub(matching: request("https://a.example/upl/of-my-own")) === stubs[1])
    #expect(registry.stub(matching: request("https://a.example/upl")) == nil)
  }

  @Test("answers requests with other secrets in the recorded order, and repeats the last entry of a placeholder")
  func turns() async throws {
    let (one, two) = ("first-" + "9Zk2Rw7Q", "second-" + "5Xb8Lm3V")
    let archive = HTTPArchive(
      entries: [(one, "1"), (two, "2"), (one, "3")].map { entry("https://a.example/x?token=\($0)", $1) }
    ).redacted(.standard)
    func answers(_ secrets: [String]) async throws -> [String] {
      try await withStubs {
        replay(archive)
        var answers: [String] = []
        for secret in secrets {
          let (data, _) = try await URLSession.shared.data(from: url("https://a.example/x?token=\(secret)"))
          answers.append(String(decoding: data, as: UTF8.self))
        }
        return answers
      }
    }
    #expect(try await answers(["a", "b", "c", "d"]) == ["1", "2", "3", "3"])
    #expect(
      try await answers(["REDACTED-2", "REDACTED-2", "REDACTED", "REDACTED", "REDACTED"]) == ["2", "2", "1", "3", "3"])
  }

  @Test("keeps the placeholders of what was recorded before")
  func additions() {
    let old = HTTPArchive(entries: [
      entry("https://a.example/a?token=\("a1b2c3" + "d4e5")"), entry("https://a.example/b?token=\("f6g7h8" + "i9j0")"),
    ]).redacted(.standard)
    var more = old
    more.entries.append(entry("https://a.example/c?token=\("k1l2m3" + "n4o5")"))
    let queries = more.redacted(.standard).entries.map { $0.request.url?.query }
    #expect(queries == ["token=REDACTED", "token=REDACTED-2", "token=REDACTED-3"])
  }

  @Test("keeps the type and the shape of its values")
  func shapes() {
    for (text, expected) in [
      (
        #"{"token":{"value":"abc1-23x9","expires":3600,"type":"bearer"}}"#,
        #"{"token":{"value":"REDACTED","expires":3600,"type":"bearer"}}"#
      ),
      (#"{"pin": 4711, "secret": null, "token": true}"#, #"{"pin": 7332, "secret": null, "token": true}"#),
      (
        #"{"token":"8B9C3C1E-6F0E-4F0E-9D0A-0D4F5B1C2A3B"}"#,
        #"{"token":"0EDAC7ED-0000-4000-8000-000000000001"}"#
      ),
      (#"{"secret":"2026-03-01T12:30:00.123Z"}"#, #"{"secret":"2026-03-01T12:30:00.123Z"}"#),
      (#"{"secret":"aGVsbG8gd29ybGQ="}"#, #"{"secret":"UkVEQUNURUQuLi4="}"#),
      (#"{"signature":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"}"#, #"{"signature":"UkVEQUNURUQuLi4uLi4uLi4uLi4uLi4u"}"#),
      (#"{"secret":"33a64df551425fcc55e4"}"#, #"{"secret":"0edac7ed000000000001"}"#),
      (#"{"otp":"493817","token":"12345678901234"}"#, #"{"otp":"733228","token":"73322833000002"}"#),
      (
        #"{"password":["is too short (minimum is 8 characters)"]}"#,
        #"{"password":["is too short (minimum is 8 characters)"]}"#
      ),
      (#"{"Authorization":"Bearer abcdefgh1"}"#, #"{"Authorization":"Bearer REDACTED"}"#),
    ] {
      let redacted = HTTPArchive(entries: [entry("https://a.example/", text)]).redacted(.standard)
      #expect(redacted.entries[0].response.map { String(decoding: $0.body, as: UTF8.self) } == expected, "\(text)")
      #expect(redacted.redactedAndCounted(.standard).count == 0, "\(text)")
    }
  }

  @Test("keeps the header and the claims of a JSON Web Token")
  func token() throws {
    func part(_ text: String) -> String { Data(text.utf8).base64EncodedString().replacing("=", with: "") }
    let head = part(#"{"alg":"HS256","typ":"JWT"}"#) + "." + part(#"{"exp":1893456000,"api_key":"k3y"}"#)
    let body = #"{"access_token": "\#(head).\#("s1gn" + "atUre5Fq9ZkR2")"}"#
    let redacted = HTTPArchive(entries: [entry("https://a.example/", body)]).redacted(.standard)
    let text = try #require(redacted.entries[0].response.map { String(decoding: $0.body, as: UTF8.self) })
    let token = try #require(text.string(of: "access_token"))
    let parts = token.split(separator: ".").map {
      Data(base64OfAnyKind: String($0)).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(parts == [#"{"alg":"HS256","typ":"JWT"}"#, #"{"exp":1893456000,"api_key":"k3y"}"#, "REDACTED...."])
  }

  @Test("leaves a compressed body as it is, and names it")
  func compressed() throws {
    for (coding, text, isLeft) in [
      // gzip of one member, and of two, each with a password.
      (nil, "H4sIAAAAAAACA6tWKkgsLi7PL0pRslJQKjZOLkot0bXUNcpWqgUA/cBG8hsAAAA=", true),
      (
        "gzip",
        "H4sIAAAAAAACA6tWKkgsLi7PL0pRslJQKjZOLkot0bXUNcpWqgUA/cBG8hsAAAAfiwgAAAAAAAIDq1YqSCwuLs8vSlGyUlAqNk4uSi3RtdQ1ylaqBQD9wEbyGwAAAA==",
        true
      ),
      ("deflate", "eJyrVipILC4uzy9KUbJSUCo2Ti5KLdG11DXKVqoFAIKrCNI=", true), ("br", "iwyAeyJwYXNzd29yZCI6IP8D", true),
      // What is said to be compressed and is text is searched.
      ("gzip", Data(#"{"password": "s3cret-9-2k"}"#.utf8).base64EncodedString(), false),
      ("identity", Data(#"{"password": "s3cret-9-2k"}"#.utf8).base64EncodedString(), false),
    ] as [(String?, String, Bool)] {
      let body = try #require(Data(base64Encoded: text), "\(text)")
      var request = request("https://a.example/login", method: "POST")
      request.setValue(coding, forHTTPHeaderField: "Content-Encoding")
      request.httpBody = body
      let (redacted, report) = HTTPArchive(entries: [entry(request)]).redactedAndReported(.standard)
      #expect((redacted.entries[0].request.httpBody == body) == isLeft, "\(text)")
      let named = "; not searched, because compressed: the request body of entry 1"
      #expect(report.unsearched == (isLeft ? named : ""), "\(text)")
      #expect(report.summary == (isLeft ? "0 values redacted\(named)" : "1 value redacted: 1 by name"), "\(text)")
    }
  }
}

extension String {
  fileprivate var escaped: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }

  /// The string of a key in a JSON object.
  fileprivate func string(of key: String) -> String? {
    guard let value = try? JSONValue(parsing: Data(utf8)), case .string(let text)? = value[key] else { return nil }
    return text
  }
}
