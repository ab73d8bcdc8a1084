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

  @Test("is made from Swift's values and literals, and gives members by key and elements by index")
  func values() throws {
    let (id, unsigned, ratio, name, flag) = (42, UInt64.max, Float(0.5), "Ann", true)
    #expect(StubJSON(id) == 42)
    #expect(StubJSON(unsigned).description == "18446744073709551615")
    // A Float gives the number that it prints as, not the nearest Double.
    #expect(StubJSON(ratio) == 0.5 && StubJSON(Float(0.1)) == 0.1)
    #expect(StubJSON(CGFloat(0.1)) == 0.1)
    #expect(try StubJSON(encoding: Float(0.1)) == 0.1)
    #expect(StubJSON(Float.greatestFiniteMagnitude) == 3.4028235e+38)
    #expect(StubJSON(name) == "Ann" && StubJSON(name.prefix(1)) == "A")
    #expect(StubJSON(flag) == true && StubJSON(Int8(-1)) == StubJSON(-1.0))
    // It gives its members by key and its elements by index.
    let value: StubJSON = ["a": [1, ["b": "x"]], "none": nil]
    #expect(value["a"]?[1]?["b"] == "x")
    #expect(value["none"] == .some(.null) && value["missing"] == nil)
    #expect(value["a"]?[2] == nil && value["a"]?[-1] == nil)
    #expect(value[0] == nil && value["a"]?["b"] == nil)
  }

  @Test("encodes and decodes what is Codable")
  func coding() throws {
    struct Model: Codable, Equatable {
      var id: UInt64
      var extra: StubJSON
    }
    let model = Model(id: .max, extra: ["list": [1, 1.5, nil, true, "x"]])
    let value = try StubJSON(encoding: model)
    #expect(value == ["id": StubJSON(UInt64.max), "extra": ["list": [1, 1.5, nil, true, "x"]]])
    #expect(try JSONDecoder().decode(Model.self, from: value.data) == model)
    #expect(try StubJSON(parsing: JSONEncoder().encode(value)) == value)
    #expect(try StubJSON(encoding: value) == value)
    #expect(throws: EncodingError.self) { try StubJSON(encoding: [Double.nan]) }
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

  @Test("with a key twice, with NaN or with infinity is a mistake, but can be printed and compared")
  func mistakes() throws {
    for value in [["a": 1, "a": 2], StubJSON(Double.nan), ["a": [StubJSON(-Double.infinity)]]] {
      #expect(throws: EncodingError.self, "\(value)") { try JSONEncoder().encode([value]) }
      #expect(hasJSONBody(value).mistake != nil && hasJSON(at: "a", equals: value).mistake != nil, "\(value)")
      #expect(StubResponse.json(value).problem != nil, "\(value)")
      // Even so it can be printed and compared.
      #expect(!"\(value)".isEmpty && value == value, "\(value)")
    }
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

  @Test("is read as one of Swift's types, and only as its own")
  func types() {
    let value: StubJSON = [
      "text": "Ann", "int": 1, "half": 1.5, "flag": true, "list": [1, nil], "map": ["a": 1], "none": nil,
    ]
    func keys(_ isOfType: (StubJSON) -> Bool) -> Set<String> {
      Set((value.objectValue ?? [:]).filter { isOfType($0.value) }.keys)
    }
    #expect(keys { $0.stringValue == "Ann" } == ["text"] && keys { $0.stringValue != nil } == ["text"])
    #expect(keys { $0.intValue == 1 } == ["int"] && keys { $0.intValue != nil } == ["int"])
    #expect(keys { $0.doubleValue == 1.5 } == ["half"] && keys { $0.doubleValue != nil } == ["int", "half"])
    #expect(keys { $0.boolValue == true } == ["flag"] && keys { $0.boolValue != nil } == ["flag"])
    #expect(keys { $0.arrayValue == [1, nil] } == ["list"] && keys { $0.arrayValue != nil } == ["list"])
    #expect(keys { $0.objectValue == ["a": 1] } == ["map"] && keys { $0.objectValue != nil } == ["map"])
  }

  static func nested(_ depth: Int, inObjects: Bool = false, around leaf: StubJSON = 1) -> StubJSON {
    (0..<depth).reduce(leaf) { inObjects && $1.isMultiple(of: 2) ? .object(["k": $0]) : .array([$0]) }
  }

  @Test("of 128 levels needs no more than a small stack, and a deeper one is refused")
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
    // Deeper ones are refused.
    let text = String(repeating: "[", count: 1_000_000)
    let error = #expect(throws: JSONSyntaxError.self) { try StubJSON(parsing: text) }
    #expect(error?.problem == "arrays and objects are nested more than 128 levels deep")
    #expect(error?.column == 129)
  }
}
