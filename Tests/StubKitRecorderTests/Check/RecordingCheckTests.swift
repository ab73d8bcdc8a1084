import Foundation
import StubKitRecorder
import TestSupport
import Testing

@Suite("The mode check", .inTurn)
struct RecordingCheckTests {

  /// An exchange in a line: a status, which is 200 if it is left out, a type, and a body after a space; or an error's
  /// code.
  private static func live(_ text: String) -> HTTPArchive.Entry {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    if let code = Int(text) {
      return HTTPArchive.Entry(request: request("http://a.com/"), error: URLError(URLError.Code(rawValue: code)!))
    }
    if text.contains("<") { return entry(asked(text), "ok") }
    let parts = words[0].split(separator: ":").map(String.init)
    var entry = entry("http://a.com/", words[1], status: parts.first.flatMap { Int($0) } ?? 200)
    if let type = parts.last, type != "text" {
      entry.response?.headers["Content-Type"] = "application/\(type); charset=utf-8"
    }
    return entry
  }

  /// A recorded exchange, one with the network, and what is said of it.
  private static let exchanges = [
    (#"json {"id": 1}"#, #"404:json {"id": 1}"#, "status: was 200, is 404"),
    ("json {}", "json oops", "$: was JSON, is not JSON"), ("text a", "text b", ""),
    ("json {}", "text {}", "media type: was application/json, is none"),
    ("x-ndjson {\"id\": 1}\n{\"id\": 2}\n", "x-ndjson {\"id\": 3}", ""),
    ("text {\"id\": 1}\n{}\n", "text {\"id\": \"a\"}\r\n{}\r\n", "$[].id: was a number, is a string"),
    (#"json {"token": "a", "id": 1}"#, #"json {"token": "b", "id": 1}"#, ""),
    ("form < name=a&password=b", "form < name=b&password=c", ""),
    ("form < name=a&password=b", "form < name=a&pin=1", "form fields: was name, password, is name, pin"),
    (#"json < {"a": 1, "b": "c=d"}"#, #"json < {"b": "c=e", "a": 2}"#, ""), ("-1001", "-1001", ""),
    ("text a", "-1003", "error: was none, is -1003"),
  ]

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
  ].map { ("json \($0)", "json \($1)", $2) }

  /// What is said of exchanges with the network that are checked against a recording.
  private func warnings(_ recorded: [HTTPArchive.Entry], _ live: [HTTPArchive.Entry]) async throws -> [String] {
    let folder = try RecordingFolder()
    try HTTPArchive(entries: recorded).redacted(.standard).write(to: folder.file())
    try await folder.with {
      try withRecording(folder.recording("users", .check)) { for entry in live { answerFromNetwork(entry) } }
    }
    return folder.said
  }

  @Test("compares an exchange with the entry that would have answered, by the shape of JSON")
  func differences() async throws {
    for (recorded, live, difference) in Self.exchanges + Self.bodies {
      let (before, after) = (Self.live(recorded), Self.live(live))
      let expected = difference.isEmpty ? [] : ["warning: users.har, entry 1: \(difference)"]
      #expect(try await warnings([before], [after]) == expected, "\(recorded), \(live)")
      #expect(try await warnings([after], [after]) == [], "\(live)")
    }
  }

  @Test("asks the entries of one request in turn, and lists what is left over on either side")
  func turns() async throws {
    let recorded = [
      Self.live("json []"), entry("http://a.com/old"), Self.live("json {}"), entry("http://a.com/older"),
    ]
    let new = entry("http://a.com/new?api_key=secret")
    let warnings = try await warnings(
      recorded, [Self.live("json {}"), Self.live("json []"), Self.live("json []"), new, new])
    #expect(
      warnings == [
        "warning: users.har, entry 1: $: was an array, is an object",
        "warning: users.har, entry 3: $: was an object, is an array",
        "warning: users.har has no entry for GET http://a.com/new?api_key=REDACTED.",
        "warning: users.har: no request asked for entries 2, 4.",
      ])
  }
}
