import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitArchive
@testable import StubKitRecorder

@Suite("A part that is ignored", .inTurn)
struct IgnoredPartTests {
  typealias Row = ReplayMatchingTests.Row

  private static let json = "application/json"
  private static let form = "application/x-www-form-urlencoded"
  private static let everything: ReplayMatching = [.method, .url, .body]

  private static func get(_ query: String, _ headers: [String: String] = [:]) -> URLRequest {
    request("http://a.com/x\(query)", headers: headers)
  }

  /// Fields of a form, in parts.
  private static func multipart(_ boundary: String, _ fields: [(String, String)]) -> URLRequest {
    let parts = fields.map { "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0.0)\"\r\n\r\n\($0.1)\r\n" }
    return post("\(parts.joined())--\(boundary)--\r\n", contentType: "multipart/form-data; boundary=\(boundary)")
  }

  private static func graphQL(_ variables: String, extensions: String = "{}") -> URLRequest {
    post(
      #"{"operationName": "A", "query": "query A { a }", "variables": \#(variables), "extensions": \#(extensions)}"#,
      contentType: json)
  }

  static let queries: [Row] = [
    Row("another value", [get("?ts=1&a=1")], get("?a=1&ts=2"), [1], ignoring: .query("ts")),
    Row("no item", [get("?ts=1&a=1")], get("?a=1"), [1], ignoring: .query("ts")),
    Row("an item where none was", [get("?a=1")], get("?a=1&ts=2"), [1], ignoring: .query("ts")),
    Row("the only item", [get("?ts=1")], get(""), [1], ignoring: .query("ts")),
    Row("an item without a value", [get("?ts=1")], get("?ts"), [1], ignoring: .query("ts")),
    Row("several items of a name", [get("?ts=1&ts=2&a=1")], get("?a=1&ts=3"), [1], ignoring: .query("ts")),
    Row("a name that needs escapes", [get("?f%5Bts%5D=1")], get("?f%5Bts%5D=2"), [1], ignoring: .query("f[ts]")),
    Row("a name in another case", [get("?TS=1")], get("?TS=2"), [], ignoring: .query("ts")),
    Row("another item as well", [get("?ts=1&a=1")], get("?ts=2&a=2"), [], ignoring: .query("ts")),
    Row("an item that is not ignored more often", [get("?ts=1&a=1")], get("?a=1&a=1"), [], ignoring: .query("ts")),
    Row("two parts", [get("?ts=1&n=1")], get("?n=2&ts=2"), [1], ignoring: .query("ts"), .query("n")),
    Row("one of two", [get("?ts=1&n=1")], get("?n=2&ts=2"), [], ignoring: .query("ts")),
    Row("a name that no request has", [get("?a=1")], get("?a=1"), [1], ignoring: .query("ts"), .json(at: "a.b")),
    Row("beside what is redacted", [get("?t=REDACTED&ts=1")], get("?ts=2&t=s3cret"), [1], ignoring: .query("ts")),
    Row("a redacted value that it needs", [get("?t=REDACTED&ts=1")], get("?ts=2"), [], ignoring: .query("ts")),
    Row("a redacted value", [get("?t=REDACTED&a=1")], get("?a=1"), [1], ignoring: .query("t")),
    Row(
      "what entries differ by, in order", [get("?ts=1"), get("?ts=2")], get("?ts=2"), [1, 2, 2], ignoring: .query("ts")),
    Row(
      "what doesn't tell entries apart", [get("?ts=1&p=1"), get("?ts=2&p=2")], get("?p=2&ts=1"), [2],
      ignoring: .query("ts")),
    Row(
      "another host and path", [get("?ts=1&p=1")], request("http://b.org/y?p=1&ts=2"), [1], [.method, .query],
      ignoring: .query("ts")),
  ]

  static let headers: [Row] = [
    Row(
      "another value, in any case", [get("", ["Idempotency-Key": "a", "Accept": "b"])],
      get("", ["IDEMPOTENCY-KEY": "c", "accept": "b"]), [1], [.url, .headers(["idempotency-key", "Accept"])],
      ignoring: .header("Idempotency-KEY")),
    Row(
      "no header", [get("", ["X-A": "a"])], get(""), [1], [.url, .headers(["X-A"])], ignoring: .header("x-a")),
    Row(
      "a header where none was", [get("")], get("", ["X-A": "a"]), [1], [.url, .headers(["X-A"])],
      ignoring: .header("X-A")),
    Row(
      "another header as well", [get("", ["X-A": "a", "X-B": "b"])], get("", ["X-A": "b", "X-B": "c"]), [],
      [.url, .headers(["X-A", "X-B"])], ignoring: .header("X-A")),
    Row("one that doesn't count anyway", [get("", ["X-A": "a"])], get(""), [1], ignoring: .header("X-A")),
  ]

  static let jsonBodies: [Row] = [
    Row(
      "a member", [post(#"{"id": 1, "a": 2}"#)], post(#"{"a": 2, "id": "x"}"#), [1], everything,
      ignoring: .json(at: "id")),
    Row(
      "a member that isn't there", [post(#"{"id": 1, "a": 2}"#)], post(#"{"a": 2}"#), [1], everything,
      ignoring: .json(at: "id")),
    Row(
      "a member that wasn't there", [post(#"{"a": 2}"#)], post(#"{"a": 2, "id": {}}"#), [1], everything,
      ignoring: .json(at: "id")),
    Row(
      "the only member", [post(#"{"id": 1}"#)], post(#"{"id": 2}"#), [1], everything, ignoring: .json(at: "id")),
    Row(
      "another member as well", [post(#"{"id": 1, "a": 2}"#)], post(#"{"id": 2, "a": 3}"#), [], everything,
      ignoring: .json(at: "id")),
    Row(
      "a member of a member", [post(#"{"m": {"id": 1, "b": 1}, "id": 1}"#)],
      post(#"{"m": {"id": 2, "b": 1}, "id": 1}"#),
      [1], everything, ignoring: .json(at: "m.id")),
    Row(
      "the only member of a member", [post(#"{"m": {"id": 1}}"#)], post(#"{"m": {"id": 2}}"#), [1], everything,
      ignoring: .json(at: "m.id")),
    Row(
      "its name elsewhere", [post(#"{"m": {"id": 1}, "id": 1}"#)], post(#"{"m": {"id": 1}, "id": 2}"#), [], everything,
      ignoring: .json(at: "m.id")),
    Row(
      "an object with all that is below it", [post(#"{"m": {"id": 1}, "a": 1}"#)], post(#"{"m": [2], "a": 1}"#), [1],
      everything, ignoring: .json(at: "m")),
    Row(
      "a path from the root", [post(#"{"m": {"id": 1}}"#)], post(#"{"m": {"id": 2}}"#), [1], everything,
      ignoring: .json(at: "$.m.id")),
    Row(
      "a pointer", [post(#"{"m/n": {"id": 1}}"#)], post(#"{"m/n": {"id": 2}}"#), [1], everything,
      ignoring: .json(at: "/m~1n/id")),
    Row(
      "a key with a dot", [post(#"{"m.id": 1}"#)], post(#"{"m.id": 2}"#), [1], everything,
      ignoring: .json(at: #"["m.id"]"#)),
    Row("an element", [post(#"{"l": [1, 2]}"#)], post(#"{"l": [3, 2]}"#), [1], everything, ignoring: .json(at: "l[0]")),
    Row("an element by a key", [post("[1, 2]")], post("[3, 2]"), [1], everything, ignoring: .json(at: "0")),
    Row(
      "another element", [post(#"{"l": [1, 2]}"#)], post(#"{"l": [1, 3]}"#), [], everything,
      ignoring: .json(at: "l[0]")),
    Row(
      "a member of an element", [post(#"[{"id": 1, "a": 1}]"#)], post(#"[{"id": 2, "a": 1}]"#), [1], everything,
      ignoring: .json(at: "[0].id")),
    Row(
      "a member of each element", [post(#"{"l": [{"t": 1, "a": 1}, {"t": 2, "a": 2}]}"#)],
      post(#"{"l": [{"t": 3, "a": 1}, {"a": 2}]}"#), [1], everything, ignoring: .json(at: "$.l[*].t")),
    Row(
      "another member of an element", [post(#"{"l": [{"t": 1, "a": 1}]}"#)], post(#"{"l": [{"t": 2, "a": 2}]}"#), [],
      everything, ignoring: .json(at: "l[*].t")),
    Row(
      "more elements", [post(#"{"l": [{"t": 1}]}"#)], post(#"{"l": [{"t": 1}, {"t": 2}]}"#), [], everything,
      ignoring: .json(at: "l[*].t")),
    Row(
      "each element", [post(#"{"l": [1, [2]]}"#)], post(#"{"l": [{}, 3]}"#), [1], everything,
      ignoring: .json(at: "l[*]")),
    Row(
      "elements of elements", [post(#"[[{"t": 1}], [{"t": 2}]]"#)], post(#"[[{"t": 3}], [{"t": 4}]]"#), [1],
      everything, ignoring: .json(at: "[*][*].t")),
    Row(
      "each element of what is none", [post(#"{"l": {"t": 1}}"#)], post(#"{"l": {"t": 2}}"#), [], everything,
      ignoring: .json(at: "l[*].t")),
    Row(
      "several places", [post(#"{"a": 1, "b": [1], "c": 1}"#)], post(#"{"a": 2, "b": [2], "c": 1}"#), [1], everything,
      ignoring: .json(at: "a"), .json(at: "b[0]")),
    Row(
      "beside what is redacted", [post(#"{"t": "REDACTED", "id": 1}"#)], post(#"{"t": "s3cret", "id": 2}"#), [1],
      everything, ignoring: .json(at: "id")),
    Row(
      "bodies that differ by nothing else, in order", [post(#"{"id": 1}"#), post(#"{"id": 2}"#)], post(#"{"id": 2}"#),
      [1, 2, 2], ignoring: .json(at: "id")),
    Row(
      "what doesn't tell bodies apart", [post(#"{"id": 1, "m": "a"}"#), post(#"{"id": 2, "m": "b"}"#)],
      post(#"{"id": 1, "m": "b"}"#), [2], ignoring: .json(at: "id")),
    Row("a body that isn't JSON", [post("id")], post("id"), [1], everything, ignoring: .json(at: "id")),
    Row("another body that isn't JSON", [post("id")], post("di"), [], everything, ignoring: .json(at: "id")),
    Row("no body", [post(#"{"id": 1}"#)], post(""), [], everything, ignoring: .json(at: "id")),
    Row(
      "a variable of an operation", [graphQL(#"{"n": 1, "i": 1}"#), graphQL(#"{"n": 2, "i": 2}"#)],
      graphQL(#"{"n": 3, "i": 2}"#), [2], ignoring: .json(at: "variables.n")),
    Row(
      "another variable", [graphQL(#"{"n": 1, "i": 1}"#), graphQL(#"{"n": 2, "i": 2}"#)],
      graphQL(#"{"n": 1, "i": 3}"#), [], ignoring: .json(at: "variables.n")),
    Row(
      "the only variable", [graphQL(#"{"n": 1}"#), graphQL(#"{"n": 2}"#)], graphQL(#"{"n": 3}"#), [1, 2, 2],
      ignoring: .json(at: "variables.n")),
    Row(
      "all variables", [graphQL(#"{"n": 1}"#), graphQL(#"{"n": 2}"#)], graphQL(#"{}"#), [1, 2, 2],
      ignoring: .json(at: "variables")),
  ]

  static let forms: [Row] = [
    Row(
      "a field", [post("nonce=1&a=1", contentType: form)], post("a=1&nonce=2", contentType: form), [1], everything,
      ignoring: .formField("nonce")),
    Row(
      "a field that isn't there", [post("nonce=1&a=1", contentType: form)], post("a=1", contentType: form), [1],
      everything, ignoring: .formField("nonce")),
    Row(
      "the only field", [post("nonce=1", contentType: form)], post("nonce=2", contentType: form), [1], everything,
      ignoring: .formField("nonce")),
    Row(
      "a name with a space", [post("a+b=1&c=1", contentType: form)], post("c=1&a%20b=2", contentType: form), [1],
      everything, ignoring: .formField("a b")),
    Row(
      "another field as well", [post("nonce=1&a=1", contentType: form)], post("a=2&nonce=2", contentType: form), [],
      everything, ignoring: .formField("nonce")),
    Row(
      "a query item of the name", [post("a=1", contentType: form)], post("a=2", contentType: form), [], everything,
      ignoring: .query("a")),
    Row(
      "beside what is redacted", [post("password=REDACTED&nonce=1", contentType: form)],
      post("nonce=2&password=s3cret", contentType: form), [1], everything, ignoring: .formField("nonce")),
    Row(
      "a part", [multipart("x1", [("nonce", "1"), ("a", "1")])], multipart("y2", [("nonce", "2"), ("a", "1")]), [1],
      everything, ignoring: .formField("nonce")),
    Row(
      "a part elsewhere", [multipart("x1", [("nonce", "1"), ("a", "1")])],
      multipart("y2", [("a", "1"), ("nonce", "\r\n--")]), [1], everything, ignoring: .formField("nonce")),
    Row(
      "a part that isn't there", [multipart("x1", [("a", "1"), ("nonce", "1")])], multipart("y2", [("a", "1")]), [1],
      everything, ignoring: .formField("nonce")),
    Row(
      "another part as well", [multipart("x1", [("nonce", "1"), ("a", "1")])],
      multipart("y2", [("nonce", "2"), ("a", "2")]), [], everything, ignoring: .formField("nonce")),
    Row(
      "parts that differ by nothing else", [multipart("x1", [("nonce", "1")]), multipart("y2", [("nonce", "2")])],
      multipart("z3", [("nonce", "3")]), [1, 2, 2], ignoring: .formField("nonce")),
    Row(
      "a redacted part beside it", [multipart("x1", [("nonce", "1"), ("a", "REDACTED")])],
      multipart("y2", [("nonce", "2"), ("a", "s3cret")]), [1], everything, ignoring: .formField("nonce")),
  ]

  @Test("doesn't count in a query, a header, a JSON body and a form")
  func parts() {
    for row in Self.queries + Self.headers + Self.jsonBodies + Self.forms { ReplayMatchingTests().check(row) }
  }

  @Test(
    "can be mistaken, and says how",
    arguments: [
      (.query(""), #".query("") doesn't name a query item: write the name alone, as in .query("nonce")."#),
      (.formField(""), #".formField("") doesn't name a form field: write the name alone, as in .formField("nonce")."#),
      (.header(""), #".header("") doesn't name a header: write the name alone, as in .header("nonce")."#),
      (.header("A: b"), #".header("A: b") doesn't name a header: write the name alone, as in .header("nonce")."#),
      (
        .json(at: ""),
        #".json(at: "") is the whole body: pass matching: [.method, .url], which compares no body."#
      ),
      (
        .json(at: "$"),
        #".json(at: "$") is the whole body: pass matching: [.method, .url], which compares no body."#
      ),
      (.json(at: "a..b"), #"The JSON path "a..b" has an empty key"#),
      (.json(at: "l[*]t"), #"The JSON path "l[*]t" has text right after a ]"#),
      (.json(at: "l[x]"), #"The JSON path "l[x]" has brackets without an index"#),
      (.json(at: "/a~b"), #"The JSON Pointer "/a~b" has an invalid ~"#),
    ] as [(IgnoredPart, String)])
  func mistakes(part: IgnoredPart, sentence: String) async throws {
    #expect(part.mistake?.hasPrefix(sentence) == true, "\(part.mistake ?? "none")")
    // A recording says so before it begins, and replaying says so once.
    let folder = try RecordingFolder()
    try folder.write(entry("http://a.example/"), entry("http://a.example/2"))
    var recording = folder.recording()
    recording.ignoring = [.query("a"), part]
    let error = await folder.error(of: recording) { Issue.record("ran") }
    #expect(error?.reason == .invalidPart && error?.errorCode == 11)
    #expect(error?.description.hasPrefix("The recording \"users\": \(sentence)") == true, "\(error as Any)")
    let registry = StubRegistry()
    let archive = HTTPArchive("a.har", entry("http://a.example/"), entry("http://a.example/2"))
    let (_, issues) = await takingIssues { replay(archive, ignoring: part, in: registry) }
    #expect(issues.map { $0.text.hasPrefix(sentence) } == [true])
    #expect(registry.stubs.compactMap(\.mistake).map { $0.hasPrefix(sentence) } == [true])
    #expect(registry.stub(matching: request("http://a.example/2")) == nil)
  }

  @Test("prints as it is written")
  func printing() {
    let parts: [IgnoredPart] = [.query("ts"), .header("Idempotency-Key"), .json(at: "l[*].t"), .formField("a b")]
    #expect(
      parts.map(\.description) == [
        #".query("ts")"#, #".header("Idempotency-Key")"#, #".json(at: "l[*].t")"#, #".formField("a b")"#,
      ])
    #expect(parts.allSatisfy { $0.mistake == nil })
    let stub = replay(
      HTTPArchive(entries: [entry("http://a.com/x?ts=1&a=1")]), ignoring: .query("ts"), .query("n"), in: StubRegistry())
    #expect(
      stub[0].condition.description
        == #"isMethodGET() && isURL("http://a.com/x") && hasExactQuery(["a": "1"], ignoring: "n", "ts")"#)
  }

  /// A recorded request, one that doesn't match, and what the report offers.
  struct Offer: CustomTestStringConvertible {
    let testDescription: String
    let recorded: URLRequest
    let live: URLRequest
    var lines: [String] = []
    var matching = IgnoredPartTests.everything
    var ignoring: [IgnoredPart] = []
  }

  private static func one(_ what: String, _ arguments: String) -> [String] {
    ["If \(what) differs in each run, ignore it:", "    replay(…, ignoring: \(arguments))"]
  }

  private static func several(_ count: Int, _ arguments: String) -> [String] {
    ["If these \(count) parts differ in each run, ignore them:", "    replay(…, ignoring: \(arguments))"]
  }

  static let offers = [
    Offer(
      testDescription: "a query item", recorded: get("?ts=1&a=1"), live: get("?ts=2&a=1"),
      lines: one("query item ts", #".query("ts")"#)),
    Offer(
      testDescription: "a name that reads unclearly", recorded: get("?t%20%22s=1"), live: get("?t%20%22s=2"),
      lines: one(#"query item "t \"s""#, #".query("t \"s")"#)),
    Offer(
      testDescription: "what is ignored already, too", recorded: get("?ts=1&n=1"), live: get("?ts=2&n=2"),
      lines: one("query item ts", #".query("n"), .query("ts")"#), ignoring: [.query("n")]),
    Offer(
      testDescription: "a header", recorded: get("", ["X-A": "a"]), live: get("", ["X-A": "b"]),
      lines: one("header x-a", #".header("x-a")"#), matching: [.url, .headers(["X-A"])]),
    Offer(
      testDescription: "a member of JSON", recorded: post(#"{"m": {"id": 1}}"#), live: post(#"{"m": {"id": 2}}"#),
      lines: one("body at $.m.id", #".json(at: "m.id")"#)),
    Offer(
      testDescription: "a member of one element", recorded: post(#"[{"id": 1}, {"id": 1}]"#),
      live: post(#"[{"id": 1}, {"id": 2}]"#), lines: one("body at $[1].id", #".json(at: "[1].id")"#)),
    Offer(
      testDescription: "a member of several elements", recorded: post(#"{"l": [{"id": 1}, {"id": 1}], "t": 1}"#),
      live: post(#"{"l": [{"id": 3}, {"id": 2}], "t": 2}"#),
      lines: several(2, #".json(at: "l[*].id"), .json(at: "t")"#)),
    Offer(
      testDescription: "a key with a dot", recorded: post(#"{"a.b": 1}"#), live: post(#"{"a.b": 2}"#),
      lines: one(#"body at $["a.b"]"#, #".json(at: "[\"a.b\"]")"#)),
    Offer(
      testDescription: "a form's field", recorded: post("nonce=1&a=1", contentType: form),
      live: post("a=1&nonce=2", contentType: form), lines: one("form field nonce", #".formField("nonce")"#)),
    Offer(
      testDescription: "a multipart field", recorded: multipart("x1", [("a", "1"), ("nonce", "1")]),
      live: multipart("y2", [("a", "1"), ("nonce", "2")]), lines: one("form field nonce", #".formField("nonce")"#)),
    Offer(
      testDescription: "parts of several kinds",
      recorded: request("http://a.com/?ts=1", method: "POST", headers: ["X-A": "a"], body: #"{"id": 1, "m": 1}"#),
      live: request("http://a.com/?ts=2", method: "POST", headers: ["X-A": "b"], body: #"{"id": 2, "m": 1}"#),
      lines: several(3, #".query("ts"), .header("x-a"), .json(at: "id")"#),
      matching: [.method, .url, .body, .headers(["X-A"])]),
    Offer(
      testDescription: "four parts", recorded: get("?a=1&b=1&c=1&d=1"), live: get("?a=2&b=2&c=2&d=2"),
      lines: several(4, #".query("a"), .query("b"), .query("c"), .query("d")"#)),
    Offer(
      testDescription: "no more than four", recorded: get("?a=1&b=1&c=1&d=1&e=1"), live: get("?a=2&b=2&c=2&d=2&e=2")),
    Offer(testDescription: "nothing for another path", recorded: get("?ts=1"), live: request("http://a.com/y?ts=2")),
    Offer(
      testDescription: "nothing for another method", recorded: get("?ts=1"),
      live: request("http://a.com/x?ts=2", method: "PUT"), matching: [.method, .url]),
    Offer(testDescription: "nothing for an item on one side", recorded: get("?a=1"), live: get("?a=1&ts=1")),
    Offer(testDescription: "nothing for an item on the other side", recorded: get("?a=1&ts=1"), live: get("?a=1")),
    Offer(
      testDescription: "nothing for a member on one side", recorded: post(#"{"a": 1}"#),
      live: post(#"{"a": 1, "b": 1}"#)),
    Offer(testDescription: "nothing for a number of elements", recorded: post("[1, 2]"), live: post("[1]")),
    Offer(testDescription: "nothing for the whole body", recorded: post("[1]"), live: post("{}")),
    Offer(testDescription: "nothing for text", recorded: post("one"), live: post("two")),
  ]

  @Test("is offered by the report of a request that lacks nothing else")
  func offered() {
    for offer in Self.offers { check(offer) }
  }

  private func check(_ offer: Offer) {
    let registry = StubRegistry()
    replay(
      HTTPArchive("a.har", entry(offer.recorded)), matching: offer.matching, ignoring: offer.ignoring, in: registry,
      at: StubLocation())
    #expect(registry.stub(matching: offer.live) == nil, "\(offer.testDescription)")
    let report = UnmatchedRequestError(RequestFacts(offer.live), in: registry).description.split(separator: "\n")
    let lines = report.drop { !$0.hasPrefix("If ") }.prefix { !$0.hasPrefix("Register") }.map(String.init)
    #expect(lines == offer.lines, "\(offer.testDescription): \(report.joined(separator: "\n"))")
    #expect(lines.allSatisfy { $0.count <= 100 }, "\(offer.testDescription)")
  }

  @Test("is offered in the call that the code has")
  func calls() async throws {
    let folder = try RecordingFolder()
    try folder.write(entry("http://a.example/?ts=1"))
    for call in ["Recording", ".recorded"] {
      var recording = folder.recording()
      recording.call = call
      let error = await folder.with { [recording] in
        try? await withRecording(recording) { await URLSession.shared.failure(of: "http://a.example/?ts=2") }
      }
      #expect(
        error?.localizedDescription.contains(
          """
            GET /?ts=1, users.har, entry 1: query item ts differs
              query item ts: expected "1", got "2"
          If query item ts differs in each run, ignore it:
              \(call)(…, ignoring: .query("ts"))
          Or register a stub for it.
          """) == true, "\(error as Any)")
    }
  }

  @Test("is kept by a recording, and ignored by each mode that compares")
  func modes() async throws {
    let folder = try RecordingFolder()
    var recording = folder.recording("users", .newEpisodes)
    recording.ignoring = [.query("ts")]
    let parts = recording
    try await folder.with {
      try withRecording(parts) { answerFromNetwork("http://a.example/?ts=1", "one") }
      try await withRecording(parts) {
        let text = try await URLSession.shared.fetch("http://a.example/?ts=2").text
        #expect(text == "one")
        answerFromNetwork("http://a.example/?ts=3&a=1", "two")
      }
    }
    let urls = try HTTPArchive(contentsOf: folder.file()).entries.map { $0.request.url?.query }
    #expect(urls == ["ts=1", "ts=3&a=1"])
    // The check of a service asks for the entry that would have answered.
    let live = [entry("http://a.example/", "one"), entry("http://a.example/?a=1", "two")]
    let check = RecordingCheck(of: live, against: try HTTPArchive(contentsOf: folder.file()), parts)
    #expect(check.differences.isEmpty && check.unasked.isEmpty, "\(check)")
  }
}
