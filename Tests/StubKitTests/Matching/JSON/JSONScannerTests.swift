import Foundation
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitFormats

@Suite("A JSON scanner", .inTurn)
struct JSONScannerTests {
  /// The text's tokens, or what is wrong with it.
  private static func tokens(_ text: [UInt8]) -> Result<[String], JSONProblem> {
    text.withUnsafeBufferPointer { utf8 in
      var scanner = JSONScanner(utf8)
      var tokens: [String] = []
      do throws(JSONProblem) {
        while true {
          switch try scanner.next() {
          case .beginObject: tokens.append("{")
          case .endObject: tokens.append("}")
          case .beginArray: tokens.append("[")
          case .endArray: tokens.append("]")
          case .key(let key): tokens.append("\(key.text):")
          case .string(let string):
            #expect(string.data == Data(string.text.utf8))
            tokens.append(string.text)
          case .number(let range): tokens.append(String(decoding: utf8[range], as: UTF8.self))
          case .bool(let value): tokens.append("\(value)")
          case .null: tokens.append("null")
          case .end: return .success(tokens)
          }
        }
      } catch { return .failure(error) }
    }
  }

  @Test(
    "tells a text's tokens",
    arguments: [
      (
        #" {"a" : [1, -2.5e+3, true,false , null, "x"], "b":{} , "c":[] } "#,
        ["{", "a:", "[", "1", "-2.5e+3", "true", "false", "null", "x", "]", "b:", "{", "}", "c:", "[", "]", "}"]
      ),
      (
        #""\"\\\/\b\f\n\r\t\u00e9\uD83D\ude80 plain text that is longer than eight bytes \u0041""#,
        ["\"\\/\u{8}\u{C}\n\r\té🚀 plain text that is longer than eight bytes A"]
      ),
      ("\u{FEFF}0", ["0"]),
      (
        #"["\ud83d", "\ud83dx", "\ude80\ud83d", "\ud83d\u0041"]"#,
        ["[", "\u{FFFD}", "\u{FFFD}x", "\u{FFFD}\u{FFFD}", "\u{FFFD}A", "]"]
      ),
      (#""""#, [""]),
    ])
  func valid(text: String, expected: [String]) throws {
    #expect(try Self.tokens(Array(text.utf8)).get() == expected)
  }

  /// Every text that one accepts the other does, too; what both refuse they refuse at one place. Only the halves of surrogate pairs,
  /// which the scanner reads, differ.
  @Test("refuses what the parser refuses, at the same place", arguments: 0..<40 as Range<UInt64>)
  func invalid(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let texts = [
      #"{"a": [1, 2.5e-1, {"b": null}], "c": "text that is \" longer \u00e9 than é 🚀 a word", "d": true}"#, "[[[]]]",
      "-0.5E2", #""a""#,
    ]
    for _ in 0..<300 {
      var text = Array(random.pick(texts).utf8)
      for _ in 0..<1 + random.below(3) where !text.isEmpty {
        switch random.below(3) {
        case 0: text.remove(at: random.below(text.count))
        case 1:
          text.insert(random.pick(Array(#""\{}[],:0-.eE tn"#.utf8) + [0x0A, 0x01]), at: random.below(text.count + 1))
        default: text = Array(text.prefix(random.below(text.count + 1)))
        }
      }
      // Both are for valid UTF-8 here.
      guard text.withUnsafeBufferPointer({ $0.firstInvalidUTF8 }) == nil else { continue }
      let parsed = Result { try JSONValue(parsing: Data(text)) }
      switch (Self.tokens(text), parsed) {
      case (.success, .success): break
      case (.failure(let problem), .failure(let other as JSONSyntaxError)):
        let error = JSONSyntaxError(problem)
        #expect(error == other, "\(String(decoding: text, as: UTF8.self))")
      default: Issue.record("\(String(decoding: text, as: UTF8.self)): the scanner and the parser disagree")
      }
    }
  }

  @Test(
    "is for valid UTF-8 alone, which is told as the standard library tells it", arguments: 0..<20 as Range<UInt64>)
  func utf8(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      var bytes = Array("plain text, é, €, 🚀, \u{10FFFF}".utf8)
      for _ in 0..<random.below(3) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      let isValid = String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
      let invalid = bytes.withUnsafeBufferPointer { $0.firstInvalidUTF8 }
      #expect((invalid == nil) == isValid, "\(bytes)")
      if let invalid {
        #expect(String(decoding: bytes[..<invalid], as: UTF8.self).utf8.elementsEqual(bytes[..<invalid]))
      }
    }
  }
}
