import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The difference of two JSON values", .inTurn)
struct JSONDifferenceTests {
  static let rows: [(JSONValue, String, exactly: Bool, [String])] = [
    (["a": 1], #"{"a": 1.0}"#, true, []),
    (
      ["user": ["address": [["zip": "1010"]]]], #"{"user": {"address": [{"zip": "1020"}]}}"#, true,
      [#"body at user.address[0].zip: expected "1010", got "1020""#]
    ),
    (
      ["id": 42], #"{"id": "42"}"#, true,
      [#"body at id: expected 42, got "42"; a string where a number should be"#]
    ),
    (["a": nil], #"{"a": false}"#, true, ["body at a: expected null, got false; a boolean where null should be"]),
    (
      ["zip_code": "1", "b": 1], #"{"zipCode": "1", "b": 1}"#, true,
      [#"body at zipCode: expected none, got "1""#, #"body at zip_code: expected "1", got none; there is zipCode"#]
    ),
    (["a": 1], #"{"a": 1, "b": 2}"#, false, []), (["a": 1], "{}", true, ["body at a: expected 1, got none"]),
    (
      [1, 2], "[1, 3, 4]", true,
      ["body: expected 2 elements, got 3 elements", "body at [1]: expected 2, got 3"]
    ),
    (["a": [1]], #"{"a": []}"#, false, ["body at a: expected 1 element, got 0 elements"]),
    (["a.b": ["": 1]], #"{"a.b": {"": 2}}"#, true, [#"body at ["a.b"][""]: expected 1, got 2"#]),
    (["a": ["b": 1]], #"{"a": 1}"#, true, [#"body at a: expected {"b":1}, got 1; a number where an object should be"#]),
    ("x", #""y""#, true, [#"body: expected "x", got "y""#]),
  ]

  @Test("of very many keys names a hundred, and counts all")
  func manyKeys() {
    func object(_ prefix: String) -> JSONValue {
      .object(Dictionary(uniqueKeysWithValues: (100..<400).map { ("\(prefix)\($0)", JSONValue($0)) }))
    }
    let lines = hasJSONBody(object("a")).mismatches(post("\(object("b"))")).map(\.description)
    #expect(lines.count == 100)
    #expect(lines.first == "body at a100: expected 100, got none; there are b100, b101, b102 and 297 more")
    #expect(JSONDifference.all(object("a"), object("b"), exactly: true, at: nil).count == 600)
    #expect(JSONDifference.all(object("a"), object("b"), exactly: false).count == 300)
  }

  @Test("names the places, what was expected there, and what came", arguments: rows.indices)
  func row(index: Int) {
    let (expected, text, exactly, lines) = Self.rows[index]
    let matcher = exactly ? hasJSONBody(expected) : hasJSONBody(containing: expected)
    #expect(matcher.mismatches(post(text)).map(\.description) == lines)
  }

  static let places: [(RequestMatcher, String, [String])] = [
    (hasJSON(at: "a.b[0].c", equals: 1), #"{"a": {"b": [{"c": 2}]}}"#, ["body at a.b[0].c: expected 1, got 2"]),
    (hasJSON(at: "/a/b/0", equals: ["c": 1]), #"{"a": {"b": [{"c": 2}]}}"#, ["body at a.b[0].c: expected 1, got 2"]),
    (hasJSON(at: "a.x", equals: nil), #"{"a": {}}"#, ["body at a.x: expected null, got none"]),
    (hasJSON(at: "a", equals: 1), "", ["body at a: expected 1, got none"]),
    (
      hasJSONBody(["a": 1]), #"{"a": 1"#,
      [#"body: expected {"a":1}, got "{\"a\": 1"; not JSON: a comma or } is missing before the end (line 1, column 8)"#]
    ),
  ]

  @Test("is looked for at a place, and a body that is no JSON says why", arguments: places.indices)
  func place(index: Int) {
    let (matcher, text, lines) = Self.places[index]
    let request = text.isEmpty ? request("http://a.com/") : post(text)
    #expect(matcher.mismatches(request).map(\.description) == lines)
  }
}
