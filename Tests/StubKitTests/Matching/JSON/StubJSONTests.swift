import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A JSON value", .inTurn)
struct StubJSONTests {
  @Test("is equal to what says the same, and hashes alike")
  func equal() throws {
    for (left, right) in [
      (#"{"a": 1, "b": [true, null]}"#, #"{ "b":[true,null],"a":1.0 }"#), (#""\u00e9""#, "\"\u{E9}\""),
      (#""\/""#, #""/""#),
    ] {
      let (left, right) = try (StubJSON(parsing: left), StubJSON(parsing: right))
      #expect(left == right && left.hashValue == right.hashValue, "\(left)")
      #expect(left.description == right.description, "\(left)")
    }
  }

  @Test("is different from what says something else")
  func different() throws {
    for (left, right) in [
      ("true", "1"), ("null", "0"), ("\"1\"", "1"), ("[1, 2]", "[2, 1]"), (#"{"a": null}"#, "{}"),
      // As a Double, both would be the same, and as bits of an integer both of the next row.
      ("9223372036854775807", "9223372036854775808"),
      ("18446744073709551615", "-1"),
      // Swift's strings would be equal.
      (#""\u00e9""#, "\"e\u{301}\""), (#"{"\u00e9": 1}"#, "{\"e\u{301}\": 1}"), ("[\"K\"]", "[\"\u{212A}\"]"),
    ] {
      #expect(try StubJSON(parsing: left) != StubJSON(parsing: right), "\(left)")
    }
  }

  @Test("reads back what it writes")
  func writing() throws {
    for (text, expected) in [
      ("null", "null"), (" true ", "true"), ("1.0", "1"), ("-0.0", "0"), ("1.5", "1.5"), ("0.1", "0.1"),
      ("5e-324", "5e-324"), (#"{"b":1,"a":{"d":[],"c":{}}}"#, #"{"a":{"c":{},"d":[]},"b":1}"#),
      (#""\u0000\u001f\n\r\t\"\\\/é😀""#, #""\u0000\u001f\n\r\t\"\\/é😀""#),
    ] {
      let value = try StubJSON(parsing: text)
      #expect(value.description == expected && value.data == Data(expected.utf8), "\(text): \(value)")
      #expect(try StubJSON(parsing: value.data) == value, "\(text)")
    }
  }

  @Test("is made from variables of Swift's types as from literals")
  func variables() {
    let (id, unsigned, name, flag) = (42, UInt64.max, "Ann", true)
    #expect(StubJSON(id) == 42)
    #expect(StubJSON(unsigned).description == "18446744073709551615")
    #expect(StubJSON(name) == "Ann" && StubJSON(name.prefix(1)) == "A")
    #expect(StubJSON(flag) == true)
    #expect(StubJSON(Int8(-1)) == StubJSON(-1.0))
    #expect(StubJSON(CGFloat(0.1)) == 0.1)
  }

  @Test("of a Float is the number that the Float prints as, not the nearest Double")
  func floats() throws {
    #expect(StubJSON(Float(0.5)) == 0.5)
    #expect(StubJSON(Float(0.1)) == 0.1)
    #expect(try StubJSON(encoding: Float(0.1)) == 0.1)
    #expect(StubJSON(Float.greatestFiniteMagnitude) == 3.4028235e+38)
  }

  @Test("gives its members by key and its elements by index, and nil for what it doesn't have")
  func subscripts() {
    let value: StubJSON = ["a": [1, ["b": "x"]], "none": nil]
    #expect(value["a"]?[1]?["b"] == "x")
    #expect(value["none"] == .some(.null) && value["missing"] == nil)
    #expect(value["a"]?[2] == nil && value["a"]?[-1] == nil)
    #expect(value[0] == nil && value["a"]?["b"] == nil)
  }

  private struct Model: Codable, Equatable {
    var id = UInt64.max
    var extra: StubJSON = ["list": [1, 1.5, nil, true, "x"]]
  }
  private static let encoded: StubJSON = ["id": StubJSON(UInt64.max), "extra": ["list": [1, 1.5, nil, true, "x"]]]

  @Test("is made from what is Encodable, and from another JSON value")
  func encoding() throws {
    #expect(try StubJSON(encoding: Model()) == Self.encoded)
    #expect(try StubJSON(encoding: Self.encoded) == Self.encoded)
    #expect(throws: EncodingError.self) { try StubJSON(encoding: [Double.nan]) }
  }

  @Test("has bytes from which what is Decodable is made, and can be a part of that")
  func decodingModel() throws {
    #expect(try JSONDecoder().decode(Model.self, from: Self.encoded.data) == Model())
  }

  @Test("is encoded by an encoder without a change")
  func encoder() throws {
    #expect(try StubJSON(parsing: JSONEncoder().encode(Self.encoded)) == Self.encoded)
  }

  /// A decoder gives a number only as a type that is asked for, and even so no digit is lost.
  @Test("is the same from a Decoder as from the parser, with all digits of its numbers")
  func decoding() throws {
    for text in [
      "9007199254740993", "18446744073709551615", "-9223372036854775808", "1e18", "1.5e18", "0.1", "1e300", "-0.0",
    ] {
      #expect(try JSONDecoder().decode(StubJSON.self, from: Data(text.utf8)) == StubJSON(parsing: text), "\(text)")
    }
    let list = try PropertyListEncoder().encode(["a": [1, 2], "b": []])
    #expect(try PropertyListDecoder().decode(StubJSON.self, from: list) == ["a": [1, 2], "b": []])
  }

  private static let impossible: [StubJSON] = [
    ["a": 1, "a": 2], StubJSON(Double.nan), ["a": [StubJSON(-Double.infinity)]],
  ]

  @Test(
    "with a key twice, with NaN or with infinity is a mistake in a condition, in a response and for an encoder",
    arguments: impossible)
  func mistakes(value: StubJSON) {
    #expect(hasJSONBody(value).mistake != nil)
    #expect(hasJSON(at: "a", equals: value).mistake != nil)
    #expect(StubResponse.json(value).problem != nil)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([value]) }
  }

  @Test("with a key twice, with NaN or with infinity can be printed and compared", arguments: impossible)
  func printedMistakes(value: StubJSON) {
    #expect(!"\(value)".isEmpty)
    #expect(value == value)
  }

  @Test("that is a number gives it as a Double, and as an Int if it is one")
  func numbers() {
    for (number, int, double) in [
      (JSONNumber(1.0), 1, 1), (JSONNumber(1.5), nil, 1.5), (JSONNumber(UInt64.max), nil, 0x1p64),
      (JSONNumber(Int64.max), Int(Int64.max), 0x1p63), (JSONNumber(1e300), nil, 1e300), (JSONNumber(-0.0), 0, 0),
    ] as [(JSONNumber, Int?, Double)] {
      #expect(number.intValue == int && number.doubleValue == double, "\(number): \(number.doubleValue)")
    }
  }

  @Test("is given as its own type of Swift's, and as nil for every other type; only an Int is a Double, too")
  func types() {
    let values: [StubJSON] = ["Ann", 1, 1.5, true, [1, nil], ["a": 1], nil]
    #expect(values.map(\.stringValue) == ["Ann", nil, nil, nil, nil, nil, nil])
    #expect(values.map(\.intValue) == [nil, 1, nil, nil, nil, nil, nil])
    #expect(values.map(\.doubleValue) == [nil, 1, 1.5, nil, nil, nil, nil])
    #expect(values.map(\.boolValue) == [nil, nil, nil, true, nil, nil, nil])
    #expect(values.map(\.arrayValue) == [nil, nil, nil, nil, [1, nil], nil, nil])
    #expect(values.map(\.objectValue) == [nil, nil, nil, nil, nil, ["a": 1], nil])
  }

  static func nested(_ depth: Int, inObjects: Bool = false, around leaf: StubJSON = 1) -> StubJSON {
    (0..<depth).reduce(leaf) { inObjects && $1.isMultiple(of: 2) ? .object(["k": $0]) : .array([$0]) }
  }

  @Test("of 128 levels needs no more than a small stack")
  func deepest() {
    let problems = onSmallStack { () -> [String] in
      var problems: [String] = []
      func check(_ holds: Bool, _ problem: String) { if !holds { problems.append(problem) } }
      do {
        let value = Self.nested(128, inObjects: true)
        let parsed = try StubJSON(parsing: value.data)
        check(try JSONDecoder().decode(StubJSON.self, from: JSONEncoder().encode(value)) == value, "coded")
        check(parsed == value && parsed.hashValue == value.hashValue, "parsed")
        check(hasJSONBody(containing: value).matches(post(value.description)), "contained")
        let registry = StubRegistry()
        let found = stub(condition: hasJSONBody(value), response: .json(value), in: registry)
        check(registry.answerer(of: post(value.description)) === found, "matched")
        let other = post(Self.nested(128, inObjects: true, around: 2).description)
        check(!registry.explain(other).description.isEmpty, "explained")
        let near = UnmatchedRequestError(RequestFacts(other), in: registry).description
        check(near.contains("expected 1, got 2"), near)
        check(hasJSONBody(containing: value).description.count > 2 * 128, "literal")
      } catch {
        problems.append("\(error)")
      }
      return problems
    }
    #expect(problems == [])
  }

  @Test("of more than 128 levels is refused at the bracket that opens the next one")
  func tooDeep() {
    let text = String(repeating: "[", count: 1_000_000)
    let error = #expect(throws: JSONSyntaxError.self) { try StubJSON(parsing: text) }
    #expect(error?.problem == "arrays and objects are nested more than 128 levels deep")
    #expect(error?.column == 129)
  }
}
