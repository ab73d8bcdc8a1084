import Foundation
import StubKit

/// Finds many values and their forms in a text at once, in time in proportion to the text, however many values there
/// are and whatever they have in common with each other and with the text.
///
/// The four bytes at each position are looked up. Few are known, and for them the hash of the bytes is looked up at
/// each length, from the longest on. A value is found as it is, and where escapes hide it.
struct SecretSearch {
  typealias Found = (placeholder: String, reason: SecretReason)

  /// The lengths of what begins with the same four bytes, each with the base of the hashes to its power.
  private var lengths: [UInt32: [Int: UInt32]] = [:]
  /// The hashes of the values and their forms, and what takes their places.
  private var hashes: Set<UInt32> = []
  private var found: [String: Found] = [:]

  /// Adds a value or a form of it, which has at least four bytes.
  mutating func add(_ text: String, _ found: Found) {
    self.found[text] = found
    hashes.insert(text.utf8.reduce(0, TextHashes.next))
    let first = text.withUTF8Bytes { $0.fourBytes(at: 0) }
    lengths[first, default: [:]][text.utf8.count] = text.utf8.reduce(1) { power, _ in power &* TextHashes.base }
  }

  /// Calls a closure with what it finds in a text. Of what begins at one place, that is the longest.
  func forEachMatch(in text: Bytes, _ body: (Found, Range<Int>) -> Void) {
    if found.isEmpty { return }
    for level in SecretText(text).levels() {
      let bytes = level.bytes
      lazy var parts = TextHashes(bytes)
      var next = 0
      while next + 4 <= bytes.count {
        let position = next
        next += 1
        guard let lengths = lengths[bytes.fourBytes(at: position)] else { continue }
        for (length, power) in lengths.sorted(by: { $0.key > $1.key }) where position + length <= bytes.count {
          let range = position..<position + length
          guard hashes.contains(parts.hash(of: range, power)), let found = found[String(utf8: bytes[range])] else {
            continue
          }
          next = range.upperBound
          // Digits in the middle of a number are another number.
          let isInNumber = bytes.has(.digit, at: position - 1) || bytes.has(.digit, at: next)
          if !isInNumber || !bytes[range].allSatisfy(\.isDigit) { body(found, level.origins(range)) }
          break
        }
      }
    }
  }
}

/// The hashes of the parts of a text, each at the same cost: a part of a long run of one byte is no more work than
/// another one.
private struct TextHashes {
  static let base: UInt32 = 0x9E37_79B9

  /// The hash of the text up to each byte.
  private var sums: [UInt32] = [0]

  init(_ bytes: Bytes) {
    for byte in bytes { sums.append(Self.next(sums[sums.count - 1], byte)) }
  }

  static func next(_ hash: UInt32, _ byte: UInt8) -> UInt32 { hash &* base &+ UInt32(byte) &+ 1 }

  /// - Parameter power: The base to the power of the length.
  func hash(of range: Range<Int>, _ power: UInt32) -> UInt32 {
    sums[range.upperBound] &- sums[range.lowerBound] &* power
  }
}

extension Bytes {
  fileprivate func fourBytes(at position: Int) -> UInt32 {
    UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: position, as: UInt32.self)
  }
}
