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
  struct Flow: Sendable {
    let name: String
    /// The body of the first response, with the secret.
    var body: @Sendable (String) -> String = { #"{"token": "\#($0)"}"# }
    /// What the client takes from the response.
    var take: @Sendable (String) -> String? = { $0.string(of: "token") }
    var secret = "t0k" + "n-5Fq" + "9ZkR2/w+Xb7=="
    /// The second request, with what the client took.
    let follow: @Sendable (String) -> URLRequest

    static let login = asked(
      #"https://a.example/login json < {"user": "ann", "password": "\#("hunter" + "2 secret!")"}"#)

    /// The archive of the live conversation. A request without the right secret gets another answer.
    var recorded: HTTPArchive {
      let type = body("a").hasPrefix("<") ? "text/html" : "application/json"
      return HTTPArchive(entries: [
        HTTPArchive.Entry(
          request: Self.login, response: .init(headers: ["Content-Type": type], body: Data(body(secret).utf8))),
        entry("https://a.example/other/\("x1" + "y2z3")?n=2", "another"),
        entry(follow(take(body(secret)) ?? ""), "welcome"),
      ])
    }
  }

  private static func get(_ address: String, _ headers: [String: String] = [:]) -> URLRequest {
    request("https://a.example" + address, headers: headers)
  }

  static let flows = [
    Flow(name: "the path") { get("/upl/\($0.escaped)/done") },
    Flow(name: "another header") { get("/me", ["X-Account": $0]) },
    Flow(name: "another name in the query") { get("/me?t=\($0.escaped)") },
    Flow(name: "another key of JSON") { asked(#"https://a.example/next < {"from": {"cursor": \#(JSONValue($0))}}"#) },
    Flow(
      name: "the path, decoded", body: { #"{"token": "\#($0.escaped)"}"# },
      take: { $0.string(of: "token")?.removingPercentEncoding }
    ) { get("/upl?key=\($0.escaped)") },
    Flow(name: "the path, percent-encoded twice") { get("/go?to=\("/a?b=\($0.escaped)".escaped)") },
    Flow(name: "Basic credentials") {
      get("/me", ["Authorization": "Basic \(Data("ann:\($0)".utf8).base64EncodedString())"])
    },
    Flow(
      name: "a form, out of a page",
      body: { "<html><input type=\"hidden\" name=\"csrf_token\" value=\"\($0)\"></html>" },
      take: { $0.components(separatedBy: "value=\"").last?.components(separatedBy: "\"").first }
    ) { asked("https://a.example/form form < a=1&check=\($0.escaped)") },
    Flow(
      name: "a number in the path", body: { #"{"otp": \#($0)}"# },
      take: { text in (try? JSONValue(parsing: Data(text.utf8)))?["otp"].map { "\($0)" } }, secret: "48" + "1516"
    ) { get("/verify/\($0)") },
    Flow(
      name: "a UUID in the query", take: { UUID(uuidString: $0.string(of: "token") ?? "")?.uuidString.lowercased() },
      secret: "8b9c3c1e-6f0e-4f0e-9d0a-" + "0d4f5b1c2a3b"
    ) { get("/me?session=\($0)") },
    Flow(
      name: "text out of Base64", body: { #"{"token": "\#(Data($0.utf8).base64EncodedString())"}"# },
      take: { $0.string(of: "token").flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) } },
      secret: "user-42" + "-key-77"
    ) { get("/upl/\($0.escaped)") },
  ]

  @Test("replays after redaction, where the secret is in a path, a header, a body and in other encodings")
  func replays() throws {
    for flow in Self.flows {
      let data = flow.recorded.redacted(.standard).data
      let text = String(decoding: data, as: UTF8.self)
      for form in [flow.secret, flow.secret.escaped, Data(flow.secret.utf8).base64EncodedString(), "hunter2"] {
        #expect(!text.contains(form), "\(form) in \(text)")
      }
      #expect(text.contains("REDACTED"), "\(flow.name)")
      let archive = try HTTPArchive(data)
      let registry = StubRegistry()
      let stubs = replay(
        archive, matching: [.method, .url, .body, .headers(["Authorization", "X-Account"])], in: registry)
      func answer(_ request: URLRequest) throws -> String {
        let stub = try #require(registry.stub(matching: request), "\(flow.name): \(request.url!) \(text)")
        let position = try #require(stubs.firstIndex { $0 === stub })
        return String(decoding: archive.entries[position].response?.body ?? Data(), as: UTF8.self)
      }
      let first = try answer(Flow.login)
      #expect(try answer(flow.follow(try #require(flow.take(first), "\(first)"))) == "welcome", "\(flow.name)")
    }
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
          answers.append(try await URLSession.shared.fetch("https://a.example/x?token=\(secret)").text)
        }
        return answers
      }
    }
    #expect(try await answers(["a", "b", "c", "d"]) == ["1", "2", "3", "3"])
    #expect(
      try await answers(["REDACTED-2", "REDACTED-2", "REDACTED", "REDACTED", "REDACTED"]) == ["2", "2", "1", "3", "3"])
    // What is added later leaves the placeholders of what was recorded before.
    var more = archive
    more.entries.append(entry("https://a.example/c?token=\("k1l2m3" + "n4o5")"))
    let queries = more.redacted(.standard).entries.map { $0.request.url?.query }
    #expect(queries == ["token=REDACTED", "token=REDACTED-2", "token=REDACTED", "token=REDACTED-3"])
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

  @Test("finds a place for each of several values of one name")
  func repeated() {
    for (recorded, sent, isMet) in [
      (["REDACTED", "REDACTED-a"], ["x-a", "y"], true), (["REDACTED", "REDACTED-a"], ["y", "x-a"], true),
      (["REDACTED", "REDACTED-a"], ["x", "y"], false),
      (["a-REDACTED", "REDACTED-b", "REDACTED"], ["a-b", "a-c", "d-b"], true),
      (["a-REDACTED", "REDACTED-b", "REDACTED"], ["a-b", "a-c", "a-d"], true),
      (["a-REDACTED", "REDACTED-b", "a-REDACTED"], ["a-b", "a-c", "a-d"], true),
      (["a-REDACTED", "REDACTED-b", "a-REDACTED"], ["a-b", "a-c", "d"], false),
      (["REDACTED", "REDACTED", "1"], ["1", "1", "1"], true), (["REDACTED", "REDACTED", "1"], ["1", "1"], false),
    ] {
      func items(_ values: [String]) -> NamedItems { NamedItems(values.map { NamedValue(name: "token", value: $0) }) }
      #expect(items(recorded).isMetAsRecorded(by: items(sent)) == isMet, "\(recorded)")
    }
  }

  @Test("meets a placeholder only with a value of its kind, and an exact entry before it")
  func kinds() {
    for password in [#""""#, "null", "true", "{}", "[]", "7", nil, #"{"password": "x"}"#] {
      func login(_ password: String?) -> URLRequest {
        asked(#"/login < {"user": "ann"\#(password.map { #", "password": \#($0)"# } ?? "")}"#)
      }
      let wrong = entry(login(#""wr0ng" "#), status: 401)
      let archive = HTTPArchive(entries: [wrong, entry(login(password), status: 422)]).redacted(.standard)
      let registry = StubRegistry()
      let stubs = replay(archive, in: registry)
      #expect(registry.stub(matching: login(#""another""#)) === stubs[0], "\(password ?? "none")")
      #expect(registry.stub(matching: login(password)) === stubs[1], "\(password ?? "none")")
      // Without its own entry, it has no answer.
      let other = entry(login(#"["REDACTED"]"#))
      let alone = replay(HTTPArchive(entries: [archive.entries[0], other]), in: StubRegistry())
      #expect(alone[0].condition.matches(login(#""another""#)), "\(password ?? "none")")
      #expect(!alone[0].condition.matches(login(password)), "\(password ?? "none")")
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
