import Foundation
import StubKit

/// Finds many values in a text at once, in time in proportion to the text, however many values there are and whatever
/// they have in common. Only a place that begins and ends like a value costs as much as the value is long.
///
/// Each position of the text is looked up in a table of the values' first bytes. Few pass it, and for them the last
/// bytes are compared at each length, from the longest on. A value is found as it is, and where escapes hide it.
struct SecretSearch {
  typealias Value = (secret: Int, placeholder: String)

  private let values: [String: Value]
  /// The lengths of the values with the same first four bytes, from the longest on, and their last four bytes.
  private let ends: [UInt32: [(length: Int, last: Set<UInt32>)]]

  /// - Parameter values: The values with their secrets and placeholders. Each has at least four bytes.
  init(_ values: [String: Value]) {
    self.values = values
    var ends: [UInt32: [Int: Set<UInt32>]] = [:]
    for text in values.keys.map(\.utf8) {
      ends[Self.word(text.prefix(4)), default: [:]][text.count, default: []].insert(Self.word(text.suffix(4)))
    }
    self.ends = ends.mapValues { $0.sorted { $0.key > $1.key }.map { ($0.key, $0.value) } }
  }

  private static func word(_ bytes: some Sequence<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

  /// Calls a closure with each secret in a text, its range, and what replaces it. Of values that begin at one place,
  /// that is the longest one.
  func forEachMatch(in text: UnsafeBufferPointer<UInt8>, _ body: (Int, Range<Int>, String) -> Void) {
    guard !values.isEmpty else { return }
    SecretText(text).forEachLevel { level in
      let bytes = level.bytes
      var (position, next, least) = (0, UInt32(0), 4)
      while position < bytes.count {
        // The last four bytes, read one by one.
        next = next &<< 8 | UInt32(bytes[position])
        position += 1
        guard position >= least, let ends = ends[next], let (range, value) = longest(bytes, position - 4, ends) else {
          continue
        }
        (position, least) = (range.upperBound, range.upperBound + 4)
        // Digits in the middle of a number are another number.
        let isInNumber = [range.lowerBound - 1, position].contains { 0..<bytes.count ~= $0 && bytes[$0].isDigit }
        guard !isInNumber || !bytes[range].allSatisfy(\.isDigit) else { continue }
        body(value.secret, level.origins(range), value.placeholder)
      }
    }
  }

  /// Returns the longest value that begins at a position.
  private func longest(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ ends: [(length: Int, last: Set<UInt32>)]
  ) -> (Range<Int>, Value)? {
    for (length, last) in ends where start + length <= bytes.count {
      let range = start..<start + length
      guard last.contains(Self.word(bytes[range].suffix(4))) else { continue }
      if let value = values[String(decoding: bytes[range], as: UTF8.self)] { return (range, value) }
    }
    return nil
  }
}

extension String {
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// What Base64 contains wherever it encodes this text, and what then takes its place: the same with as much of
  /// another text.
  func inBase64(for other: String) -> [(String, String)] {
    let filled = Data((other + String(repeating: ".", count: utf8.count)).utf8)
    return (0..<3).flatMap { phase in
      // At each end there can be a character that encodes a part of another byte, too.
      let forms = [Data(utf8), (Data((phase == 0 ? "" : ".").utf8) + filled).prefix(utf8.count)].map { bytes in
        let code = (Data(repeating: 0, count: phase) + bytes).base64EncodedString().utf8
        return String(Substring(code.prefix((phase + utf8.count) * 8 / 6).dropFirst((phase * 8 + 5) / 6)))
      }
      let others = forms.map { form in
        String(decoding: form.utf8.map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }, as: UTF8.self)
      }
      return [(forms[0], forms[1]), (others[0], others[1])]
    }
  }
}
