import Foundation
import StubKit

/// Finds many values and their forms in a text at once, in time in proportion to the text, however many values there
/// are and whatever they have in common. Only a place that begins and ends like one costs as much as that is long.
///
/// Each position of the text is looked up in a table of the first bytes. Few pass it, and for them the last bytes are
/// compared at each length, from the longest on. A value is found as it is, and where escapes hide it.
struct SecretSearch {
  typealias Found = (secret: Int, placeholder: String)

  /// The lengths of the forms with the same first four bytes, and of several ones the order, from the longest on.
  private var lengths: [UInt32: Set<Int>] = [:]
  private var order: [UInt32: [Int]] = [:]
  /// The secrets with a form of a length, by its first four and its last eight bytes.
  private(set) var candidates: [UInt64: [Int]] = [:]

  /// Orders the lengths after the last secret was added.
  mutating func sort() { for (word, set) in lengths where set.count > 1 { order[word] = set.sorted(by: >) } }

  /// Adds what a secret and its forms begin and end with. A value has at least six bytes.
  mutating func add(_ secret: Int, _ value: String) {
    var texts = [value]
    if !value.utf8.allSatisfy({ $0 < 0x80 }) { texts += [value.lowercased(), value.uppercased()] }
    if let form = value.decodedFromBase64 ?? value.tokenParts.map({ String($0.signature) }), form.utf8.count > 3 {
      texts.append(form)
    }
    for text in texts { text.withUTF8Bytes { bytes in add(secret, bytes.count) { bytes[$0] } } }
    value.withUTF8Bytes { bytes in
      for digits in Digits.all {
        add(secret, digits.count(bytes.count)) { digits.digit($0, bytes, digits.alphabets[0]) }
      }
    }
  }

  private mutating func add(_ secret: Int, _ length: Int, _ byte: (Int) -> UInt8) {
    let first = UInt32(Self.word(0..<4, byte))
    lengths[first, default: []].insert(length)
    candidates[Self.key(first, length, Self.word(max(0, length - 8)..<length, byte)), default: []].append(secret)
  }

  private static func word(_ range: Range<Int>, _ byte: (Int) -> UInt8) -> UInt64 {
    var (word, index) = (UInt64(0), range.lowerBound)
    while index < range.upperBound { (word, index) = (word << 8 | UInt64(folded[Int(byte(index))]), index + 1) }
    return word
  }

  /// Letters without case, and the signs of one alphabet of Base64 for those of the other: forms of one length that
  /// differ in these only have the same key.
  private static let folded = (UInt8.min...UInt8.max).map { byte in
    switch byte {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: byte.lowercased
    }
  }

  private static func key(_ first: UInt32, _ length: Int, _ last: UInt64) -> UInt64 {
    last &+ (UInt64(first) << 16 | UInt64(length)) &* 0x9E37_79B9_7F4A_7C15
  }

  /// Calls a closure with what it finds in a text. Of what begins at one place, that is the longest.
  ///
  /// - Parameter match: Returns what a text is that has a key.
  func forEachMatch(
    in text: UnsafeBufferPointer<UInt8>, _ match: (String, UInt64) -> Found?, _ body: (Found, Range<Int>) -> Void
  ) {
    guard !lengths.isEmpty else { return }
    SecretText(text).forEachLevel { level in
      let (bytes, folded) = (level.bytes, Self.folded)
      var position = 0
      var next = UInt32(0)
      var least = 4
      while position < bytes.count {
        // The last four bytes, read one by one.
        next = next &<< 8 | UInt32(folded[Int(bytes[position])])
        position += 1
        guard position >= least, let lengths = lengths[next],
          let (range, found) = longest(bytes, position - 4, next, order[next] ?? Array(lengths), match)
        else { continue }
        (position, least) = (range.upperBound, range.upperBound + 4)
        // Digits in the middle of a number are another number.
        let isInNumber = [range.lowerBound - 1, position].contains { 0..<bytes.count ~= $0 && bytes[$0].isDigit }
        guard !isInNumber || !bytes[range].allSatisfy(\.isDigit) else { continue }
        body(found, level.origins(range))
      }
    }
  }

  /// Returns the longest value or form that begins at a position.
  private func longest(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ first: UInt32, _ lengths: [Int],
    _ match: (String, UInt64) -> Found?
  ) -> (Range<Int>, Found)? {
    for length in lengths where start + length <= bytes.count {
      let range = start..<start + length
      let key = Self.key(first, length, Self.word(max(start, range.upperBound - 8)..<range.upperBound) { bytes[$0] })
      guard candidates[key] != nil else { continue }
      if let found = match(String(decoding: bytes[range], as: UTF8.self), key) { return (range, found) }
    }
    return nil
  }
}
