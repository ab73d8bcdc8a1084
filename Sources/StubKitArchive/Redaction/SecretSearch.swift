import Foundation
import StubKitFormats

/// Finds many values in a text at once, in time in proportion to the text, however many values there are and whatever they have
/// in common.
///
/// Each position of the text is looked up in a filter of the values' first bytes. Few pass it, and for them a look-up for each
/// length finds the longest value that begins there. A value is found as it is, where escapes hide it, and in Base64, which is
/// decoded and searched too.
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
      var start = level.bytes.firstIndex(in: .base64)
      while start < level.bytes.count {
        let end = level.bytes.firstIndex(notIn: .base64, from: start)
        if end - start >= 16 { search(level, start..<end, body) }
        start = level.bytes.firstIndex(in: .base64, from: end)
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

  /// Searches what Base64 encodes, from each place where a group of four characters can begin.
  private func search(_ level: SecretText, _ run: Range<Int>, _ body: (Int, Range<Int>, [UInt8]) -> Void) {
    let phases = [0, 1, 2, 3].filter { hasValue(inBase64: level.bytes, run.lowerBound + $0..<run.upperBound) }
    guard !phases.isEmpty else { return }
    let end = level.bytes.firstIndex(notIn: .equals, from: run.upperBound)
    let text = level[run.lowerBound..<end].string
    for skipped in phases {
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

  private func hasValue(inBase64 text: UnsafeBufferPointer<UInt8>, _ run: Range<Int>) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: run.count) { decoded in
      var (position, count, bits, length, isFound) = (run.lowerBound, 0, 0, 0, false)
      while position < run.upperBound {
        (bits, length) = ((bits &<< 6) & 0xFFFF | Self.sextets[Int(text[position])], length + 6)
        if length >= 8 {
          length -= 8
          decoded[count] = UInt8(bits &>> length & 0xFF)
          count += 1
        }
        position += 1
      }
      forEachValue(in: UnsafeBufferPointer(start: decoded.baseAddress, count: count)) { _, _ in isFound = true }
      return isFound
    }
  }

  /// What each byte of Base64 encodes.
  private static let sextets: [Int] = {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_".utf8.enumerated()
    return alphabet.reduce(into: Array(repeating: 0, count: 256)) {
      $0[Int($1.element)] = $1.offset - ($1.offset > 63 ? 2 : 0)
    }
  }()
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
