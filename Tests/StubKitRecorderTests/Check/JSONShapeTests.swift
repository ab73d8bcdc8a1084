import TestSupport
import Testing

@testable import StubKit
@testable import StubKitRecorder

@Suite("The shape of JSON", .inTurn)
struct JSONShapeTests {
  private static let rows: [(before: String, after: String, differences: [String])] = [
    // Values don't count.
    (#"{"id": 1, "name": "Ann", "tags": ["a"]}"#, #"{"tags": ["b", "c"], "name": "Bob", "id": 2.5}"#, []),
    ("[1, 2, 3]", "[4]", []),
    (#"{"a": true}"#, #"{"a": false}"#, []),
    // Members.
    (#"{"email": "a@b"}"#, "{}", ["$.email: was a string, is missing"]),
    ("{}", #"{"email": "a@b"}"#, ["$.email: was missing, is a string"]),
    (#"{"e mail": 1, "a": 2}"#, #"{"a": 2}"#, [#"$["e mail"]: was a number, is missing"#]),
    (#"{"2": 1, "a b": 2}"#, #"{"a b": 2}"#, [#"$["2"]: was a number, is missing"#]),
    (#"{"a": {"b": {"c": 1}}}"#, #"{"a": {"b": {"c": []}}}"#, ["$.a.b.c: was a number, is an array"]),
    // Kinds.
    (#"{"id": 1}"#, #"{"id": "1"}"#, ["$.id: was a number, is a string"]),
    (#"{"id": {}}"#, #"{"id": []}"#, ["$.id: was an object, is an array"]),
    ("[]", "{}", ["$: was an array, is an object"]),
    (#"{"on": 1}"#, #"{"on": true}"#, ["$.on: was a number, is a boolean"]),
    // The elements of an array are merged.
    (
      #"{"items": [{"id": 1, "email": "a"}]}"#, #"{"items": [{"id": 1}, {"id": 2}]}"#,
      ["$.items[].email: was a string, is missing"]
    ),
    (#"[{"id": 1}, {"id": 2, "nick": "b"}]"#, #"[{"id": 3}]"#, []),
    (#"[{"id": 1}, {"id": 2, "nick": "b"}]"#, #"[{"id": 3, "nick": 4}]"#, ["$[].nick: was a string, is a number"]),
    (#"[{"id": 1}, {"id": 2}]"#, #"[{"id": 3}, {}]"#, ["$[].id: was a number, is a number or missing"]),
    (#"[1, "a"]"#, #"["b"]"#, []),
    (#"["b"]"#, #"[1, "a"]"#, ["$[]: was a string, is a string or a number"]),
    ("[[1], [2, 3]]", #"[["a"]]"#, ["$[][]: was a number, is a string"]),
    // So are the values of a map from identifiers or dates.
    (#"{"users": {"u_1": {"id": 1}}}"#, #"{"users": {"u_2": {"id": 2}, "u_3": {"id": 3}}}"#, []),
    (#"{"2026-01-01": {"id": 1}}"#, #"{"2026-01-02": {}}"#, ["$.*.id: was a number, is missing"]),
    (#"{"1": [1]}"#, "{}", []), (#"{"1": {"id": 1}}"#, #"{"1": 1}"#, ["$.*: was an object, is a number"]),
    // An empty array says nothing of its elements.
    ("[]", #"[{"id": 1}]"#, []), (#"[{"id": 1}]"#, "[]", []),
    // Null beside another kind makes a value optional.
    (#"[{"nick": null}, {"nick": "a"}]"#, #"[{"nick": "b"}]"#, []),
    (#"[{"nick": null}, {"nick": "a"}]"#, #"[{"nick": null}]"#, []),
    (#"[{"nick": null}, {"nick": "a"}]"#, "[{}]", []),
    (#"{"nick": null}"#, #"{"nick": "a"}"#, []),
    (#"{"nick": "a"}"#, #"{"nick": null}"#, ["$.nick: was a string, is null"]),
    (#"[{"nick": "a"}]"#, #"[{"nick": null}, {"nick": "b"}]"#, ["$[].nick: was a string, is a string or null"]),
  ]

  @Test("says what has changed, and where")
  func differences() throws {
    for (before, after, differences) in Self.rows {
      let (before, after) = (JSONShape(try JSONValue(parsing: before)), JSONShape(try JSONValue(parsing: after)))
      #expect(before.differences(to: after) == differences, "\(before)")
      #expect(before.differences(to: before).isEmpty && after.differences(to: after).isEmpty, "\(before)")
    }
  }
}
