import Foundation
import StubKitFormats

/// Finds many values in a text at once, in time in proportion to the text, however many values there are and whatever they have
/// in common.
///
/// The values are sorted. Each position of the text is looked up in a filter of the values' first bytes. Few pass it, and for
/// them a binary search finds the longest value that begins there. A value is found as it is, where escapes hide it, in
/// Base64 and in hexadecimal.
struct SecretSearch {
  struct Match {
    let range: Range<Int>
    let secret: Int
    let replacement: [UInt8]
  }

  private struct Pattern {
    let start: Int
    let count: Int
    let secret: Int
    let encoding: Encoding
    /// The longest other pattern that this one begins with, or -1.
    var prefix = -1
  }
  private enum Encoding { case none, base64, hex }

  private var bytes: [UInt8] = []
  private var patterns: [Pattern] = []
  private var filter: [UInt64] = []
  private var shift: UInt64 = 63
  private let values: [Int: (value: String, placeholder: String)]
  /// The number of first bytes in the filter.
  private static let window = 6

  /// - Parameter values: The values with their numbers and placeholders.
  init(_ values: [Int: (value: String, placeholder: String)]) {
    self.values = values
    guard !values.isEmpty else { return }
    for (secret, value) in values.sorted(by: { $0.key < $1.key }) {
      let utf8 = Array(value.value.utf8)
      add(utf8, secret, .none)
      if value.value.isUUID {
        for other in [value.value.lowercased(), value.value.uppercased()] where other != value.value {
          add(Array(other.utf8), secret, .none)
        }
      }
      for part in utf8.partsInBase64 {
        add(part, secret, .base64)
        let other = part.map {
          $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
        }
        if other != part { add(other, secret, .base64) }
      }
      for digits in ["0123456789abcdef", "0123456789ABCDEF"].map({ Array($0.utf8) }) {
        add(utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, secret, .hex)
      }
    }
    // At most one bit in 32 is set.
    var bits: UInt64 = 10
    while 1 << bits < 32 * patterns.count { bits += 1 }
    shift = 64 - bits
    filter = Array(repeating: 0, count: 1 << (bits - 6))
    bytes.withUnsafeBufferPointer { all in
      // Safe because each pattern lies in `bytes`, which has an address if there is one.
      patterns.sort { left, right in
        let order = memcmp(all.baseAddress! + left.start, all.baseAddress! + right.start, min(left.count, right.count))
        return order != 0 ? order < 0 : (left.count, left.secret) < (right.count, right.secret)
      }
      var open: [Int] = []
      for index in patterns.indices {
        let pattern = patterns[index]
        while let last = open.last,
          !(patterns[last].count < pattern.count
            && memcmp(all.baseAddress! + patterns[last].start, all.baseAddress! + pattern.start, patterns[last].count)
              == 0)
        {
          open.removeLast()
        }
        patterns[index].prefix = open.last ?? -1
        open.append(index)
        let bit = Self.hash(Self.window(UnsafeRawBufferPointer(all), pattern.start)) >> shift
        filter[Int(bit >> 6)] |= 1 << (bit & 63)
      }
    }
  }

  private mutating func add(_ pattern: [UInt8], _ secret: Int, _ encoding: Encoding) {
    patterns.append(Pattern(start: bytes.count, count: pattern.count, secret: secret, encoding: encoding))
    bytes += pattern
  }

  private static func hash(_ window: UInt64) -> UInt64 { window &* 0x9E37_79B9_7F4A_7C15 }

  private static func window(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    if position + 8 <= bytes.count {
      return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) & 0xFFFF_FFFF_FFFF
    }
    return bytes[position..<min(position + window, bytes.count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Calls a closure with each value in a text, and in what its escapes decode to.
  func forEachMatch(in text: UnsafeBufferPointer<UInt8>, _ body: (Match) -> Void) {
    guard !patterns.isEmpty, text.count >= Self.window else { return }
    SecretText(text).forEachLevel { level in
      let raw = UnsafeRawBufferPointer(level.bytes)
      var position = 0
      bytes.withUnsafeBytes { all in
        filter.withUnsafeBufferPointer { filter in
          while position + Self.window <= raw.count {
            let bit = Self.hash(Self.window(raw, position)) >> shift
            guard filter[Int(bit >> 6)] & 1 << (bit & 63) != 0, let pattern = longest(all, raw, position),
              let match = match(pattern, level, position)
            else {
              position += 1
              continue
            }
            body(match)
            position += pattern.count
          }
        }
      }
    }
  }

  /// Returns the longest pattern that begins at a position.
  private func longest(_ all: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, _ position: Int) -> Pattern? {
    func order(_ pattern: Pattern) -> Int32 {
      let count = min(pattern.count, text.count - position)
      // Safe because the pattern lies in `bytes`, and `count` bytes are left after a position of the text.
      let order = memcmp(all.baseAddress! + pattern.start, text.baseAddress! + position, count)
      return order == 0 && count < pattern.count ? 1 : order
    }
    // The last pattern that isn't after the text.
    var (low, high) = (0, patterns.count)
    while low < high {
      let middle = (low + high) / 2
      if order(patterns[middle]) <= 0 { low = middle + 1 } else { high = middle }
    }
    var index = low - 1
    while index >= 0 {
      if order(patterns[index]) == 0 { return patterns[index] }
      index = patterns[index].prefix
    }
    return nil
  }

  private func match(_ pattern: Pattern, _ level: SecretText, _ start: Int) -> Match? {
    guard let (value, placeholder) = values[pattern.secret] else { return nil }
    let (text, range) = (level.bytes, start..<start + pattern.count)
    let isEscaped = level.origin(range.upperBound) - level.origin(range.lowerBound) > pattern.count
    switch pattern.encoding {
    case .none:
      // Digits in the middle of a number are another number.
      if value.utf8.allSatisfy(\.isDigit) {
        if range.lowerBound > 0, text[range.lowerBound - 1].isDigit { return nil }
        if range.upperBound < text.count, text[range.upperBound].isDigit { return nil }
      }
      return Match(
        range: level.origins(range), secret: pattern.secret,
        replacement: Array((isEscaped ? placeholder.percentEncoded : placeholder).utf8))
    case .hex:
      let hex = Redacted.text(1, like: String(repeating: "a", count: pattern.count))
      return Match(range: level.origins(range), secret: pattern.secret, replacement: Array(hex.utf8))
    case .base64:
      // The whole Base64 text, with the value in it replaced. Further than in the longest credentials, its ends aren't searched.
      var (first, last) = (range.lowerBound, range.upperBound)
      while first > 0, range.lowerBound - first < 4_096, text[first - 1].isBase64 { first -= 1 }
      while last < text.count, last - range.upperBound < 4_096, text[last].isBase64 || text[last] == UInt8(ascii: "=") {
        last += 1
      }
      let whole = String(decoding: text[first..<last], as: UTF8.self)
      for skipped in 0..<4 where skipped < whole.utf8.count - 1 {
        let part = String(whole.dropFirst(skipped))
        guard let data = Data(base64OfAnyKind: part), let place = data.range(of: Data(value.utf8)) else { continue }
        var decoded = data
        decoded.replaceSubrange(place, with: Data(placeholder.utf8))
        var encoded = decoded.base64EncodedString()
        if !whole.has("/"), !whole.has("+"), whole.has("-") || whole.has("_") {
          encoded = encoded.replacing("+", with: "-").replacing("/", with: "_")
        }
        let padded = part.hasSuffix("=") || part.utf8.count % 4 == 0 ? encoded : encoded.withoutPadding
        return Match(
          range: level.origins(first..<last), secret: pattern.secret,
          replacement: Array("\(whole.prefix(skipped))\(padded)".utf8))
      }
      return Match(range: level.origins(range), secret: pattern.secret, replacement: Array(placeholder.utf8))
    }
  }
}

extension [UInt8] {
  /// What Base64 text contains of the bytes, for each of the three places where they can begin.
  fileprivate var partsInBase64: [[UInt8]] {
    (0..<3).compactMap { before in
      let padded = Data(repeating: 0, count: before) + Data(self)
      let encoded = Array(padded.base64EncodedString().withoutPadding.utf8)
      // The first and the last character can depend on what surrounds the bytes.
      let start = before == 0 ? 0 : before + 1
      let end = padded.count * 8 / 6
      return end - start >= 12 ? Array(encoded[start..<end]) : nil
    }
  }
}
