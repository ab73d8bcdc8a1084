import Foundation
import StubKit

/// Values that are recognised wherever they stand: keys and tokens whose services publish how they begin, JSON Web
/// Tokens and private keys.
enum SecretShapes {
  typealias Finding = (range: Range<Int>, name: String)

  static func findings(in text: Bytes) -> [Finding] {
    var (findings, end) = ([Finding](), 0)
    for position in 0..<text.count where position >= end {
      let isInWord = position > 0 && text[position - 1].isAlphanumeric && text[position].isAlphanumeric
      guard (isInWord ? inner : starts)[text[position]] else { continue }
      let start = text[position...].prefix(2).reduce(0, pair)
      for shape in byStart[start] ?? [] where position >= end && text.has(shape.text, at: position) {
        guard let range = range(of: shape, in: text, at: position, after: end) else { continue }
        findings.append((range, "\(shape.text)…"))
        end = range.upperBound
      }
    }
    return findings
  }

  private static func range(
    of shape: Shape, in text: Bytes, at position: Int, after least: Int
  ) -> Range<Int>? {
    let first = max(least, position - shape.counts.upperBound - 1)
    let start = text.startIndex(of: shape.before, before: position, notBefore: first)
    guard shape.counts.contains(position - start) else { return nil }
    let rest = position + shape.text.utf8.count
    // A private key is between its first line and its last one.
    if shape.text == "-----BEGIN" {
      guard let name = text.firstIndex(of: "PRIVATE KEY", from: rest, to: rest + 20),
        let first = text.firstIndex(of: "-----", from: name, to: name + 20).map({ $0 + 5 })
      else { return nil }
      let key = SecretText(text)[first..<(text.firstIndex(of: "-----END", from: first) ?? text.count)].trimmed()
      return key.origins(0..<key.bytes.count)
    }
    let head = text[rest...].prefix(200).prefix { shape.set[$0] }
    // Within random Base64, such as a picture's, no sign of its alphabets ends a word.
    let run = text[text.startIndex(of: .base64, before: start, notBefore: max(0, start - 64))..<start]
    guard head.count >= shape.least, !String(utf8: head).isWords, !String(utf8: run).looksRandom() else { return nil }
    let end = text.firstIndex(notIn: shape.set, from: rest)
    // A JSON Web Token has several parts, and so has what a server signs without a header.
    let isOnePart = shape.text == "eyJ" && end < text.firstIndex(notIn: .word, from: rest) + 20
    return isOnePart ? nil : start..<end
  }

  // MARK: The table

  /// A text, the least number of characters of a set after it, and the set and the number of those before it.
  private typealias Shape = (text: String, set: ByteSet, least: Int, before: ByteSet, counts: ClosedRange<Int>)

  /// The shapes by the first two bytes.
  private static let byStart = Dictionary(
    grouping: ShapeRules.all.flatMap { rule in
      rule.texts.map { ($0, rule.characters.set, rule.least, rule.before.set, rule.counts) as Shape }
    }
  ) { $0.text.utf8.prefix(2).reduce(0, pair) }

  private static func pair(_ bytes: Int, _ next: UInt8) -> Int { bytes << 8 | Int(next) }

  /// The first bytes of all, and of those that can begin within a word.
  private static let starts = firstBytes { _ in true }
  private static let inner = firstBytes { $0.before != .alphanumeric }

  private static func firstBytes(_ counts: (Shape) -> Bool) -> ByteSet {
    ByteSet(byStart.values.joined().filter(counts).map { $0.text.prefix(1) }.joined())
  }
}

extension ShapeRule.Characters {
  fileprivate var set: ByteSet {
    switch self {
    case .alphanumeric: .alphanumeric
    case .base64: .base64
    case .digit: .digit
    case .dotted: .dotted
    case .hexadecimal: .hexadecimal
    case .random: .random
    case .tilde: .name
    case .token: .token
    case .upper: .upper
    case .uuid: .uuid
    case .word: .word
    }
  }
}
