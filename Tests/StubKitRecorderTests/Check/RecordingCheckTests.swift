import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("The mode check", .inTurn)
struct RecordingCheckTests {

  /// An exchange whose response has a body of a media type.
  private static func json(_ text: String, status: Int = 200, type: String = "application/json") -> HTTPArchive.Entry {
    var entry = entry("http://a.com/", text, status: status)
    entry.response?.headers["Content-Type"] = "\(type); charset=utf-8"
    return entry
  }

  private static func text(_ text: String) -> HTTPArchive.Entry { entry("http://a.com/", text) }

  private static func failed(_ code: URLError.Code) -> HTTPArchive.Entry {
    HTTPArchive.Entry(request: request("http://a.com/"), error: URLError(code))
  }

  /// An exchange whose request is a line, as `asked` reads it.
  private static func sent(_ line: String) -> HTTPArchive.Entry { entry(asked(line), "ok") }

  /// A recorded exchange, one with the network, and what is said of it.
  private static let exchanges: [(HTTPArchive.Entry, HTTPArchive.Entry, String)] = [
    (json(#"{"id": 1}"#), json(#"{"id": 1}"#, status: 404), "status: was 200, is 404"),
    (json("{}"), json("oops"), "$: was JSON, is not JSON"),
    (text("a"), text("b"), ""),
    (json("{}"), text("{}"), "media type: was application/json, is none"),
    (
      json("{\"id\": 1}\n{\"id\": 2}\n", type: "application/x-ndjson"),
      json("{\"id\": 3}", type: "application/x-ndjson"), ""
    ),
    (text("{\"id\": 1}\n{}\n"), text("{\"id\": \"a\"}\r\n{}\r\n"), "$[].id: was a number, is a string"),
    (json(#"{"token": "a", "id": 1}"#), json(#"{"token": "b", "id": 1}"#), ""),
    (sent("form < name=a&password=b"), sent("form < name=b&password=c"), ""),
    (
      sent("form < name=a&password=b"), sent("form < name=a&pin=1"),
      "form fields: was name, password, is name, pin"
    ),
    (sent(#"json < {"a": 1, "b": "c=d"}"#), sent(#"json < {"b": "c=e", "a": 2}"#), ""),
    (failed(.timedOut), failed(.timedOut), ""),
    (text("a"), failed(.cannotFindHost), "error: was none, is -1003"),
  ]

  /// A recorded body of JSON, one from the network, and what is said of it.
  private static let bodies = [
    // Values don't count.
    (
      #"{"id": 1, "name": "Ann", "tags": ["a"], "on": true}"#, #"{"tags": ["b"], "on": false, "name": "B", "id": 2.5}"#,
      ""
    ),
    // Members.
    (#"{"email": "a@b"}"#, "{}", "$.email: was a string, is missing"),
    (#"{"nick": "a"}"#, #"{"nick": null}"#, "$.nick: was a string, is null"),
    ("{}", #"{"email": "a@b"}"#, "$.email: was missing, is a string"),
    (#"{"e mail": 1, "a": 2}"#, #"{"a": 2}"#, #"$["e mail"]: was a number, is missing"#),
    (#"{"2": 1, "a b": 2}"#, #"{"a b": 2}"#, #"$["2"]: was a number, is missing"#),
    (#"{"a": {"b": {"c": 1}}}"#, #"{"a": {"b": {"c": []}}}"#, "$.a.b.c: was a number, is an array"),
    // Kinds.
    ("[]", "{}", "$: was an array, is an object"),
    (#"{"on": 1}"#, #"{"on": true}"#, "$.on: was a number, is a boolean"),
    // The elements of an array are merged. An empty array says nothing of them.
    (#"[{"id": 1}, {"id": 2, "nick": "b"}]"#, #"[{"id": 3}]"#, ""),
    (#"[{"id": 1}, {"id": 2, "nick": "b"}]"#, #"[{"id": 3, "nick": 4}]"#, "$[].nick: was a string, is a number"),
    (#"[{"id": 1}, {"id": 2}]"#, #"[{"id": 3}, {}]"#, "$[].id: was a number, is a number or missing"),
    (#"[1, "a"]"#, #"["b"]"#, ""), (#"["b"]"#, #"[1, "a"]"#, "$[]: was a string, is a string or a number"),
    ("[[1], [2, 3]]", #"[["a"]]"#, "$[][]: was a number, is a string"),
    ("[]", #"[{"id": 1}]"#, ""), (#"[{"id": 1}]"#, "[]", ""),
    // So are the values of a map from identifiers or dates.
    (#"{"2026-01-01": {"id": 1}}"#, #"{"2026-01-02": {}}"#, "$.*.id: was a number, is missing"),
    (#"{"1": [1]}"#, "{}", ""), (#"{"1": {"id": 1}}"#, #"{"1": 1}"#, "$.*: was an object, is a number"),
    // Null beside another kind makes a value optional.
    (#"[{"nick": null}, {"nick": "a"}]"#, #"[{"nick": null}]"#, ""),
    (#"[{"nick": null}, {"nick": "a"}]"#, "[{}]", ""), (#"{"nick": null}"#, #"{"nick": "a"}"#, ""),
    (#"[{"nick": "a"}]"#, #"[{"nick": null}, {"nick": "b"}]"#, "$[].nick: was a string, is a string or null"),
  ].map { (json($0), json($1), $2) }

  /// What is said of exchanges with the network that are checked against a recording.
  private func warnings(_ recorded: [HTTPArchive.Entry], _ live: [HTTPArchive.Entry]) async throws -> [String] {
    let folder = try RecordingFolder()
    try HTTPArchive(entries: recorded).redactedAndReported(.standard).archive.write(to: folder.file())
    try await folder.with {
      try withRecording(folder.recording("users", .check)) { for entry in live { answerFromNetwork(entry) } }
    }
    return folder.said
  }

  @Test("compares an exchange with the entry that would have answered, by the shape of JSON")
  func differences() async throws {
    for (number, (recorded, live, difference)) in (Self.exchanges + Self.bodies).enumerated() {
      let expected = difference.isEmpty ? [] : ["warning: users.har, entry 1: \(difference)"]
      #expect(try await warnings([recorded], [live]) == expected, "row \(number)")
      #expect(try await warnings([live], [live]) == [], "row \(number)")
    }
  }

  @Test("compares repeated requests with their entries in turn, and lists what is left over on either side")
  func turns() async throws {
    let recorded = [
      Self.json("[]"), entry("http://a.com/old"), Self.json("{}"), entry("http://a.com/older"),
    ]
    let new = entry("http://a.com/new?api_key=secret")
    let warnings = try await warnings(
      recorded, [Self.json("{}"), Self.json("[]"), Self.json("[]"), new, new])
    #expect(
      warnings == [
        "warning: users.har, entry 1: $: was an array, is an object",
        "warning: users.har, entry 3: $: was an object, is an array",
        "warning: users.har has no entry for GET http://a.com/new?api_key=REDACTED.",
        "warning: users.har: no request asked for entries 2, 4.",
      ])
  }
}
