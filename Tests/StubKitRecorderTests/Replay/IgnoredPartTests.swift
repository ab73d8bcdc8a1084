import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

/// A row has a name, the recorded requests, and one that is sent, each in the short form that `asked(_:)` in
/// Entries.swift explains. Then it has the numbers of the entries that answer, should the request come again and again,
/// what is compared, and what is ignored.
@Suite("A part that is ignored", .inTurn)
struct IgnoredPartTests {
  typealias Row = ReplayMatchingTests.Row

  private static let everything: ReplayMatching = [.method, .url, .body]

  private static func query(_ what: String, _ recorded: String..., live: String, _ answer: [Int], _ name: String) -> Row
  { Row(what, recorded, live, answer, ignoring: .queryItem(name)) }

  static let heads = [
    query("another value", "?ts=1&a=1", live: "?a=1&ts=2", [1], "ts"),
    query("no item", "?ts=1&a=1", live: "?a=1", [1], "ts"),
    query("an item where none was", "?a=1", live: "?a=1&ts=2", [1], "ts"),
    query("a name that needs escapes", "?f%5Bts%5D=1", live: "?f%5Bts%5D=2", [1], "f[ts]"),
    query("a name in another case", "?TS=1", live: "?TS=2", [], "ts"),
    query("another item as well", "?ts=1&a=1", live: "?ts=2&a=2", [], "ts"),
    query("an item that is not ignored more often", "?ts=1&a=1", live: "?a=1&a=1", [], "ts"),
    query("beside what is redacted", "?t=REDACTED&ts=1", live: "?ts=2&t=s3cret", [1], "ts"),
    query("a redacted value that it needs", "?t=REDACTED&ts=1", live: "?ts=2", [], "ts"),
    query("what entries differ by, in order", "?ts=1", "?ts=2", live: "?ts=2", [1, 2, 2], "ts"),
    query("what doesn't tell entries apart", "?ts=1&p=1", "?ts=2&p=2", live: "?p=2&ts=1", [2], "ts"),
    Row(
      "a header's value, in any case", ["@Idempotency-Key=a @Accept=b"], "@IDEMPOTENCY-KEY=c @accept=b", [1],
      [.url, .headers(["idempotency-key", "Accept"])], ignoring: .header("Idempotency-KEY")),
    Row("no header", ["@X-A=a"], "/", [1], [.url, .headers(["X-A"])], ignoring: .header("x-a")),
    Row("a header where none was", ["/"], "@X-A=a", [1], [.url, .headers(["X-A"])], ignoring: .header("X-A")),
    Row(
      "another header as well", ["@X-A=a @X-B=b"], "@X-A=b @X-B=c", [], [.url, .headers(["X-A", "X-B"])],
      ignoring: .header("X-A")),
  ]

  /// One recorded body, one that is sent, and whether they are the same without what is at a path.
  static let jsonBodies: [(what: String, recorded: String, live: String, isSame: Bool, path: String)] = [
    ("a member", #"{"id": 1, "a": 2}"#, #"{"a": 2, "id": "x"}"#, true, "id"),
    ("a member that isn't there", #"{"id": 1, "a": 2}"#, #"{"a": 2}"#, true, "id"),
    ("another member as well", #"{"id": 1, "a": 2}"#, #"{"id": 2, "a": 3}"#, false, "id"),
    ("its name elsewhere", #"{"m": {"id": 1}, "id": 1}"#, #"{"m": {"id": 1}, "id": 2}"#, false, "m.id"),
    ("an object with all that is below it", #"{"m": {"id": 1}, "a": 1}"#, #"{"m": [2], "a": 1}"#, true, "m"),
    ("an element", #"{"l": [1, 2]}"#, #"{"l": [3, 2]}"#, true, "l[0]"), ("a key", "[1, 2]", "[3, 2]", true, "0"),
    ("a member of each", #"{"l": [{"t": 1, "a": 1}, {"t": 2}]}"#, #"{"l": [{"t": 3, "a": 1}, {}]}"#, true, "$.l[*].t"),
    ("more elements", #"{"l": [{"t": 1}]}"#, #"{"l": [{"t": 1}, {"t": 2}]}"#, false, "l[*].t"),
    ("each element", #"{"l": [1, [2]]}"#, #"{"l": [{}, 3]}"#, true, "l[*]"),
    ("a member beside what is redacted", #"{"t": "REDACTED", "id": 1}"#, #"{"t": "s3cret", "id": 2}"#, true, "id"),
    ("a body that isn't JSON", "id", "id", true, "id"),
    ("no body", #"{"id": 1}"#, "", false, "id"),
  ]

  private static let operations = [#"query:A < {"n": 1, "i": 1}"#, #"query:A < {"n": 2, "i": 2}"#]
  private static let n = IgnoredPart.json(at: "variables.n")

  static let severalBodies = [
    Row(
      "several places", [#"< {"a": 1, "b": [1], "c": 1}"#], #"< {"a": 2, "b": [2], "c": 1}"#, [1], everything,
      ignoring: .json(at: "a"), .json(at: "b[0]")),
    Row("in order", [#"< {"id": 1}"#, #"< {"id": 2}"#], #"< {"id": 2}"#, [1, 2, 2], ignoring: .json(at: "id")),
    Row(
      "what doesn't tell bodies apart", [#"< {"id": 1, "m": "a"}"#, #"< {"id": 2, "m": "b"}"#],
      #"< {"id": 1, "m": "b"}"#, [2], ignoring: .json(at: "id")),
    Row("a variable of an operation", operations, #"query:A < {"n": 3, "i": 2}"#, [2], ignoring: n),
    Row("another variable", operations, #"query:A < {"n": 1, "i": 3}"#, [], ignoring: n),
    Row("all variables", operations, "query:A < {}", [1, 2, 2], ignoring: .json(at: "variables")),
  ]

  private static func form(
    _ what: String, _ recorded: String..., live: String, _ answer: [Int], _ name: String = "nonce"
  ) -> Row { Row(what, recorded, live, answer, everything, ignoring: .formField(name)) }

  static let forms = [
    form("a name with a space", "form < a+b=1&c=1", live: "form < c=1&a%20b=2", [1], "a b"),
    form("another field as well", "form < nonce=1&a=1", live: "form < a=2&nonce=2", []),
    Row("a query item of the name", ["form < a=1"], "form < a=2", [], everything, ignoring: .queryItem("a")),
    form("a redacted one", "form < password=REDACTED&nonce=1", live: "form < nonce=2&password=s3cret", [1]),
    form("a part elsewhere", "parts:x1 < nonce=1&a=1", live: "parts:y2 < a=1&nonce=\r\n--", [1]),
    form("nothing else", "parts:x1 < nonce=1", "parts:y2 < nonce=2", live: "parts:z3 < nonce=3", [1, 2, 2]),
    form("beside a redacted one", "parts:x1 < nonce=1&a=REDACTED", live: "parts:y2 < nonce=2&a=s3cret", [1]),
  ]

  @Test("doesn't count in a query, a header, a JSON body and a form")
  func parts() {
    let bodies = Self.jsonBodies.map { row in
      Row(
        row.what, ["< " + row.recorded], "< " + row.live, row.isSame ? [1] : [], Self.everything,
        ignoring: .json(at: row.path))
    }
    for row in Self.heads + bodies + Self.severalBodies + Self.forms { ReplayMatchingTests().expectAnswers(of: row) }
  }

  private static func nameless(_ part: String, _ what: String, _ example: String) -> String {
    "\(part) doesn't name a \(what): write the name alone, as in \(example)."
  }

  private static let mistaken: [(part: IgnoredPart, sentence: String)] = [
    (.queryItem(""), nameless(#".queryItem("")"#, "query item", #".queryItem("nonce")"#)),
    (.formField(""), nameless(#".formField("")"#, "form field", #".formField("nonce")"#)),
    (.header("A: b"), nameless(#".header("A: b")"#, "header", #".header("nonce")"#)),
    (.queryItem("ts=1"), nameless(#".queryItem("ts=1")"#, "query item", #".queryItem("nonce")"#)),
    (.formField("a=1"), nameless(#".formField("a=1")"#, "form field", #".formField("nonce")"#)),
    (.json(at: ""), #".json(at: "") is the whole body: pass matching: [.method, .url], which compares no body."#),
    (.json(at: "$"), #".json(at: "$") is the whole body"#),
    (.json(at: "a..b"), #""a..b" is not a JSON path"#), (.json(at: "l[*]t"), #""l[*]t" is not a JSON path"#),
  ]

  @Test(
    "that is no name or path is an error of a recording before it begins, which says what to write", arguments: mistaken
  )
  func mistakenInRecording(part: IgnoredPart, sentence: String) async throws {
    let folder = try RecordingFolder()
    try folder.write(entry("http://a.example/"))
    var recording = folder.recording()
    recording.ignoring = [.queryItem("a"), part]
    let error = await folder.error(of: recording) { Issue.record("ran") }
    #expect(error?.reason == .invalidPart)
    #expect(error?.description.hasPrefix("The recording \"users\": \(sentence)") == true, "\(error as Any)")
  }

  @Test(
    "that is no name or path is one issue of who replays an archive, of which no entry answers", arguments: mistaken)
  func mistakenInReplay(part: IgnoredPart, sentence: String) async {
    let registry = StubRegistry()
    let (_, issues) = await takingIssues {
      let archive = HTTPArchive(entry("http://a.example/"), entry("http://a.example/2"))
      replay(archive, ignoring: [.queryItem("a"), part], in: registry, at: StubLocation())
    }
    #expect(issues.count == 1)
    #expect(issues.first?.text.hasPrefix(sentence) == true, "\(issues)")
    #expect(registry.answerer(of: request("http://a.example/2")) == nil)
  }

  @Test("is beside headers to compare, of which one that is no name is an error, too")
  func mistakenHeader() async throws {
    let folder = try RecordingFolder()
    try folder.write(entry("http://a.example/"))
    var recording = folder.recording()
    recording.matching = [.method, .url, .headers(["Accept: text/html"])]
    let error = await folder.error(of: recording) { Issue.record("ran") }
    let sentence = Self.nameless(#".headers(["accept: text/html"])"#, "header", #".headers(["Accept"])"#)
    #expect(error?.description.hasPrefix("The recording \"users\": \(sentence)") == true, "\(error as Any)")
  }

  @Test("prints as it is written")
  func printing() {
    let parts: [IgnoredPart] = [.queryItem("ts"), .header("Idempotency-Key"), .json(at: "l[*].t"), .formField("a b")]
    #expect("\(parts)" == #"[.queryItem("ts"), .header("Idempotency-Key"), .json(at: "l[*].t"), .formField("a b")]"#)
  }

  @Test("is in the condition of an entry's stub")
  func inCondition() {
    let archive = HTTPArchive(entry("http://a.com/x?ts=1&a=1"))
    #expect(
      replay(archive, ignoring: .queryItem("ts"), .queryItem("n"), in: StubRegistry())[0].condition.description
        == #"isMethod(.get) && isURL("http://a.com/x") && hasExactQuery(["a": "1"], ignoring: "n", "ts")"#)
  }

  /// A recorded request, one that doesn't match, and what the report offers: the place, or how many there are, and the
  /// arguments.
  private static let offers: [(recorded: String, live: String, place: String, arguments: String)] = [
    ("?ts=1&a=1", "?ts=2&a=1", "query item ts", #".queryItem("ts")"#),
    ("@X-A=a", "@X-A=b", "header x-a", #".header("x-a")"#),
    (#"< {"m": {"id": 1}}"#, #"< {"m": {"id": 2}}"#, "body at $.m.id", #".json(at: "m.id")"#),
    (
      #"< {"l": [{"id": 1}, {"id": 1}], "t": 1}"#, #"< {"l": [{"id": 3}, {"id": 2}], "t": 2}"#, "2",
      #".json(at: "l[*].id"), .json(at: "t")"#
    ),
    (#"< {"a.b": 1}"#, #"< {"a.b": 2}"#, #"body at $["a.b"]"#, #".json(at: "[\"a.b\"]")"#),
    ("form < nonce=1&a=1", "form < a=1&nonce=2", "form field nonce", #".formField("nonce")"#),
    ("parts:b < nonce=1&a=1", "parts:c < nonce=2&a=1", "form field nonce", #".formField("nonce")"#),
    (
      #"?ts=1 @X-A=a < {"id": 1, "m": 1}"#, #"?ts=2 @X-A=b < {"id": 2, "m": 1}"#, "3",
      #".queryItem("ts"), .header("x-a"), .json(at: "id")"#
    ),
    (
      "?a=1&b=1&c=1&d=1", "?a=2&b=2&c=2&d=2", "4",
      #".queryItem("a"), .queryItem("b"), .queryItem("c"), .queryItem("d")"#
    ),
    // Nothing for more than four parts, another path or method, what is on one side, a whole body, and text.
    ("?a=1&b=1&c=1&d=1&e=1", "?a=2&b=2&c=2&d=2&e=2", "", ""), ("?ts=1", "/y?ts=2", "", ""),
    ("?ts=1", "PUT ?ts=2", "", ""), ("?a=1", "?a=1&ts=1", "", ""), (#"< {"a": 1}"#, #"< {"a": 1, "b": 1}"#, "", ""),
    ("< [1]", "< {}", "", ""),
    ("< one", "< two", "", ""),
  ]

  /// The lines of a report that suggest how a live request finds the recorded one, which it doesn't.
  private static func suggestion(
    _ recorded: String, _ live: String, ignoring: [IgnoredPart] = []
  ) -> [String] {
    let registry = StubRegistry()
    let matching: ReplayMatching = [.method, .url, .body, .headers(["X-A"])]
    replay(
      HTTPArchive("a.har", entry(asked(recorded))), matching: matching, ignoring: ignoring, in: registry,
      at: StubLocation())
    #expect(registry.answerer(of: asked(live)) == nil, "\(recorded), \(live)")
    let report = UnmatchedRequestError(RequestFacts(asked(live)), in: registry).description.split(separator: "\n")
    return report.drop { !$0.hasPrefix("If ") }.prefix { !$0.hasPrefix("Register") }.map(String.init)
  }

  @Test("is suggested by the report of a request that differs in nothing else", arguments: offers)
  func offered(recorded: String, live: String, place: String, arguments: String) {
    let expected = [
      Int(place) == nil
        ? "If \(place) differs in each run, ignore it:"
        : "If these \(place) parts differ in each run, ignore them:",
      "    replay(…, ignoring: \(arguments))",
    ]
    let told = Self.suggestion(recorded, live)
    #expect(told == (place.isEmpty ? [] : expected))
    #expect(told.allSatisfy { $0.count <= 100 }, "\(told)")
  }

  @Test("is suggested together with those that are ignored already")
  func offeredBeside() {
    let lines = Self.suggestion("?ts=1&n=1", "?ts=2&n=2", ignoring: [.queryItem("n")])
    #expect(lines.last == #"    replay(…, ignoring: .queryItem("n"), .queryItem("ts"))"#)
  }

  /// A request to `http://localhost:8002/v1/a?b=1` as a service elsewhere receives it.
  @Test(
    "is suggested as the rest to compare if the scheme, host, port or the beginning of the path differs",
    arguments: [
      ("http://localhost:8001/v1/a?b=1", "port differs", ".path, .query"),
      ("https://localhost:8002/v1/a?b=1", "scheme differs", ".path, .query"),
      ("http://b.example:8002/v1/a?b=1", "host differs", ".path, .query"),
      ("https://b.example/v1/a?b=1", "scheme, host and port differ", ".path, .query"),
      ("http://localhost:8002/api/a?b=1", "path differs", ".scheme, .host, .port, .query"),
      ("http://b.example:8002/a?b=1", "host and path differ", ".query"),
    ])
  func elsewhere(url: String, difference: String, matching: String) {
    #expect(
      Self.suggestion("http://localhost:8002/v1/a?b=1", url) == [
        "If the \(difference) in each run, compare the rest:",
        "    replay(…, matching: [.method, \(matching), .body, .headers([\"x-a\"])])",
      ])
  }

  @Test(
    "isn't suggested if the query or the end of the path differs, which is another request",
    arguments: ["http://localhost:8001/v1/a?b=2", "http://localhost:8002/v1/b?b=1", "http://localhost:8002/?b=1"])
  func anotherRequest(url: String) { #expect(Self.suggestion("http://localhost:8002/v1/a?b=1", url) == []) }

  @Test("is recorded, counts in no mode that compares, and is suggested as an argument of Recording")
  func modes() async throws {
    let folder = try RecordingFolder()
    let recording = Recording("users", in: folder.url, mode: .newEpisodes, ignoring: .queryItem("ts"))
    let (error, urls) = try await folder.with {
      try withRecording(recording) { answerFromNetwork("http://a.example/?ts=1", "one") }
      try await withRecording(recording) {
        let text = try await URLSession.shared.fetch("http://a.example/?ts=2").text
        #expect(text == "one")
        answerFromNetwork("http://a.example/?ts=3&a=1", "two")
      }
      // The check of a service asks for the entry that would have answered.
      var checking = recording
      checking.mode = .check
      try withRecording(checking) {
        answerFromNetwork("http://a.example/", "one")
        answerFromNetwork("http://a.example/?a=1", "two")
      }
      let urls = try HTTPArchive(contentsOf: folder.file()).entries.map { $0.request.url?.query }
      let error = try await withRecording(folder.recording()) {
        await URLSession.shared.failure(of: "http://a.example/?ts=2")
      }
      return (error, urls)
    }
    #expect(urls == ["ts=1", "ts=3&a=1"])
    #expect(!folder.said.contains { $0.hasPrefix("warning") }, "\(folder.said)")
    let offer = """
      If query item ts differs in each run, ignore it:
          Recording(…, ignoring: .queryItem("ts"))
      Or register
      """
    #expect(error?.localizedDescription.contains(offer) == true, "\(error as Any)")
  }
}
