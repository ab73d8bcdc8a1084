import Foundation
import StubKit

/// Finds many values and their forms in a text at once, in time in proportion to the text, however many values there
/// are and whatever they have in common with each other and with the text.
///
/// Each position of the text is looked up in a table of the first bytes. Few pass it, and for them the hash of the
/// bytes is looked up at each length, from the longest on. A value is found as it is, and where escapes hide it.
struct SecretSearch {
  typealias Found = (placeholder: String, reason: SecretReason)

  /// The lengths of what begins with the same four bytes, from the longest on.
  private var lengths: [UInt32: [Int]] = [:]
  /// The hashes of the values and their forms, and what takes their places.
  private var hashes: Set<UInt64> = []
  private var found: [String: Found] = [:]

  /// Adds a value or a form of it, which has at least four bytes.
  mutating func add(_ text: String, _ found: Found) {
    self.found[text] = found
    hashes.insert(text.utf8.reduce(0, TextHashes.next))
    let first = text.utf8.prefix(4).reduce(0, Self.next)
    let known = lengths[first] ?? []
    if !known.contains(text.utf8.count) { lengths[first] = (known + [text.utf8.count]).sorted(by: >) }
  }

  private static func next(_ word: UInt32, _ byte: UInt8) -> UInt32 { word << 8 | UInt32(byte) }

  /// Calls a closure with what it finds in a text. Of what begins at one place, that is the longest.
  func forEachMatch(in text: UnsafeBufferPointer<UInt8>, _ body: (Found, Range<Int>) -> Void) {
    guard !lengths.isEmpty else { return }
    for level in SecretText(text).levels() {
      let bytes = level.bytes
      var hashes: TextHashes?
      var (position, least, first) = (0, 4, UInt32(0))
      while position < bytes.count {
        // The last four bytes, read one by one.
        first = Self.next(first, bytes[position])
        position += 1
        guard position >= least, let lengths = lengths[first] else { continue }
        let known = hashes ?? TextHashes(bytes)
        hashes = known
        guard let (range, found) = longest(known, position - 4, lengths) else { continue }
        (position, least) = (range.upperBound, range.upperBound + 4)
        // Digits in the middle of a number are another number.
        let isInNumber = [range.lowerBound - 1, position].contains { 0..<bytes.count ~= $0 && bytes[$0].isDigit }
        guard !isInNumber || !bytes[range].allSatisfy(\.isDigit) else { continue }
        body(found, level.origins(range))
      }
    }
  }

  /// Returns the longest value or form that begins at a position.
  private func longest(_ text: TextHashes, _ start: Int, _ lengths: [Int]) -> (Range<Int>, Found)? {
    for length in lengths where start + length <= text.bytes.count {
      let range = start..<start + length
      guard hashes.contains(text.hash(of: range)) else { continue }
      if let found = found[String(utf8: text.bytes[range])] { return (range, found) }
    }
    return nil
  }
}

/// The hashes of the parts of a text, each at the same cost: a part of a long run of one byte is no more work than
/// another one.
private struct TextHashes {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The hash of the text up to each sixteenth byte.
  private var marks: [UInt64] = [0]

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    var (hash, position) = (UInt64(0), 0)
    while position < bytes.count {
      (hash, position) = (Self.next(hash, bytes[position]), position + 1)
      if position % 16 == 0 { marks.append(hash) }
    }
  }

  private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

  static func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 { hash &* base &+ UInt64(byte) &+ 1 }

  private func hash(upTo end: Int) -> UInt64 {
    bytes[end / 16 * 16..<end].reduce(marks[end / 16], Self.next)
  }

  func hash(of range: Range<Int>) -> UInt64 {
    // The base to the power of the length.
    var (power, square, rest) = (UInt64(1), Self.base, range.count)
    while rest > 0 {
      if rest % 2 == 1 { power = power &* square }
      (square, rest) = (square &* square, rest / 2)
    }
    return hash(upTo: range.upperBound) &- hash(upTo: range.lowerBound) &* power
  }
}
