import Foundation
import StubKitFormats

/// Finds many values in a text at once, in time in proportion to the text, however many values there are and whatever they have
/// in common.
///
/// Each position of the text is looked up in a filter of the values' first bytes. Few pass it, and for them a look-up for each
/// length finds the longest value that begins there. A value is found as it is, and where escapes hide it.
struct SecretSearch {
  typealias Value = (secret: Int, placeholder: String)

  private let values: [String: Value]
  /// The lengths of the values, from the longest on.
  private let lengths: [Int]
  private var filter: [UInt64]
  private var shift: UInt64 = 52

  /// - Parameter values: The values with their secrets and placeholders. Each has at least four bytes.
  init(_ values: [String: Value]) {
    self.values = values
    lengths = Set(values.keys.map(\.utf8.count)).sorted(by: >)
    // At most one bit in 128 is set.
    while 1 << (64 - shift) < 128 * values.count { shift -= 1 }
    filter = Array(repeating: 0, count: 1 << (58 - shift))
    for value in values.keys {
      let bit = place(of: value.utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
      filter[Int(bit >> 6)] |= 1 << (bit & 63)
    }
  }

  /// Returns the place of four bytes in the filter.
  private func place(of bytes: UInt32) -> UInt64 { (UInt64(bytes) &* 0x9E37_79B9_7F4A_7C15) &>> shift }

  /// Calls a closure with each secret in a text, its range, and what replaces it.
  func forEachMatch(in text: UnsafeBufferPointer<UInt8>, _ body: (Int, Range<Int>, [UInt8]) -> Void) {
    guard !values.isEmpty else { return }
    SecretText(text).forEachLevel { level in
      forEachValue(in: level.bytes) { range, value in
        let (origins, plain) = (level.origins(range), value.placeholder)
        body(value.secret, origins, Array((text[origins].contains(0x25) ? plain.percentEncoded : plain).utf8))
      }
    }
  }

  /// Calls a closure with each value in bytes, or with the longest of those that begin at one place.
  private func forEachValue(in bytes: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, Value) -> Void) {
    filter.withUnsafeBufferPointer { filter in
      var (position, next, least) = (0, UInt32(0), 4)
      while position < bytes.count {
        // The last four bytes, read one by one.
        next = next &<< 8 | UInt32(bytes[position])
        position += 1
        let bit = place(of: next)
        guard position >= least, filter[Int(bit &>> 6)] & 1 &<< bit != 0,
          let (range, value) = longest(in: bytes, at: position - 4)
        else { continue }
        (position, least) = (range.upperBound, range.upperBound + 4)
        // Digits in the middle of a number are another number.
        let isInNumber =
          range.lowerBound > 0 && bytes[range.lowerBound - 1].isDigit
          || position < bytes.count && bytes[position].isDigit
        if !isInNumber || !bytes[range].allSatisfy(\.isDigit) { body(range, value) }
      }
    }
  }

  /// Returns the longest value that begins at a position.
  private func longest(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> (Range<Int>, Value)? {
    for length in lengths where start + length <= bytes.count {
      let range = start..<start + length
      if let value = values[String(decoding: bytes[range], as: UTF8.self)] { return (range, value) }
    }
    return nil
  }
}

extension String {
  var hexadecimal: String { utf8.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined() }

  /// What Base64 contains wherever it encodes this text, and what then takes its place: the same with as much of another text.
  func inBase64(for other: String) -> [(String, String)] {
    let filled = other + String(repeating: ".", count: utf8.count)
    return (0..<3).flatMap { phase in
      // At each end there can be a character that encodes a part of another byte, too.
      let forms = [self, String(((phase == 0 ? "" : ".") + filled).prefix(utf8.count))].map { text in
        let code = Data(repeating: 0, count: phase) + Data(text.utf8)
        return String(code.base64EncodedString().prefix(code.count * 8 / 6).dropFirst((phase * 8 + 5) / 6))
      }
      let others = forms.map { $0.replacing("+", with: "-").replacing("/", with: "_") }
      return [(forms[0], forms[1]), (others[0], others[1])]
    }
  }
}
