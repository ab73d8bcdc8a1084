import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitFormats
@testable import StubKitRecorder

@Suite("A request with its secrets", .inTurn)
struct RedactedReplayTests {
  /// A random request, and what a recording has of it.
  struct Pair {
    let live: URLRequest
    let recorded: URLRequest
    /// The same request as the live one, but for a part that was not redacted.
    let other: URLRequest

    init(_ random: inout SplitMix64) {
      let kind = random.below(3)
      let path = "/" + Self.word(&random)
      var (live, recorded, other): ([String], [String], [String]) = ([], [], [])
      for number in 0...random.below(4) {
        let name = "n\(number)"
        let value = Self.word(&random)
        let isSecret = random.chance(percent: 50)
        live.append("\(name)=\(value)")
        recorded.append("\(name)=\(isSecret ? Redacted.mark : value)")
        other.append("\(name)=\(value)")
      }
      live.append("last=1")
      recorded.append("last=1")
      other.append("last=2")
      let order = live.indices.shuffled(using: &random)
      let text = order.map { live[$0] }.joined(separator: "&")
      switch kind {
      case 0:
        self.live = request("http://a.com\(path)?\(text)")
        self.recorded = request("http://a.com\(path)?\(recorded.joined(separator: "&"))")
        self.other = request("http://a.com\(path)?\(other.joined(separator: "&"))")
      case 1:
        self.live = Self.form(path, text)
        self.recorded = Self.form(path, recorded.joined(separator: "&"))
        self.other = Self.form(path, other.joined(separator: "&"))
      default:
        let json = Self.json(&random, 3)
        let hidden = Self.redacted(json, &random)
        self.live = Self.body(path, ["a": json, "last": 1])
        self.recorded = Self.body(path, ["a": hidden, "last": 1])
        self.other = Self.body(path, ["a": json, "last": 2])
      }
    }

    private static func word(_ random: inout SplitMix64) -> String {
      String((0...random.below(8)).map { _ in random.pick(Array("abcXYZ019-._~é字")) })
        .addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
    }

    private static func form(_ path: String, _ text: String) -> URLRequest {
      request(
        "http://a.com\(path)", method: "POST", headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: text)
    }

    private static func body(_ path: String, _ json: JSONValue) -> URLRequest {
      request("http://a.com\(path)", method: "POST", body: "\(json)")
    }

    private static func json(_ random: inout SplitMix64, _ depth: Int) -> JSONValue {
      switch random.below(depth > 0 ? 6 : 4) {
      case 0: .null
      case 1: .bool(random.chance(percent: 50))
      case 2: JSONValue(random.below(1_000))
      case 3: .string(word(&random))
      case 4: .array((0..<random.below(4)).map { _ in json(&random, depth - 1) })
      default:
        .object(
          Dictionary(
            (0..<random.below(4)).map { ("k\($0)", json(&random, depth - 1)) }, uniquingKeysWith: { $1 }))
      }
    }

    private static func redacted(_ json: JSONValue, _ random: inout SplitMix64) -> JSONValue {
      switch json {
      case .string(let text) where !text.isEmpty && random.chance(percent: 50): return .string(Redacted.name(2))
      case .number where random.chance(percent: 50): return .number(JSONNumber(Redacted.anyNumber + 1))
      case .array(let elements): return .array(elements.map { redacted($0, &random) })
      case .object(let members): return .object(members.mapValues { redacted($0, &random) })
      default: return json
      }
    }
  }

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

  @Test(
    "finds a place for each of several values of one name",
    arguments: [
      (["REDACTED", "REDACTED-a"], ["x-a", "y"], true),
      (["REDACTED", "REDACTED-a"], ["y", "x-a"], true),
      (["REDACTED", "REDACTED-a"], ["x", "y"], false),
      (["a-REDACTED", "REDACTED-b", "REDACTED"], ["a-b", "a-c", "d-b"], true),
      (["a-REDACTED", "REDACTED-b", "REDACTED"], ["a-b", "a-c", "a-d"], true),
      (["a-REDACTED", "REDACTED-b", "a-REDACTED"], ["a-b", "a-c", "a-d"], true),
      (["a-REDACTED", "REDACTED-b", "a-REDACTED"], ["a-b", "a-c", "d"], false),
      (["REDACTED", "REDACTED", "1"], ["1", "1", "1"], true),
      (["REDACTED", "REDACTED", "1"], ["1", "1"], false),
    ])
  func repeated(recorded: [String], sent: [String], isMet: Bool) {
    func items(_ values: [String]) -> NamedItems { NamedItems(values.map { NamedValue(name: "token", value: $0) }) }
    #expect(items(recorded).isMetAsRecorded(by: items(sent)) == isMet)
  }

  @Test("finds its entry after the standard redactions", arguments: 0..<3)
  func standard(kind: Int) {
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
      #expect(registry.stub(matching: Self.secretive("eve", "anotherSecret", kind: kind)) == nil)
    }
  }

  @Test(
    "meets a placeholder only with a value of its kind, and an exact entry before it",
    arguments: [
      #""""#, "null", "true", "{}", "[]", "7", nil, #"{"password": "x"}"#,
    ])
  func kinds(password: String?) {
    func login(_ password: String?) -> URLRequest {
      request(
        "http://a.com/login", method: "POST",
        body: #"{"user": "ann"\#(password.map { #", "password": \#($0)"# } ?? "")}"#)
    }
    let wrong = entry(login(#""wr0ng" "#), status: 401)
    let archive = HTTPArchive(entries: [wrong, entry(login(password), status: 422)]).redacted(.standard)
    let registry = StubRegistry()
    let stubs = replay(archive, in: registry)
    #expect(registry.stub(matching: login(#""another""#)) === stubs[0])
    #expect(registry.stub(matching: login(password)) === stubs[1])
    // Without its own entry, it has no answer.
    let other = entry(login(#"["REDACTED"]"#))
    let alone = replay(HTTPArchive(entries: [archive.entries[0], other]), in: StubRegistry())
    #expect(alone[0].condition.matches(login(#""another""#)))
    #expect(!alone[0].condition.matches(login(password)))
  }

  @Test("meets a placeholder in a header, a query and a path only with something")
  func places() {
    let archive = HTTPArchive(entries: [
      entry(request("http://a.com/upl/REDACTED?token=REDACTED-2", headers: ["Authorization": "Bearer REDACTED-3"]))
    ])
    let stubs = replay(archive, matching: [.method, .url, .headers(["Authorization"])], in: StubRegistry())
    func matches(_ address: String, _ authorization: String?) -> Bool {
      stubs[0].condition.matches(
        request("http://a.com" + address, headers: authorization.map { ["Authorization": $0] } ?? [:]))
    }
    #expect(matches("/upl/1?token=2", "Bearer 3"))
    for (address, authorization) in [
      ("/upl/?token=2", "Bearer 3"), ("/upl?token=2", "Bearer 3"), ("/upl/1?token=", "Bearer 3"),
      ("/upl/1?token", "Bearer 3"),
      ("/upl/1", "Bearer 3"), ("/upl/1?token=2", "Basic 3"), ("/upl/1?token=2", nil), ("/upl/1/2?token=2", "Bearer 3"),
    ] {
      #expect(!matches(address, authorization), "\(address) \(authorization ?? "")")
    }
  }

  @Test("finds the entry that has REDACTED in their place, and no other", arguments: [1, 2, 3, 4] as [UInt64])
  func property(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for number in 1...250 {
      let pair = Pair(&random)
      // A second entry with another body makes the bodies count.
      let archive = HTTPArchive(entries: [entry(pair.recorded), entry(pair.other)])
      let registry = StubRegistry()
      let stubs = replay(archive, in: registry)
      #expect(
        registry.stub(matching: pair.live) === stubs[0], "seed \(seed), request \(number): \(stubs[0].condition)")
      #expect(registry.stub(matching: pair.other) === stubs[1], "seed \(seed), request \(number)")
    }
  }
}
