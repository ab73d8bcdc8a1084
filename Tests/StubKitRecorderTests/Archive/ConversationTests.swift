import Foundation
import StubKitRecorder
import TestSupport
import Testing

/// A client that uses in its second request what the response to its first one contains.
@Suite("A conversation with a secret", .inTurn)
struct ConversationTests {
  /// How a text is written in a response or a request.
  enum Form {
    case plain, percent, twice, basic

    func written(_ text: String) -> String {
      switch self {
      case .plain: text
      case .percent: text.escaped
      case .twice: "/a?b=\(text.escaped)".escaped
      case .basic: Data("ann:\(text)".utf8).base64EncodedString()
      }
    }

    func read(_ text: String) -> String? {
      switch self {
      case .percent: text.removingPercentEncoding
      default: text
      }
    }
  }

  // In parts, so that no scanner of source code takes them for live ones.
  static let secret = "t0k" + "n-5Fq" + "9ZkR2/w+Xb7=="
  static let json = #"{"token": "VALUE"}"#
  static let login = asked(#"https://a.example/login json < {"user": "ann", "password": "\#("hunter" + "2 secret!")"}"#)

  /// The first response, how it has the secret, the secret, the second request (a path, a header after `@`, and a body
  /// after `<`), and how that has the secret.
  static let flows: [(answer: String, had: Form, secret: String, request: String, sent: Form)] = [
    (json, .plain, secret, "/upl/VALUE/done", .percent), (json, .plain, secret, "/me @X-Account=VALUE", .plain),
    (json, .plain, secret, "/me?t=VALUE", .percent),
    (json, .plain, secret, #"/next < {"from": {"cursor": "VALUE"}}"#, .plain),
    (json, .percent, secret, "/upl?key=VALUE", .percent), (json, .plain, secret, "/go?to=VALUE", .twice),
    (json, .plain, secret, "/me @Authorization=Basic+VALUE", .basic),
    (
      #"<html><input type="hidden" name="csrf_token" value="VALUE"></html>"#, .plain, secret,
      "/form form < a=1&check=VALUE", .percent
    ),
    (json, .plain, "8b9c3c1e-6f0e-4f0e-9d0a-" + "0d4f5b1c2a3b", "/me?session=VALUE", .plain),
  ]

  @Test("replays after redaction, whether the second request has the secret in its path, query, header or body")
  func replays() throws {
    for flow in Self.flows {
      func follow(_ text: String) -> URLRequest {
        PlantedSecret.entry("https://a.example" + flow.request, "", flow.sent.written(text)).request
      }
      let parts = flow.answer.components(separatedBy: "VALUE")
      let body = parts.joined(separator: flow.had.written(flow.secret))
      let type = body.hasPrefix("<") ? "text/html" : "application/json"
      let recorded = HTTPArchive(
        HTTPArchive.Entry(request: Self.login, response: .init(headers: ["Content-Type": type], body: Data(body.utf8))),
        entry("https://a.example/other/\("x1" + "y2z3")?n=2", "another"), entry(follow(flow.secret), "welcome"))
      let data = recorded.redactedAndReported(.standard).archive.data
      let text = data.text
      for form in [flow.secret, flow.secret.escaped, Data(flow.secret.utf8).base64EncodedString(), "hunter2"] {
        #expect(!text.contains(form), "\(flow.request), \(form): \(text)")
      }
      #expect(text.contains("REDACTED"), "\(flow.request)")
      let archive = try HTTPArchive(data)
      let registry = StubRegistry()
      let stubs = replay(
        archive, matching: [.method, .url, .body, .headers(["Authorization", "X-Account"])], in: registry)
      func answer(_ request: URLRequest) throws -> String {
        let stub = try #require(registry.answerer(of: request), "\(flow.request): \(request.url!) \(text)")
        let position = try #require(stubs.firstIndex { $0 === stub })
        return (archive.entries[position].response?.body ?? Data()).text
      }
      let first = try answer(Self.login)
      #expect(first.hasPrefix(parts[0]) && first.hasSuffix(parts[1]), "\(flow.request): \(first)")
      let taken = flow.had.read(String(first.dropFirst(parts[0].count).dropLast(parts[1].count)))
      #expect(try answer(follow(try #require(taken))) == "welcome", "\(flow.request)")
    }
  }

  @Test("answers requests with other secrets in the recorded order, and repeats the last entry of a placeholder")
  func turns() async throws {
    let (one, two) = ("first-" + "9Zk2Rw7Q", "second-" + "5Xb8Lm3V")
    let archive = HTTPArchive(
      entries: [(one, "1"), (two, "2"), (one, "3")].map { entry("https://a.example/x?token=\($0)", $1) }
    ).redactedAndReported(.standard).archive
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
    // REDACTED is the placeholder of the first secret, and REDACTED-2 that of the second one.
    #expect(
      try await answers(["REDACTED-2", "REDACTED-2", "REDACTED", "REDACTED", "REDACTED"]) == ["2", "2", "1", "3", "3"])
    // What is added later leaves the placeholders of what was recorded before.
    var more = archive
    more.entries.append(entry("https://a.example/c?token=\("k1l2m3" + "n4o5")"))
    let queries = more.redactedAndReported(.standard).archive.entries.map { $0.request.url?.query }
    #expect(queries == ["token=REDACTED", "token=REDACTED-2", "token=REDACTED", "token=REDACTED-3"])
  }

  @Test("can be redacted whatever names an identifier has: each request still finds its entry")
  func identifiers() {
    for id in [
      "SM5d739cb46598fc532b39a7a647806f17",
      "q9Q2xT7vB8nL4pR6sW1z", "8b9c3c1e-6f0e-4f0e-9d0a-0d4f5b1c2a3b", "7332",
      "33a64df551425fcc55e433a64df551425fcc55e4", "9f86d081", "https://a.example/x/q9Q2xT7vB8nL4pR6sW1z",
    ] {
      let last = id.split(separator: "/").last ?? ""
      let answer = #"{"sid": "\#(id)", "token": {"id": "\#(id)"}, "api_key": "\#(id)", "uri": "/tokens/\#(id).json"}"#
      let archive = HTTPArchive(
        entry("https://a.example", answer), entry(asked(#"https://a.example < {"sid": "\#(id)"}"#), answer),
        entry("https://a.example/tokens/\(last).json", answer), entry("https://a.example/a?sid=\(last)&b=1", answer),
        entry("https://a.example/\(last)/\(last.uppercased())"),
        entry("https://\(last.prefix(8).lowercased()).a.example/"),
        entry("https://hooks.slack.com/services/T0AB1/B0CD2/k3v3iwRwZIpdjJlyuuiUtjpy"))
      let (redacted, report) = archive.redactedAndReported(.standard)
      let proof = RedactionProof(of: redacted, against: archive, .standard, report)
      #expect(proof.problem == nil, "\(id): \(proof.problem?.sentence ?? "") \(proof.advice)")
    }
  }

  @Test("keeps the header and the claims of a JSON Web Token that are no secrets")
  func token() {
    func part(_ text: String) -> String { Data(text.utf8).base64EncodedString().replacing("=", with: "") }
    let head = part(#"{"alg":"HS256","typ":"JWT"}"#) + "." + part(#"{"exp":1893456000,"sub":"42"}"#)
    let body = #"{"access_token": "\#(head).\#("s1gn" + "atUre5Fq9ZkR2")"}"#
    let redacted = HTTPArchive(entry("https://a.example/", body)).redactedAndReported(.standard).archive
    // REDACTED.... in Base64.
    #expect(redacted.entries[0].response?.body == Data(#"{"access_token": "\#(head).UkVEQUNURUQuLi4u"}"#.utf8))
  }

  @Test("lets a placeholder stand only for values of its kind, and prefers an entry that is exact")
  func kinds() {
    // The wrong password was a text, so none of these meets its placeholder, but any other text does.
    for password in [#""""#, "null", "true", "{}", "[]", "7", nil, #"{"password": "x"}"#] {
      func login(_ password: String?) -> URLRequest {
        asked(#"/login < {"user": "ann"\#(password.map { #", "password": \#($0)"# } ?? "")}"#)
      }
      let wrong = entry(login(#""wr0ng" "#), status: 401)
      let archive = HTTPArchive(wrong, entry(login(password), status: 422)).redactedAndReported(.standard).archive
      let registry = StubRegistry()
      let stubs = replay(archive, in: registry)
      #expect(registry.answerer(of: login(#""another""#)) === stubs[0], "\(password ?? "none")")
      #expect(registry.answerer(of: login(password)) === stubs[1], "\(password ?? "none")")
      // Without its own entry, it has no answer.
      let other = entry(login(#"["REDACTED"]"#))
      let alone = replay(HTTPArchive(archive.entries[0], other), in: StubRegistry())
      #expect(alone[0].condition.matches(login(#""another""#)), "\(password ?? "none")")
      #expect(!alone[0].condition.matches(login(password)), "\(password ?? "none")")
    }
  }
}

extension String {
  fileprivate var escaped: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self }
}
