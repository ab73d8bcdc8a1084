import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("A placeholder", .inTurn)
struct PlaceholderTests {
  /// Where a value of a request can be: in its URL, in a header after `@`, or in a body after `<`, before which the
  /// type of the body is. `NAME` and `VALUE` stand for both.
  private static let places = [
    "?NAME=VALUE", "/NAME/VALUE", "@X-NAME=VALUE", "form < a=1&NAME=VALUE", #"< {"a": [{"NAME": "VALUE"}]}"#,
    "@Cookie=NAME=VALUE", "parts:b < NAME=VALUE", #"query:A < {"NAME": "VALUE"}"#, "< NAME: \"VALUE\"",
  ]

  private static func request(_ place: String, _ name: String, _ value: String) -> URLRequest {
    let isInURL = place.hasPrefix("?") || place.hasPrefix("/") || place.hasPrefix("form")
    let escaped = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value
    return PlantedSecret.entry(place, name, isInURL ? escaped : value).request
  }

  private static func recorded(_ request: URLRequest) -> HTTPArchive.Entry {
    var entry = StubKitRecorderTests.entry(request)
    entry.redacted = []
    return entry
  }

  private static let matching: ReplayMatching = [.method, .url, .body, .headers(["Cookie", "X-item", "X-password"])]

  private static func answers(_ archive: HTTPArchive, _ request: URLRequest) throws -> Bool {
    let registry = StubRegistry()
    var archive = try HTTPArchive(archive.data)
    // Variables count where an operation has different ones.
    archive.entries.append(entry(asked(#"query:A < {"other": 1}"#)))
    let stubs = replay(archive, matching: matching, in: registry)
    return registry.answerer(of: request).map { $0 !== stubs.last } ?? false
  }

  /// Values with 733, the word REDACTED, its Base64, or a UUID with 0edac7ed.
  private static let lookalikes = [
    "733", "7332", "73322833", "2024-05-01T07:33:22Z", "07:33:22", "0edac7ed00000000", "REDACTED", "a REDACTED b",
    "REDACTED-2", "k7332mQ9", "19999-12", "UkVEQUNURUQuLi4u", "0edac7ed-0000-4000-8000-000000000001", "-7332-",
  ]

  /// By the named rules, each cookie and each random-looking header is a secret. There, a rule about another name
  /// leaves the value alone.
  private static func rules(leaving place: String) -> [Redaction] {
    place.hasPrefix("@") ? [.secret("other")] : .named
  }

  @Test("is only what redaction put in: a recorded value that looks like one stays", arguments: lookalikes)
  func lookalikesStay(value: String) {
    for place in Self.places {
      let archive = HTTPArchive(Self.recorded(Self.request(place, "item", value)))
      let (redacted, report) = archive.redactedAndReported(Self.rules(leaving: place))
      #expect(redacted == archive && report.count == 0, "\(place)")
      #expect(redacted.entries[0].redacted == [], "\(place)")
    }
  }

  @Test(
    "is only what redaction put in: a recorded value that looks like one meets no other value", arguments: lookalikes)
  func lookalikesMeetThemselves(value: String) throws {
    for place in Self.places {
      let request = Self.request(place, "item", value)
      let redacted = HTTPArchive(Self.recorded(request)).redactedAndReported(Self.rules(leaving: place)).archive
      #expect(try Self.answers(redacted, request), "\(place)")
      #expect(try !Self.answers(redacted, Self.request(place, "item", "5x5")), "\(place)")
    }
  }

  /// Secrets, each of another look, and another secret that looks different. Places in a path are left out: a rule
  /// about a name finds none there.
  private static let secrets = [
    ("1234", "4711"), ("123456789012", "5"), ("8b9c3c1e-6f0e-4f0e-9d0a-0d4f5b1c2a3b", "x"),
    ("33a64df551425fcc55e4", "y"), ("aGVsbG8gd29ybGQ=", "z"), ("k7331mQ9xT2vB8nL4pR6", "w"),
    ("k7332mQ9xT2vB8nL4pR6", "w"), ("REDACTED", "v"), ("7332", "0000"),
  ]
  private static let rules: [Redaction] = [.secret("password"), .secret("X-password")]

  @Test("meets the secret that it stands for, and any other, but no empty value", arguments: secrets)
  func placeholders(secret: String, other: String) throws {
    for place in Self.places where !place.hasPrefix("/") {
      let request = Self.request(place, "password", secret)
      let redacted = HTTPArchive(Self.recorded(request)).redactedAndReported(Self.rules).archive
      #expect(try Self.answers(redacted, request), "\(place)")
      #expect(try Self.answers(redacted, Self.request(place, "password", other)), "\(place)")
      #expect(try !Self.answers(redacted, Self.request(place, "password", "")), "\(place)")
    }
  }

  @Test("is one in its entry, and isn't replaced a second time, in an archive or in a file", arguments: secrets)
  func lasting(secret: String, other: String) throws {
    for place in Self.places where !place.hasPrefix("/") {
      let request = Self.request(place, "password", secret)
      let (redacted, report) = HTTPArchive(Self.recorded(request)).redactedAndReported(Self.rules)
      #expect(report.count == 1 && redacted.entries[0].redacted?.count == 1, "\(place)")
      #expect(redacted.redactedAndReported(Self.rules).report.count == 0, "\(place)")
      var document = try ArchiveDocument(redacted.data, name: "a.har")
      try document.redact(Self.rules, for: nil)
      #expect(document.data == redacted.data, "\(place)")
    }
  }

  @Test("for a short number differs from the numbers of the archive")
  func shortNumbers() throws {
    let archive = HTTPArchive(
      Self.recorded(asked(#"?id=7332 < {"pin": 1234}"#)), Self.recorded(asked(#"?id=7333 < {"pin": "7334"}"#)),
    ).redactedAndReported(.standard).archive
    // The placeholders of numbers begin with 733, and the archive has 7332 to 7334 already.
    #expect(archive.entries.map(\.redacted) == [["7335"], ["7336"]])
    #expect(try Self.answers(archive, asked(#"?id=7332 < {"pin": 5678}"#)))
    #expect(try !Self.answers(archive, asked(#"?id=5 < {"pin": 1234}"#)))
  }

  /// The placeholders of numbers with three digits begin with the same digit, so there are a hundred of them. A number
  /// of JSON with three digits stays in a response.
  @Test(
    "for each of many numbers is another one, as far as its digits allow, and no number of the archive",
    arguments: [(3, 80), (4, 300), (6, 300), (9, 40)])
  func differentNumbers(digits: Int, count: Int) throws {
    let first = Int("1" + String(repeating: "0", count: digits - 1))!
    let codes = (0..<count).map { #"{"otp": "\#(first + 7 * $0)", "cvv": \#(first + 7 * $0 + 1), "n": 733\#($0)}"# }
    let archive = HTTPArchive(entry("http://a.com/", "[\(codes.joined(separator: ", "))]"))
    let redacted = archive.redactedAndReported(.standard).archive.entries[0]
    let placeholders = Set(redacted.redacted ?? [])
    let all = (redacted.response?.body ?? Data()).text
    #expect(placeholders.count >= (digits == 3 ? 80 : 2 * count))
    #expect(placeholders.allSatisfy { $0.utf8.count == digits || digits == 3 })
    #expect((0..<count).allSatisfy { !placeholders.contains("733\($0)") })
    #expect(!all.contains("\"\(first)\""))
  }

  @Test("of a token without a signature is one in broken JSON, too, in which its last full stop ends a word")
  func unsignedToken() throws {
    let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJib2IiLCJyb2xlIjoiYWRtaW4ifQ."
    let archive = HTTPArchive(entry("http://a.com/", #"{"a{"tokens": ["b"], "n": c_token":"\#(token)"}"#))
    let redacted = archive.redactedAndReported(.standard).archive
    #expect(redacted != archive && redacted.redactedAndReported(.standard).archive == redacted)
  }

  @Test("has a number of at most nine digits, whatever a text contains")
  func numbers() {
    // With more digits, a text has the placeholder REDACTED and a number after it, so REDACTED-2 comes next.
    for text in ["REDACTED-9223372036854775807", "REDACTED-999999999", "73322833" + String(repeating: "9", count: 30)] {
      let archive = HTTPArchive(entry(asked("@Authorization=Bearer+q9Q2xT7vB8nL4pR6sW1z"), text))
      let header = archive.redactedAndReported(.standard).archive.entries[0].request.value(
        forHTTPHeaderField: "Authorization")
      #expect(header == (text.hasSuffix("5807") ? "Bearer REDACTED-2" : "Bearer REDACTED"), "\(text)")
    }
  }

  @Test("takes the place of each of many random tokens, whatever digits they have")
  func random() async throws {
    let left = try await onOwnThread {
      var (random, left) = (SplitMix64(seed: 22), [Substring]())
      for _ in 0..<TestSize.of(60, inPart: 1) {
        let tokens = (0..<2_000).map { _ in
          String(random.next(), radix: 16) + String(random.next(), radix: 16) + String(random.next(), radix: 16)
        }
        let redacted = HTTPArchive(entry("http://a.com/", #"{"tokens": \#(tokens)}"#)).redactedAndReported(.standard)
          .archive
        let body = redacted.entries[0].response.map(\.body.text) ?? "\"no response\""
        // The placeholder of what looks like a UUID begins with 0edac7ed.
        left += body.split(separator: "\"").filter {
          $0.utf8.count > 3 && $0 != "tokens" && !$0.contains("0edac7ed") && !$0.hasPrefix("REDACTED")
        }
        if body.contains(tokens[0]) { left.append(Substring(tokens[0])) }
      }
      return left
    }
    #expect(left.isEmpty)
  }

  @Test("in a file that lists no placeholders is REDACTED, with or without a number")
  func unlisted() throws {
    let archive = HTTPArchive(entry(asked("?t=REDACTED-12")))
    #expect(!archive.data.text.contains("_redacted"))
    #expect(try Self.answers(archive, asked("?t=a")))
    // What is a placeholder isn't replaced again.
    #expect(archive.redactedAndReported(.standard + [.secret("t")]).report.count == 0)
  }

  @Test(
    "of a JSON Web Token without a signature has a header and claims that can be decoded",
    arguments: [#"{"sub":"bob","role":"admin"}"#, #"{"exp":1893456000,"name":"Ünal?>~"}"#, "{}"], ["", "."])
  func unsigned(claims: String, end: String) throws {
    func part(_ text: String) -> String {
      let base64 = Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      return String(base64.prefix { $0 != "=" })
    }
    let token = part(#"{"alg":"none"}"#) + "." + part(claims) + end
    let archive = HTTPArchive(entry("http://a.com/", #"{"access_token": "\#(token)"}"#)).redactedAndReported(.standard)
      .archive
    let body = try StubJSON(parsing: #require(archive.entries[0].response?.body))
    let placeholder = try #require(body["access_token"]?.stringValue)
    #expect(placeholder != token && placeholder.hasSuffix(end))
    let parts = placeholder.split(separator: ".", omittingEmptySubsequences: false)
    let (header, redacted) = (try Self.decoded(parts[0]), try Self.decoded(parts[1]))
    #expect(header["alg"] != nil)
    #expect(redacted["redacted"] != nil)
    // What is redacted stays so.
    #expect(archive.redactedAndReported(.standard).archive == archive)
  }

  private static func decoded(_ part: Substring) throws -> StubJSON {
    try StubJSON(parsing: #require(Data(base64OfAnyKind: String(part))))
  }

  @Test("stays one if its archive is redacted again, also within Base64")
  func twice() {
    let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiAieHJOSmx5R1AifQ.\(PlantedSecret.random(913))"
    let innermost = Data(#"{"secret": "\#(PlantedSecret.random(914))"}"#.utf8).base64EncodedString()
    let inner = Data(#"{"data": "\#(innermost)", "password": "\#(token)"}"#.utf8).base64EncodedString()
    let answers = [#"{"pin": "\#(token)"}"#, #"{"data": "\#(inner)"}"#]
    let archive = HTTPArchive(entries: answers.map { RedactionTests.entry("/", answer: $0, "application/json") })
    let redacted = archive.redactedAndReported(.standard).archive
    #expect(redacted != archive)
    #expect(redacted.redactedAndReported(.standard).archive == redacted)
  }

  @Test("of a JSON Web Token hides the secrets in its claims, and keeps the others, wherever the token stands")
  func claims() throws {
    let secret = PlantedSecret.random(915)
    func part(_ text: String) -> String { Data(text.utf8).base64EncodedString().replacing("=", with: "") }
    let claims = #"{"sub":"ann","password":"\#(secret)","exp":1893456000}"#
    let token = "\(part(#"{"alg":"HS256"}"#)).\(part(claims)).\(PlantedSecret.random(916, 43))"
    let archive = HTTPArchive(
      entry("http://a.com/", #"{"access_token": "\#(token)"}"#), entry("http://a.com/me?q=\(token)"),
      entry(asked("http://a.com/ @Authorization=Bearer+\(token)")))
    let (redacted, report) = archive.redactedAndReported(.named)
    let body = try StubJSON(parsing: #require(redacted.entries[0].response?.body))
    let placeholder = try #require(body["access_token"]?.stringValue)
    let parts = placeholder.split(separator: ".")
    try #require(parts.count == 3 && parts[2].utf8.count == 43)
    let left = try Self.decoded(parts[1])
    #expect(left["sub"]?.stringValue == "ann" && left["exp"] != nil)
    #expect(left["password"]?.stringValue?.hasPrefix("REDACTED") == true)
    #expect(redacted.entries[1].request.url?.query == "q=\(placeholder)")
    #expect(redacted.entries[2].request.value(forHTTPHeaderField: "Authorization") == "Bearer \(placeholder)")
    #expect(!report.lines.lines.contains(parts[1]) && !report.lines.lines.contains(secret))
    #expect(redacted.redactedAndReported(.named).archive == redacted)
  }

  @Test("is none that another tool lists, unless it looks like one")
  func foreignList() throws {
    let key = "gh" + "p_" + PlantedSecret.random(917, 36)
    var foreign = entry("http://a.com/", #"{"text": "\#(key)", "pin": "7332"}"#)
    foreign.redacted = [key, "7332"]
    let redacted = HTTPArchive(foreign).redactedAndReported(.standard).archive
    let body = try #require(redacted.entries[0].response?.body.text)
    #expect(!body.contains(key) && body.contains("7332"))
    #expect(redacted.entries[0].redacted?.contains(key) == false)
  }
}
