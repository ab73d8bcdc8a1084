import Foundation
import TestSupport
import Testing

@testable import StubKit

private let validTexts: [(text: String, value: StubJSON)] = [
  ("[]", []), ("[[] ]", [[]]), (" [\t1\r\n] ", [1]), ("{\"\":0}", ["": 0]),
  ("null", nil), ("true", true), ("\"\"", ""), (" 1", 1), ("-0", 0),
  ("0e+1", 0), ("1E22", 1e22), ("1e+2", 100), ("123.456e78", 123.456e78),
  ("-0.0e-9", 0),
  ("[\"\\u0060\\u012a\\u12AB\"]", ["\u{60}\u{12A}\u{12AB}"]), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
  (#""\uD801\udc37""#, "\u{10437}"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""\u0000""#, "\0"),
  (#""\uFFFE\uFFFF\uFDD0""#, .string(String(decoding: [0xFFFE, 0xFFFF, 0xFDD0] as [UInt16], as: UTF16.self))),
  ("\"\u{7F}\u{2028}\u{2029}\"", "\u{7F}\u{2028}\u{2029}"),
  ("\"a/*b*/c/*d//e\"", "a/*b*/c/*d//e"), (#""\\u0000""#, "\\u0000"),
  ("\"\u{FEFF}\u{FFFD}é\u{1F600}\"", "\u{FEFF}\u{FFFD}é\u{1F600}"),
  (#""x\u0301""#, "x\u{301}"), (#""\r\n""#, "\r\n"), ("\u{FEFF}{}", [:]),
  // The last of a key that is repeated, compared as Swift compares strings.
  (#"{"a":1,"b":2,"a":3}"#, ["a": 3, "b": 2]), (#"{"é":1,"e\u0301":2}"#, ["e\u{301}": 2]),
]

/// What is said of texts, with what is there instead: each text, the line and the column, and what is there, whose
/// character is quoted.
private let invalidTexts:
  [(problem: @Sendable (String) -> String, texts: [(text: String, line: Int, column: Int, found: String)])] = [
    (
      { "a value is missing before \($0)" },
      [
        ("", 1, 1, "the end"), (" \n ", 2, 2, "the end"), ("\u{FEFF}", 1, 2, "the end"), ("[", 1, 2, "the end"),
        ("\u{FEFF}\u{FEFF}1", 1, 2, "U+FEFF"), ("[1,]", 1, 4, "]"), ("[,1]", 1, 2, ","),
        (#"{"a":}"#, 1, 6, "}"), ("nul", 1, 1, "n"), ("tru", 1, 1, "t"),
        ("NaN", 1, 1, "N"), ("+1", 1, 1, "+"), ("１", 1, 1, "U+FF11"),
        ("'a'", 1, 1, "'"), ("\u{A0}1", 1, 1, "U+00A0"), ("\u{C}1", 1, 1, "U+000C"),
      ]
    ),
    (
      { "a comma or ] is missing before \($0)" }, [("[1", 1, 3, "the end"), ("[1 2]", 1, 4, "2"), ("[1}", 1, 3, "}")]
    ),
    (
      { "a comma or } is missing before \($0)" }, [(#"{"a":1"#, 1, 7, "the end")]
    ),
    (
      { "\($0) follows the value" },
      [
        ("[]]", 1, 3, "]"), ("1 2", 1, 3, "2"), ("01", 1, 2, "1"),
        ("0x1", 1, 2, "x"), ("1e5.5", 1, 4, "."), ("[1] // one", 1, 5, "/"),
        ("1\0", 1, 2, "U+0000"),
      ]
    ),
    (
      { "a key in quotation marks is missing before \($0)" },
      [
        ("{", 1, 2, "the end"), ("{a:1}", 1, 2, "a"), (#"{"a":1,}"#, 1, 8, "}"),
        (#"{"é":1,'b':2}"#, 1, 8, "'"),
      ]
    ),
    (
      { "a colon is missing before \($0)" }, [(#"{"a"}"#, 1, 5, "}"), (#"{"a" "b"}"#, 1, 6, "\"")]
    ),
    (
      { "a digit is missing before \($0)" },
      [
        ("-Infinity", 1, 2, "I"), ("-", 1, 2, "the end"), ("1.", 1, 3, "the end"), ("1.e1", 1, 3, "e"),
        ("1e", 1, 3, "the end"), ("1e+", 1, 4, "the end"),
      ]
    ),
    (
      { "\($0) has to be escaped in a string" },
      [
        ("\"\n\"", 1, 2, "U+000A"), ("\"\0\"", 1, 2, "U+0000"), ("\"\\n\t\"", 1, 4, "U+0009"),
      ]
    ),
    (
      { _ in "this number is too large for a Double" }, [("1e400", 1, 1, ""), ("[0,\n -1e309]", 2, 2, "")]
    ),
    (
      { _ in "this string is not closed" }, [("\"a", 1, 1, ""), ("[\"é\",\n  \"a\\\"", 2, 3, "")]
    ),
    (
      { _ in "this escape is not valid" }, [("\"\\", 1, 2, ""), (#""\x""#, 1, 2, "")]
    ),
    (
      { _ in "this escape doesn't have four hexadecimal digits" },
      [
        (#""\u12""#, 1, 2, ""), (#""\u+123""#, 1, 2, ""), (#""\u"#, 1, 2, ""), (#""\uD800\uD8"#, 1, 8, ""),
      ]
    ),
    (
      { _ in "this escape is half of a surrogate pair" },
      [
        (#""\uD800""#, 1, 2, ""), (#""\uDC00\uD800""#, 1, 2, ""), (#""\uD800\uD800""#, 1, 2, ""),
        (#""\uD800x""#, 1, 2, ""), (#""\uD800\n""#, 1, 2, ""),
      ]
    ),
  ]

private let numberTexts: [(text: String, number: JSONNumber)] = [
  ("18446744073709551615", JSONNumber(UInt64.max)),
  ("-9223372036854775808", JSONNumber(Int64.min)), ("-922337203685477580.8E+1", JSONNumber(Int64.min)),
  ("0.000000000000000000000000001e27", JSONNumber(1)),
  ("1" + String(repeating: "0", count: 400) + "e-400", JSONNumber(1)),
  ("-0e-99999999999999999999", JSONNumber(0)), ("1e-99999999999999999999", JSONNumber(0)),
  ("5e-324", JSONNumber(Double.leastNonzeroMagnitude)),
  ("1.7976931348623157e308", JSONNumber(Double.greatestFiniteMagnitude)),
  ("2.225073858507201e-308", JSONNumber(Double.leastNormalMagnitude.nextDown)),
  // What a Double prints as, and JSONEncoder writes.
  ("4.611686018427388e+18", JSONNumber(0x1p62)), ("18446744073709552000", JSONNumber(0x1p64)),
  ("0.1", JSONNumber(Float(0.1))),
]

/// Decimals of which no two are equal, each in all of its ways to be written, the printed one first. A row has one
/// `Double`.
private let decimalTexts: [[[String]]] = [
  [["0.1"], ["0.1000000000000000055", "1000000000000000055e-19"], ["0.10000000000000001"]],
  [["12345678901234567.89"], ["12345678901234567.12", "1234567890123456712E-2"], ["12345678901234568"]],
  [["9007199254740993", "9007199254740993.0", "9.007199254740993e15"], ["9007199254740992"], ["9007199254740992.5"]],
  [["18446744073709551616", "1844674407370955161.60e1"], ["18446744073709551617"], ["1.8446744073709552e+19"]],
  [["-9223372036854775809"], ["-9223372036854775808", "-9.223372036854775808e18"], ["-9223372036854775808.1"]],
  [["1", "1.0", "1e0", "10e-1"], ["1.00000000000000000000000001"], ["1.00000000000000000000000002"]],
  [["0", "-0", "0.0", "0e5"], ["1e-400", "0.1e-399"], ["-1e-400"], ["1.25e-401", "125e-403"]],
  [["1e+300", "10e299"], ["1.00000000000000000001e300"]],
  [
    ["3." + String(repeating: "3", count: 5_000)], ["3." + String(repeating: "3", count: 5_001)],
    ["3.3333333333333335"],
  ],
]

@Suite("The JSON parser", .inTurn)
struct JSONParserTests {
  @Test("takes what RFC 8259 calls JSON")
  func valid() throws {
    for (text, expected) in validTexts {
      #expect(try StubJSON(parsing: text) == expected, "\(text)")
      // A slice has indices that do not begin at zero.
      #expect(try StubJSON(parsing: Data("xx\(text)".utf8).dropFirst(2)) == expected, "\(text)")
    }
  }

  @Test("refuses what is no JSON, and says where")
  func invalid() {
    for (problem, texts) in invalidTexts {
      for (text, line, column, found) in texts {
        let error = #expect(throws: JSONSyntaxError.self, "\(text)") { try StubJSON(parsing: text) }
        let problem = problem(found.count == 1 ? "\"\(found)\"" : found)
        #expect(error?.problem == problem, "\(text)")
        #expect(error?.line == line && error?.column == column, "\(text)")
        #expect(
          error?.localizedDescription == "This is not valid JSON: line \(line), column \(column): \(problem).",
          "\(text)")
      }
    }
  }

  @Test("refuses bytes that are not UTF-8")
  func notUTF8() {
    // Bytes of Latin-1, overlong forms, a surrogate, what is beyond Unicode, and characters that are not whole.
    for bytes in [
      [0xFF], [0xE9], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0x80],
      [0xE2, 0x82], [0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF],
    ] as [[UInt8]] {
      let quote = UInt8(ascii: "\"")
      for start in [Data("[1, ".utf8), Data()] {
        for escape in [Data(), Data(#"\n"#.utf8)] {
          let before = start + [quote] + escape
          #expect(throws: JSONSyntaxError("this is not UTF-8", after: before), "\(bytes) after \(before)") {
            try StubJSON(parsing: before + bytes + [quote, UInt8(ascii: "]")])
          }
        }
      }
      #expect(throws: JSONSyntaxError.self, "\(bytes)") { try StubJSON(parsing: Data(bytes)) }
    }
  }

  @Test("reads numbers at the limits of Int64, UInt64 and Double exactly")
  func numbers() throws {
    for (text, expected) in numberTexts {
      #expect(try StubJSON(parsing: text) == .number(expected), "\(text)")
    }
  }

  @Test("keeps all digits of a decimal, which is one number in all of its ways to be written")
  func decimals() throws {
    for texts in decimalTexts.joined() {
      let forms = try texts.map { try StubJSON(parsing: $0) }
      #expect(Set(forms).count == 1, "\(texts): \(forms)")
      #expect(forms.allSatisfy { "\($0)" == texts[0] }, "\(texts): \(forms)")
    }
  }

  @Test("tells decimals apart that are the same as a Double")
  func sameDouble() throws {
    for row in decimalTexts {
      let numbers = try row.map { try StubJSON(parsing: $0[0]) }
      #expect(Set(numbers).count == row.count, "\(row)")
      let doubles = numbers.map { if case .number(let number) = $0 { number.doubleValue } else { Double.nan } }
      #expect(Set(doubles).count == 1, "\(row): \(doubles)")
    }
  }

  @Test("reads a decimal that StubJSON or JSONEncoder has written as the same number")
  func writtenDecimals() throws {
    for text in decimalTexts.joined().map({ $0[0] }) {
      let number = try StubJSON(parsing: text)
      #expect(number.data == Data(text.utf8))
      #expect(try StubJSON(parsing: number.data) == number, "\(text)")
      // JSONEncoder has 38 digits, and fewer powers of ten.
      guard text.utf8.count < 38, Decimal(string: text) != nil else { continue }
      #expect(try StubJSON(parsing: JSONEncoder().encode(number)) == number, "\(text)")
    }
  }

  private struct Transfer: Encodable { var amount = Decimal(string: "12345678901234567.89") }

  @Test(
    "compares decimals by all digits, even those that a Double doesn't have",
    arguments: [("12345678901234567.89", true), ("12345678901234567.890", true), ("12345678901234567.12", false)])
  func amounts(amount: String, isMet: Bool) {
    let (condition, request) = (hasJSONBody(Transfer()), post(#"{"amount":\#(amount)}"#))
    #expect(condition.matches(request) == isMet)
    // By the index of stubs, too.
    let registry = StubRegistry()
    stub(condition: condition, response: .status(204), in: registry)
    #expect((registry.answerer(of: request) != nil) == isMet)
  }

  @Test("is in the description of a condition with a decimal, which no literal of Swift's can be")
  func descriptionOfDecimal() {
    #expect(
      hasJSONBody(Transfer()).description
        == #"hasJSONBody(["amount": try StubJSON(parsing: "12345678901234567.89")])"#)
  }

  @Test("refuses each byte that a string can't have")
  func plainStrings() {
    for byte in UInt8.min..<0x80 {
      for place in 0..<20 {
        var bytes = [UInt8](repeating: 0x20, count: 20)
        bytes[place] = byte
        let isPlain = byte != 0x22 && byte != 0x5C && byte >= 0x20
        let text = String(decoding: [0x22] + bytes + [0x22], as: UTF8.self)
        // An escape at the end would escape the quotation mark, and others escape a space.
        #expect(((try? StubJSON(parsing: text)) != nil) == isPlain, "\(byte) at \(place)")
      }
    }
  }
}
