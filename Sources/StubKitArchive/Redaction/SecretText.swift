import Foundation
import StubKitFormats

/// A part of a text, perhaps without its escapes, that knows the place of each of its bytes in the whole text.
struct SecretText {
  // Safe because no such text leaves the closure that lends the bytes.
  let bytes: UnsafeBufferPointer<UInt8>
  private let places: UnsafeBufferPointer<Int>?
  private let start: Int

  /// What hides characters.
  struct Escapes: OptionSet {
    let rawValue: Int
    static let percent = Escapes(rawValue: 1)
    static let json = Escapes(rawValue: 2)
    static let markup = Escapes(rawValue: 4)
    /// A plus sign is a space.
    static let plus = Escapes(rawValue: 8)
    static let all: Escapes = [.percent, .json, .markup]
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes, nil, 0) }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ places: UnsafeBufferPointer<Int>?, _ start: Int) {
    (self.bytes, self.places, self.start) = (bytes, places, start)
  }

  /// Returns the place of a byte in the whole text.
  func origin(_ position: Int) -> Int { places?[position] ?? start + position }

  func origins(_ range: Range<Int>) -> Range<Int> { origin(range.lowerBound)..<origin(range.upperBound) }

  subscript(range: Range<Int>) -> SecretText {
    SecretText(
      UnsafeBufferPointer(rebasing: bytes[range]),
      places.map { UnsafeBufferPointer(rebasing: $0[range.lowerBound...range.upperBound]) }, start + range.lowerBound)
  }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls a closure with the text without its escapes, which is this text if it has none.
  func decoded<Result>(_ escapes: Escapes, _ body: (SecretText) -> Result) -> Result {
    guard
      let first = bytes.firstIndex(where: {
        $0 == 0x25 && escapes.contains(.percent) || $0 == 0x5C && escapes.contains(.json)
          || $0 == 0x26 && escapes.contains(.markup) || $0 == 0x2B && escapes.contains(.plus)
      })
    else { return body(self) }
    var decoded = Array(bytes[..<first])
    var origins = (0..<first).map(origin)
    decoded.reserveCapacity(bytes.count)
    origins.reserveCapacity(bytes.count + 1)
    var position = first
    while position < bytes.count {
      let escape = bytes.escape(at: position, escapes)
      for byte in escape?.bytes ?? [bytes[position]] {
        decoded.append(byte)
        origins.append(origin(position))
      }
      position += escape?.length ?? 1
    }
    origins.append(origin(bytes.count))
    return decoded.withUnsafeBufferPointer { bytes in
      origins.withUnsafeBufferPointer { body(SecretText(bytes, $0, 0)) }
    }
  }

  /// Calls a closure with the text, with what its escapes decode to, and with what that decodes to.
  func forEachLevel(_ depth: Int = 3, _ body: (SecretText) -> Void) {
    body(self)
    guard depth > 0 else { return }
    decoded(.all) { if $0.bytes.count < bytes.count { $0.forEachLevel(depth - 1, body) } }
  }

  /// The parts between delimiters.
  func pieces(at delimiter: UInt8) -> [SecretText] {
    guard bytes.contains(delimiter) else { return [self] }
    return bytes.split(separator: delimiter, omittingEmptySubsequences: false).map { self[$0.startIndex..<$0.endIndex] }
  }

  var trimmed: SecretText {
    let start = bytes.firstIndex { !$0.isWhiteSpace } ?? bytes.count
    let end = bytes.lastIndex { !$0.isWhiteSpace }.map { $0 + 1 } ?? start
    return self[start..<end]
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the bytes of the escape at a position, and its length.
  fileprivate func escape(at position: Int, _ escapes: SecretText.Escapes) -> (bytes: [UInt8], length: Int)? {
    switch self[position] {
    case UInt8(ascii: "+") where escapes.contains(.plus): return ([0x20], 1)
    case UInt8(ascii: "%") where escapes.contains(.percent):
      guard position + 2 < count, let high = self[position + 1].hexadecimalDigit,
        let low = self[position + 2].hexadecimalDigit
      else { return nil }
      return ([high << 4 | low], 3)
    case UInt8(ascii: "\\") where escapes.contains(.json):
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
        return Unicode.Scalar(unit).map { (Array(String($0).utf8), 6) }
      default: return nil
      }
    case UInt8(ascii: "&") where escapes.contains(.markup):
      for (name, byte) in entities where self[position...].starts(with: name) { return ([byte], name.count) }
      return nil
    default: return nil
    }
  }
}

/// The references to characters that pages escape.
private let entities: [(name: [UInt8], byte: UInt8)] = [
  ("&amp;", "&"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"),
  ("&apos;", "'"), ("&#x2F;", "/"), ("&#x2f;", "/"), ("&#47;", "/"), ("&#x3D;", "="), ("&#61;", "="),
].map { (name: String, scalar: Unicode.Scalar) in (Array(name.utf8), UInt8(ascii: scalar)) }
