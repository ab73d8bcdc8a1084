import Foundation
import StubKit

/// Finds many values and their forms in a text at once, in time in proportion to the text, however many values there
/// are and whatever they have in common with each other and with the text.
///
/// The four bytes at each position are looked up. Few are known, and for them the hash of the bytes is looked up at
/// each length, from the longest on. A value is found as it is, and where escapes hide it.
struct SecretSearch {
  typealias Found = (placeholder: String, reason: SecretReason)

  /// The lengths of what begins with the same four bytes, from the longest on.
  private var lengths: [UInt32: [Int]] = [:]
  /// The base of the hashes to the power of each length.
  private var powers: [Int: UInt64] = [:]
  /// The last secret with a form, by the hash of the form.
  private var secrets: [UInt64: Int] = [:]

  /// Adds a value or a form of it, which has at least four bytes.
  mutating func add(_ secret: Int, _ bytes: [UInt8]) {
    secrets[bytes.reduce(0, TextHashes.next)] = secret
    let count = bytes.count
    if powers[count] == nil { powers[count] = bytes.reduce(1) { power, _ in power &* TextHashes.base } }
    let first = bytes.withUnsafeBufferPointer { $0.fourBytes(at: 0) }
    let known = lengths[first] ?? []
    if !known.contains(count) { lengths[first] = (known + [count]).sorted(by: >) }
  }

  /// Calls a closure with what it finds in a text. Of what begins at one place, that is the longest.
  ///
  /// - Parameter match: Returns what takes the place of a text that is a form of a secret, or has the same hash.
  func forEachMatch(in text: Bytes, _ match: (String, Int) -> Found?, _ body: (Found, Range<Int>) -> Void) {
    if secrets.isEmpty { return }
    for level in SecretText(text).levels() {
      let bytes = level.bytes
      lazy var parts = TextHashes(bytes)
      var next = 0
      while next + 4 <= bytes.count {
        let position = next
        next += 1
        guard let lengths = lengths[bytes.fourBytes(at: position)] else { continue }
        for length in lengths where position + length <= bytes.count {
          let range = position..<position + length
          guard let power = powers[length], let secret = secrets[parts.hash(of: range, power)],
            let found = match(String(utf8: bytes[range]), secret)
          else { continue }
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
  static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The hash of the text up to each byte.
  private var sums: [UInt64] = [0]

  init(_ bytes: Bytes) {
    for byte in bytes { sums.append(Self.next(sums[sums.count - 1], byte)) }
  }

  static func next(_ hash: UInt64, _ byte: UInt8) -> UInt64 { hash &* base &+ UInt64(byte) &+ 1 }

  /// - Parameter power: The base to the power of the length.
  func hash(of range: Range<Int>, _ power: UInt64) -> UInt64 {
    sums[range.upperBound] &- sums[range.lowerBound] &* power
  }
}

extension Bytes {
  fileprivate func fourBytes(at position: Int) -> UInt32 {
    UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: position, as: UInt32.self)
  }
}
