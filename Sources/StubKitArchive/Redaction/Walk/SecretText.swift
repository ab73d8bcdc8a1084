import Foundation

/// A part of a text, perhaps without its escapes, that knows the place of each of its bytes in the whole text.
struct SecretText {
  /// The bytes of a decoded text, and where they come from: from a place on, each byte from the next byte of the other
  /// text. A group can keep a part of the text for longer than the walk is in it.
  private final class Origins {
    let text: SecretText
    let places: [(place: Int, origin: Int)]
    let decoded: UnsafeMutableBufferPointer<UInt8>

    init(_ text: SecretText, _ places: [(place: Int, origin: Int)], _ decoded: Data) {
      self.text = text
      self.places = places
      self.decoded = .allocate(capacity: decoded.count)
      _ = self.decoded.initialize(from: decoded)
    }

    deinit { decoded.deallocate() }

    subscript(place: Int) -> Int {
      var (low, high) = (0, places.count)
      while low < high {
        let middle = (low + high) / 2
        if places[middle].place <= place { low = middle + 1 } else { high = middle }
      }
      return text.origin(low == 0 ? place : place - places[low - 1].place + places[low - 1].origin)
    }
  }

  // Safe because the bytes are those of the whole text, which no text leaves the closure of, or of a decoded one, which
  // lives as long as the text's origins.
  let bytes: UnsafeBufferPointer<UInt8>
  private var origins: Origins?
  private var start = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Returns the place of a byte in the whole text.
  private func origin(_ position: Int) -> Int { origins?[start + position] ?? start + position }

  func origins(_ range: Range<Int>) -> Range<Int> { origin(range.lowerBound)..<origin(range.upperBound) }

  subscript(range: Range<Int>) -> SecretText {
    var part = SecretText(UnsafeBufferPointer(rebasing: bytes[range]))
    (part.origins, part.start) = (origins, start + range.lowerBound)
    return part
  }

  subscript(range: PartialRangeFrom<Int>) -> SecretText { self[range.lowerBound..<bytes.count] }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Calls a closure with the text without its escapes, which is this text if it has none.
  ///
  /// - Parameter marks: What the escapes begin with: a percent sign, a backslash, an ampersand, or a plus sign for a
  ///   space.
  func decoded<Result>(_ marks: ByteSet, _ body: (SecretText) -> Result) -> Result {
    var decoded = Data()
    var copied = 0
    var places = [(place: Int, origin: Int)]()
    var position = bytes.firstIndex(in: marks)
    while position < bytes.count {
      if let escape = bytes.escape(at: position) {
        decoded.append(UnsafeBufferPointer(rebasing: bytes[copied..<position]))
        for byte in escape.bytes {
          places.append((decoded.count, position))
          decoded.append(byte)
        }
        copied = position + escape.length
        places.append((decoded.count, copied))
      }
      position = bytes.firstIndex(in: marks, from: max(copied, position + 1))
    }
    guard !places.isEmpty else { return body(self) }
    decoded.append(UnsafeBufferPointer(rebasing: bytes[copied...]))
    let origins = Origins(self, places, decoded)
    return withExtendedLifetime(origins) {
      var text = SecretText(UnsafeBufferPointer(origins.decoded))
      text.origins = origins
      return body(text)
    }
  }

  /// Calls a closure with the text, with what its escapes decode to, and with what that decodes to.
  func forEachLevel(_ depth: Int = 3, _ body: (SecretText) -> Void) {
    body(self)
    guard depth > 0 else { return }
    decoded(.escapes) { if $0.bytes.count < bytes.count { $0.forEachLevel(depth - 1, body) } }
  }

  /// The parts between delimiters.
  func pieces(at delimiters: ByteSet) -> [SecretText] {
    var (pieces, start) = ([SecretText](), 0)
    while true {
      let end = bytes.firstIndex(in: delimiters, from: start)
      pieces.append(self[start..<end])
      if end == bytes.count { return pieces }
      start = end + 1
    }
  }

  var trimmed: SecretText {
    let start = bytes.firstIndex(notIn: .space)
    return self[start..<bytes.startIndex(of: .space, before: bytes.count, notBefore: start)]
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the bytes of the escape at a position, and its length.
  fileprivate func escape(at position: Int) -> (bytes: [UInt8], length: Int)? {
    for escape in escapes[self[position]] ?? [] where has(escape.text, at: position) {
      return (escape.bytes, escape.text.utf8.count)
    }
    let isPercent = self[position] == UInt8(ascii: "%")
    let (start, end) = isPercent ? (position + 1, position + 3) : (position + 2, position + 6)
    guard end <= count, isPercent || has("\\u", at: position) else { return nil }
    guard firstIndex(notIn: .hexadecimal, from: start) >= end,
      let number = UInt32(String(decoding: self[start..<end], as: UTF8.self), radix: 16)
    else { return nil }
    return isPercent ? ([UInt8(number)], 3) : Unicode.Scalar(number).map { (Array($0.utf8), 6) }
  }
}

private let escapes: [UInt8: [(text: String, bytes: [UInt8])]] = Dictionary(
  grouping: [
    ("+", " "), (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\n"#, "\n"), (#"\r"#, "\r"), (#"\t"#, "\t"),
    ("&amp;", "&"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&lt;", "<"), ("&gt;", ">"),
    ("&apos;", "'"),
  ].map { (text: String, character: String) in (text, Array(character.utf8)) }
) { $0.text.utf8[$0.text.startIndex] }
