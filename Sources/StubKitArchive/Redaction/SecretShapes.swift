import Foundation
import StubKit

/// How the keys of a service look that are too short, or too much like words, to look random.
struct ShapeRule: Sendable {
  /// The characters of a key.
  enum Characters: Sendable { case alphanumeric, dotted, token, upper, word }

  /// The texts with which they begin, what follows them, and the least number of that.
  let texts: [String], characters: Characters, least: Int

  init(_ texts: [String], _ characters: Characters, atLeast least: Int) {
    (self.texts, self.characters, self.least) = (texts, characters, least)
  }

  /// CONTRIBUTING says how to add one.
  static let all: [ShapeRule] = [
    ShapeRule(
      ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_", "tr_dev_", "tr_prod_"], .alphanumeric,
      atLeast: 10),
    ShapeRule(["xoxs-", "AVNS_", "glpat-", "hf_"], .word, atLeast: 10),
    ShapeRule(["AKIA", "ASIA", "ABIA", "ACCA"], .upper, atLeast: 16),
    ShapeRule(["A3-", "API-", "NRAK-", "AGE-SECRET-KEY-1"], .upper, atLeast: 26),
    ShapeRule(["sk-"], .word, atLeast: 20),
    ShapeRule(["$2a$10$", "$2b$10$", "$2y$10$", "$2a$12$", "$2b$12$", "$2y$12$"], .token, atLeast: 53),
    ShapeRule(["eyJ"], .dotted, atLeast: 20),
    ShapeRule(["-----BEGIN"], .word, atLeast: 0),
  ]
}

/// Values that are recognised wherever they stand: keys by ``ShapeRule``, JSON Web Tokens and private keys.
enum SecretShapes {
  typealias Finding = (range: Range<Int>, name: String)

  static func findings(in text: Bytes) -> [Finding] {
    guard let bytes = text.baseAddress else { return [] }
    var (findings, end, next) = ([Finding](), 0, 0)
    let (starts, alphanumeric) = (starts, ByteSet.alphanumeric)
    let last = text.count - 1
    while true {
      // Holds: the indices are those of the text, and the table has a value for each two bytes.
      while next < last, !starts[Int(bytes[next]) << 8 | Int(bytes[next + 1])] { next += 1 }
      guard next < last else { return findings }
      let position = next
      next += 1
      // In what a `data:` URL embeds, nothing is meant by a beginning.
      if text[position] == UInt8(ascii: "b"), text.has("base64,", at: position) {
        next = endOfData(in: text, from: position + 7)
        continue
      }
      guard position >= end, !alphanumeric[text[position]] || !text.has(alphanumeric, at: position - 1) else {
        continue
      }
      let start = pair(Int(text[position]), text[next])
      for shape in byStart[start] ?? [] where position >= end && text.has(string: shape.text, at: position) {
        guard let range = range(of: shape, in: text, at: position) else { continue }
        findings.append((range, "\(shape.text)…"))
        end = range.upperBound
      }
    }
  }

  /// The end of Base64, in which JSON can have escaped the slashes.
  private static func endOfData(in text: Bytes, from start: Int) -> Int {
    var end = text.firstIndex(notIn: .base64, from: start)
    while text.has("\\/", at: end) { end = text.firstIndex(notIn: .base64, from: end + 2) }
    return end
  }

  private static func range(of shape: Shape, in text: Bytes, at start: Int) -> Range<Int>? {
    let rest = start + shape.text.utf8.count
    // A private key is between its first line and its last one.
    if shape.text == "-----BEGIN" {
      guard let name = text.firstIndex(of: "PRIVATE KEY", from: rest, to: rest + 20),
        let first = text.firstIndex(of: "-----", from: name, to: name + 20).map({ $0 + 5 })
      else { return nil }
      let key = SecretText(text)[first..<(text.firstIndex(of: "-----END", from: first) ?? text.count)].trimmed()
      return key.origins(0..<key.bytes.count)
    }
    // Within random Base64, such as a picture's, no sign of its alphabets ends a word.
    let run = String(
      utf8: text.part(text.startIndex(of: .base64, before: start, notBefore: max(0, start - 64))..<start))
    // Much of it can be zeros. A path has words.
    let isWithin = run.looksRandom() || run.utf8.count > 47 && !run.pieces(at: "/").contains { String($0).isWords }
    if isWithin { return nil }
    // Many can begin in one long run of words, which isn't read to its end for each of them.
    let near = text.part(0..<min(text.count, rest + 204)).firstIndex(notIn: shape.set, from: rest)
    if near == rest + 204, String(utf8: text.part(rest..<rest + 200)).isWords { return nil }
    var end = text.firstIndex(notIn: shape.set, from: rest)
    // The full stop of a sentence, or an ellipsis. The second one of a JSON Web Token is before no signature.
    let isUnsigned = shape.text == "eyJ" && text.count(of: .fullStop, in: rest..<end) == 2
    for _ in 0..<3 where !isUnsigned && end > rest && text[end - 1] == UInt8(ascii: ".") { end -= 1 }
    let head = text.part(rest..<min(end, rest + 200))
    guard head.count >= shape.least, !String(utf8: head).isWords else { return nil }
    // Zeros are no key.
    let key = text.part(start..<min(end, rest + 200))
    guard key.contains(where: { $0 != key[0] && $0 != UInt8(ascii: "=") }) else { return nil }
    // A JSON Web Token has several parts, and so has what a server signs without a header.
    let isOnePart = shape.text == "eyJ" && end < text.firstIndex(notIn: .word, from: rest) + 20
    return isOnePart ? nil : start..<end
  }

  // MARK: The table

  /// One text of a rule.
  private struct Shape {
    let text: String
    /// What follows the text, and the least number of that.
    let set: ByteSet
    let least: Int
  }

  /// The shapes by the first two bytes.
  private static let byStart = Dictionary(
    grouping: ShapeRule.all.flatMap { rule in
      rule.texts.map { Shape(text: $0, set: rule.characters.set, least: rule.least) }
    }
  ) { $0.text.utf8.prefix(2).reduce(0, pair) }

  private static func pair(_ bytes: Int, _ next: UInt8) -> Int { bytes << 8 | Int(next) }

  // Holds: nothing writes to the table after it is made, and nothing frees it.
  /// Whether a shape, or what a `data:` URL embeds, begins with two bytes.
  nonisolated(unsafe) private static let starts: UnsafePointer<Bool> = {
    let starts = UnsafeMutablePointer<Bool>.allocate(capacity: 1 << 16)
    starts.initialize(repeating: false, count: 1 << 16)
    for start in byStart.keys { starts[start] = true }
    starts["ba".utf8.reduce(0, pair)] = true
    return UnsafePointer(starts)
  }()
}

extension ShapeRule.Characters {
  fileprivate var set: ByteSet {
    switch self {
    case .alphanumeric: .alphanumeric
    case .dotted: .dotted
    case .token: .token
    case .upper: .upper
    case .word: .word
    }
  }
}
