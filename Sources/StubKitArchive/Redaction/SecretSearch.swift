import Foundation
import StubKitFormats

/// Finds many values in a text at once, in time in proportion to the text, however many values there are and whatever they have
/// in common.
///
/// The values are sorted. Each position of the text is looked up in a filter of the values' first bytes. Few pass it, and for
/// them a binary search finds the longest value that begins there. A value is found as it is, where escapes hide it, and in
/// Base64, which is decoded and searched too.
struct SecretSearch {
  private struct Value {
    let bytes: [UInt8]
    let secret: Int
    let placeholder: String
    /// The longest other value that this one begins with, or -1.
    var prefix = -1
  }

  private var values: [Value]
  private var filter: [UInt64] = []
  private var shift: UInt64 = 63

  /// - Parameter values: The values with their secrets and placeholders. Each has at least four bytes.
  init(_ values: [String: (secret: Int, placeholder: String)]) {
    self.values = values.map { Value(bytes: Array($0.utf8), secret: $1.secret, placeholder: $1.placeholder) }
    self.values.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    // At most one bit in 32 is set.
    var bits: UInt64 = 10
    while 1 << bits < 32 * values.count { bits += 1 }
    shift = 64 - bits
    filter = Array(repeating: 0, count: 1 << (bits - 6))
    for index in self.values.indices {
      let bytes = self.values[index].bytes
      // What this value begins with, the one before begins with too.
      var prefix = index - 1
      while prefix >= 0, !bytes.starts(with: self.values[prefix].bytes) { prefix = self.values[prefix].prefix }
      self.values[index].prefix = prefix
      let bit = bytes.withUnsafeBytes { place(of: $0, 0) }
      filter[Int(bit >> 6)] |= 1 << (bit & 63)
    }
  }

  /// Returns the place of the next four bytes in the filter.
  private func place(of bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    (UInt64(bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)) &* 0x9E37_79B9_7F4A_7C15) >> shift
  }

  /// Calls a closure with each secret in a text, its range, and what replaces it.
  func forEachMatch(in text: UnsafeBufferPointer<UInt8>, _ body: (Int, Range<Int>, [UInt8]) -> Void) {
    guard !values.isEmpty else { return }
    SecretText(text).forEachLevel { level in
      forEachValue(in: level.bytes) { range, value in
        let (origins, plain) = (level.origins(range), value.placeholder)
        body(value.secret, origins, Array((text[origins].contains(0x25) ? plain.percentEncoded : plain).utf8))
      }
      var start = 0
      while start < level.bytes.count {
        let end = level.bytes[start...].firstIndex { !$0.isBase64 } ?? level.bytes.count
        if end - start >= 16 { search(level, start..<end, body) }
        start = end + 1
      }
    }
  }

  /// Calls a closure with each value in bytes, or with the longest of those that begin at one place.
  private func forEachValue(in bytes: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, Value) -> Void) {
    let raw = UnsafeRawBufferPointer(bytes)
    var position = 0
    filter.withUnsafeBufferPointer { filter in
      while position + 4 <= bytes.count {
        let bit = place(of: raw, position)
        guard filter[Int(bit >> 6)] & 1 << (bit & 63) != 0, let value = longest(in: bytes[position...]) else {
          position += 1
          continue
        }
        let range = position..<position + value.bytes.count
        position = range.upperBound
        // Digits in the middle of a number are another number.
        let isInNumber =
          range.lowerBound > 0 && bytes[range.lowerBound - 1].isDigit
          || position < bytes.count && bytes[position].isDigit
        if !isInNumber || !value.bytes.allSatisfy(\.isDigit) { body(range, value) }
      }
    }
  }

  /// Returns the longest value that a text begins with.
  private func longest(in text: Slice<UnsafeBufferPointer<UInt8>>) -> Value? {
    // The last value that isn't after the text, or what it begins with.
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if text.lexicographicallyPrecedes(values[middle].bytes) { high = middle } else { low = middle + 1 }
    }
    var index = low - 1
    while index >= 0, !text.starts(with: values[index].bytes) { index = values[index].prefix }
    return index < 0 ? nil : values[index]
  }

  /// Searches what Base64 encodes, from each place where a group of four characters can begin.
  private func search(_ level: SecretText, _ run: Range<Int>, _ body: (Int, Range<Int>, [UInt8]) -> Void) {
    let end = level.bytes[run.upperBound...].firstIndex { $0 != UInt8(ascii: "=") } ?? level.bytes.count
    let text = level[run.lowerBound..<end].string
    for skipped in 0..<4 {
      // One character alone encodes nothing.
      let part = text.dropFirst(skipped).dropLast((run.count - skipped) % 4 == 1 ? 1 : 0)
      guard let data = Data(base64OfAnyKind: String(part)) else { continue }
      data.withUnsafeBytes { raw in
        var (edits, secret) = (ByteEdits(), nil as Int?)
        forEachValue(in: raw.bindMemory(to: UInt8.self)) { range, value in
          edits.replace(range, with: value.placeholder)
          secret = value.secret
        }
        guard let secret else { return }
        let encoded = edits.applied(to: raw.bindMemory(to: UInt8.self)).data.base64(like: part)
        let whole = text.prefix(skipped) + encoded + text.dropFirst(skipped + part.count)
        body(secret, level.origins(run.lowerBound..<end), Array(whole.utf8))
      }
    }
  }
}

extension Data {
  /// Returns Base64 in the alphabet of another text, and with padding if that has some or needs none.
  fileprivate func base64(like text: Substring) -> String {
    let encoded = base64EncodedString()
    let padded = text.hasSuffix("=") || text.utf8.count % 4 == 0 ? encoded : encoded.withoutPadding
    let isForURLs = (text.has("-") || text.has("_")) && !text.has("+") && !text.has("/")
    return isForURLs ? padded.replacing("+", with: "-").replacing("/", with: "_") : padded
  }
}

extension String {
  var hexadecimal: String { utf8.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined() }
}
