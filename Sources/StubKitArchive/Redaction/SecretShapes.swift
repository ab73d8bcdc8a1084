import Foundation
import StubKit

/// Values that are recognised wherever they stand: keys and tokens whose services publish how they begin, JSON Web
/// Tokens and private keys.
struct SecretShapes {
  typealias Finding = (range: Range<Int>, name: String)

  private let text: UnsafeBufferPointer<UInt8>
  /// The last run of bytes of each set, so that a long one is read only once.
  private var runs: [ByteSet: Range<Int>] = [:]
  private(set) var findings: [Finding] = []

  init(text: UnsafeBufferPointer<UInt8>) {
    self.text = text
    var (position, isInWord) = (0, false)
    while position + 1 < text.count {
      let canBegin = Self.inner[text[position]] || !isInWord && ByteSet.alphanumeric[text[position]]
      let end = findings.last?.range.upperBound ?? 0
      if canBegin, let finding = finding(at: position), finding.range.lowerBound >= end {
        findings.append(finding)
        position = finding.range.upperBound
      } else {
        isInWord = ByteSet.alphanumeric[text[position]]
        position += 1
      }
    }
  }

  private mutating func finding(at position: Int) -> Finding? {
    guard let shapes = Self.byStart[Int(text[position]) << 8 | Int(text[position + 1])] else { return nil }
    let isStart = isStart(position)
    for shape in shapes where text.has(shape.text, at: position) {
      if let range = range(of: shape, at: position, isStart) { return (range, "\(shape.text)…") }
    }
    return nil
  }

  /// Whether a word begins at a position. Within random Base64, such as a picture's, no sign of its alphabets ends one.
  private func isStart(_ position: Int) -> Bool {
    guard position > 0, !text[position - 1].isAlphanumeric else { return position == 0 }
    let start = text.startIndex(of: .base64, before: position, notBefore: max(0, position - 64))
    return !String(utf8: text[start..<position]).looksRandom()
  }

  private mutating func end(of set: ByteSet, from position: Int) -> Int {
    if let run = runs[set], run.contains(position) { return run.upperBound }
    let end = text.firstIndex(notIn: set, from: position)
    runs[set] = position..<end
    return end
  }

  private mutating func range(of shape: Shape, at position: Int, _ isStart: Bool) -> Range<Int>? {
    var start = position
    if let before = shape.before {
      start = text.startIndex(of: before, before: position, notBefore: max(0, position - shape.counts.upperBound - 1))
      guard shape.counts.contains(position - start) else { return nil }
    } else if !isStart {
      return nil
    }
    let rest = position + shape.text.utf8.count
    let end = end(of: shape.set, from: rest)
    if shape.set == .address { return secretSegment(in: rest..<min(end, rest + 1_024)) }
    guard end - rest >= shape.least else { return nil }
    if shape.text == "eyJ" { return isToken(SecretText(text)[start..<end]) ? start..<end : nil }
    if shape.text == "-----BEGIN" { return privateKey(rest) }
    let isName = shape.least > 0 && String(decoding: text[rest..<min(end, rest + 200)], as: UTF8.self).isWords
    return isName ? nil : start..<end
  }

  /// The last segment of an address, if it is no word. What comes before it tells the request from others.
  private func secretSegment(in range: Range<Int>) -> Range<Int>? {
    let segments = SecretText(text)[range].pieces(at: "/")
    let secret = segments.last { $0.bytes.count >= 5 && !$0.string.isUUID }
    return secret.flatMap { $0.string.isWords ? nil : $0.origins(0..<$0.bytes.count) }
  }

  /// Whether Base64 is a JSON Web Token, with or without a signature, an encrypted one, or what a server signs without
  /// a header.
  private func isToken(_ text: SecretText) -> Bool {
    let parts = text.pieces(at: ".").map(\.bytes)
    guard parts.count > 1 else { return false }
    return parts[1].has("ey", at: 0) || parts[parts.count - 1].count > 20
  }

  /// What stands between the first and the last line of a private key.
  private func privateKey(_ position: Int) -> Range<Int>? {
    guard let start = text.firstIndex(of: "-----", from: position, to: position + 76).map({ $0 + 5 }),
      String(decoding: text[position..<start], as: UTF8.self).contains("PRIVATE KEY")
    else { return nil }
    let key = SecretText(text)[start..<(text.firstIndex(of: "-----END", from: start) ?? text.count)].trimmed()
    return key.origins(0..<key.bytes.count)
  }

  // MARK: The table

  /// A text, the least number of characters of a set after it, and what stands before it for shapes that don't begin
  /// with it.
  private typealias Shape = (text: String, set: ByteSet, least: Int, before: ByteSet?, counts: ClosedRange<Int>)

  private static let known = ShapeRules.rows.rows.flatMap { row in
    let (after, before) = (row[1].pieces(at: " "), row[2].pieces(at: " "))
    let counts = before.count == 3 ? (Int(before[1]) ?? 0)...(Int(before[2]) ?? 0) : 0...0
    return row[0].pieces(at: " ").map { text -> Shape in
      (String(text), sets[String(after[0])] ?? .none, Int(after[after.count - 1]) ?? 0, sets[String(before[0])], counts)
    }
  }

  private static let sets: [String: ByteSet] = [
    "address": .address, "alphanumeric": .alphanumeric, "base64": .base64, "digit": .digit, "dotted": .dotted,
    "hexadecimal": .hexadecimal, "random": .random, "tilde": .tilde, "token": .token, "upper": .upper, "uuid": .uuid,
    "word": .word,
  ]

  /// The shapes by the first two bytes.
  private static let byStart = Dictionary(grouping: known) { pair($0.text) }

  private static func pair(_ text: String) -> Int { text.utf8.prefix(2).reduce(0) { $0 << 8 | Int($1) } }

  /// The first bytes of what can begin in a word.
  private static let inner = ByteSet(known.filter { $0.before != nil }.map { $0.text.prefix(1) }.joined() + "-$")
}

extension String {
  /// The rows of a table of rules, each with its columns. What is indented continues a row.
  var rows: [[String]] {
    replacingOccurrences(of: "\n  ", with: " ").pieces(at: "\n").filter { !$0.isEmpty }.map { row in
      row.components(separatedBy: " |").map { String($0[...].withoutOuterSpace) }
    }
  }
}
