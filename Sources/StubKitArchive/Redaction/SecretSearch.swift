import Foundation
import StubKitFormats

/// Finds many values in a text at once, in time in proportion to the text, however many values there are.
///
/// A value is found as it is, and where escapes hide it: percent-encoded, in JSON strings, in HTML, one in another, and in
/// Base64.
struct SecretSearch {
  /// The length of the shortest value in bytes.
  static let shortest = 8

  private struct Pattern {
    let bytes: [UInt8]
    let replacement: String
    /// The value if the pattern is what Base64 text contains of it.
    var encodes: [UInt8]?
  }

  /// The patterns by their last eight bytes, which differ more often than the first, and then by length and content.
  private var patterns: [UInt64: [(length: Int, byContent: [ArraySlice<UInt8>: Pattern])]] = [:]
  /// Whether a pattern can end with eight bytes, by their hash.
  private var filter: [Bool] = []

  init() {}

  init(_ replacements: [String: String]) {
    guard !replacements.isEmpty else { return }
    filter = Array(repeating: false, count: 1 << 16)
    for (value, replacement) in replacements {
      let bytes = Array(value.utf8)
      guard bytes.count >= Self.shortest else { continue }
      add(Pattern(bytes: bytes, replacement: replacement))
      for part in bytes.partsInBase64 {
        add(Pattern(bytes: part, replacement: replacement, encodes: bytes))
        let other = part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? 0x5F : $0 }
        if other != part { add(Pattern(bytes: other, replacement: replacement, encodes: bytes)) }
      }
    }
  }

  private mutating func add(_ pattern: Pattern) {
    let end = pattern.bytes.withUnsafeBytes { $0.window(at: $0.count - Self.shortest) }
    filter[Self.hash(end)] = true
    let content = pattern.bytes[...]
    var lengths = patterns[end] ?? []
    if let place = lengths.firstIndex(where: { $0.length == content.count }) {
      // A value itself goes before what encodes another one.
      if let old = lengths[place].byContent[content], old.encodes == nil { return }
      lengths[place].byContent[content] = pattern
    } else {
      lengths.append((content.count, [content: pattern]))
      lengths.sort { $0.length > $1.length }
    }
    patterns[end] = lengths
  }

  private static func hash(_ window: UInt64) -> Int { Int(truncatingIfNeeded: (window &* 0x9E37_79B9_7F4A_7C15) >> 48) }

  func edits(of text: UnsafeBufferPointer<UInt8>) -> ByteEdits {
    var edits = ByteEdits()
    guard !patterns.isEmpty, text.count >= Self.shortest else { return edits }
    find(in: text, &edits) { $0 }
    // What is escaped in the text, and what is escaped in that.
    var view = DecodedView(of: text)
    for _ in 0..<3 {
      guard let decoded = view else { return edits }
      decoded.bytes.withUnsafeBufferPointer { find(in: $0, &edits) { decoded.origins[$0] } }
      view = decoded.next
    }
    return edits
  }

  /// - Parameter origin: A closure that returns the position in the text from which a position comes.
  private func find(in text: UnsafeBufferPointer<UInt8>, _ edits: inout ByteEdits, _ origin: (Int) -> Int) {
    let raw = UnsafeRawBufferPointer(text)
    // The matches from the end, so that a longer match covers those in it.
    var position = text.count - Self.shortest
    while position >= 0 {
      let window = raw.window(at: position)
      guard filter[Self.hash(window)], let match = match(text, endingAt: position + Self.shortest, window) else {
        position -= 1
        continue
      }
      edits.replace(origin(match.range.lowerBound)..<origin(match.range.upperBound), with: match.replacement)
      position = match.range.lowerBound - Self.shortest
    }
  }

  private func match(
    _ text: UnsafeBufferPointer<UInt8>, endingAt end: Int, _ window: UInt64
  ) -> (range: Range<Int>, replacement: String)? {
    for (length, byContent) in patterns[window] ?? [] where length <= end {
      let range = end - length..<end
      // Most candidates differ in the first bytes.
      guard let pattern = byContent[Array(text[range])[...]] else { continue }
      guard let value = pattern.encodes else {
        // Digits in the middle of a number are another number.
        let isNumber = pattern.bytes.allSatisfy(\.isDigit)
        if isNumber, range.lowerBound > 0, text[range.lowerBound - 1].isDigit { continue }
        if isNumber, end < text.count, text[end].isDigit { continue }
        return (range, pattern.replacement)
      }
      return encoded(text, range, value, pattern.replacement)
    }
    return nil
  }

  /// Returns the whole Base64 text around a match, with the value in it replaced.
  private func encoded(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ value: [UInt8], _ replacement: String
  ) -> (range: Range<Int>, replacement: String) {
    var start = range.lowerBound
    // Further than in the longest credentials, the text isn't searched for its beginning.
    while start > 0, range.lowerBound - start < 4_096, text[start - 1].isBase64 { start -= 1 }
    var end = range.upperBound
    while end < text.count, end - range.upperBound < 4_096, text[end].isBase64 || text[end] == UInt8(ascii: "=") {
      end += 1
    }
    let whole = String(decoding: text[start..<end], as: UTF8.self)
    for skipped in 0..<4 where skipped < whole.utf8.count - 1 {
      let part = whole.dropFirst(skipped)
      guard let data = Data(base64OfAnyKind: String(part)), let place = data.range(of: Data(value)) else { continue }
      var decoded = data
      decoded.replaceSubrange(place, with: Data(replacement.utf8))
      var encoded = decoded.base64EncodedString()
      if !whole.has("/"), !whole.has("+"), whole.has("-") || whole.has("_") {
        encoded = encoded.replacing("+", with: "-").replacing("/", with: "_")
      }
      return (start..<end, whole.prefix(skipped) + (whole.hasSuffix("=") ? encoded : encoded.paddedLike(part)))
    }
    return (range, replacement)
  }
}

extension String {
  /// Without padding if a text has none although it would need it.
  fileprivate func paddedLike(_ text: Substring) -> String { text.utf8.count % 4 == 0 ? self : withoutPadding }
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
      return end - start >= SecretSearch.shortest ? Array(encoded[start..<end]) : nil
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func window(at position: Int) -> UInt64 { loadUnaligned(fromByteOffset: position, as: UInt64.self) }
}

/// A text with one level of its escapes decoded, whichever they are.
private struct DecodedView {
  private(set) var bytes: [UInt8] = []
  /// The position of each byte in the original text, and the position of its end.
  private(set) var origins: [Int] = []

  /// Returns `nil` for a text without escapes.
  init?(of text: UnsafeBufferPointer<UInt8>) { self.init(text) { $0 } }

  /// The next level.
  var next: DecodedView? { bytes.withUnsafeBufferPointer { DecodedView($0) { origins[$0] } } }

  private init?(_ text: UnsafeBufferPointer<UInt8>, origin: (Int) -> Int) {
    guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") })
    else { return nil }
    var hasEscapes = false
    bytes.reserveCapacity(text.count)
    origins.reserveCapacity(text.count + 1)
    var position = 0
    while position < text.count {
      if let (decoded, length) = text.escape(at: position) {
        hasEscapes = true
        for byte in decoded {
          bytes.append(byte)
          origins.append(origin(position))
        }
        position += length
      } else {
        bytes.append(text[position])
        origins.append(origin(position))
        position += 1
      }
    }
    guard hasEscapes else { return nil }
    origins.append(origin(text.count))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the bytes of the escape at a position, and its length.
  fileprivate func escape(at position: Int) -> (bytes: [UInt8], length: Int)? {
    switch self[position] {
    case UInt8(ascii: "%"):
      guard position + 2 < count, let high = self[position + 1].hexadecimalDigit,
        let low = self[position + 2].hexadecimalDigit
      else { return nil }
      return ([high << 4 | low], 3)
    case UInt8(ascii: "\\"):
      guard position + 1 < count else { return nil }
      switch self[position + 1] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return ([self[position + 1]], 2)
      case UInt8(ascii: "n"): return ([0x0A], 2)
      case UInt8(ascii: "r"): return ([0x0D], 2)
      case UInt8(ascii: "t"): return ([0x09], 2)
      case UInt8(ascii: "u"):
        guard position + 5 < count else { return nil }
        var unit: UInt32 = 0
        for place in position + 2..<position + 6 {
          guard let digit = self[place].hexadecimalDigit else { return nil }
          unit = unit << 4 | UInt32(digit)
        }
        guard let scalar = Unicode.Scalar(unit) else { return nil }
        return (Array(String(scalar).utf8), 6)
      default: return nil
      }
    case UInt8(ascii: "&"):
      for (name, byte) in entities where self[position...].starts(with: name) { return ([byte], name.count) }
      return nil
    default: return nil
    }
  }
}

/// The references to characters that pages escape.
private let entities: [(name: [UInt8], byte: UInt8)] = [
  ("&amp;", "&"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"),
  ("&#x2F;", "/"), ("&#x2f;", "/"), ("&#47;", "/"), ("&#x3D;", "="), ("&#61;", "="),
].map { (name: String, scalar: Unicode.Scalar) in (Array(name.utf8), UInt8(ascii: scalar)) }
