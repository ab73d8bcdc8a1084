import Foundation

/// A part of a text, perhaps without its escapes, that knows the place of each of its bytes in the whole text.
struct SecretText {
  /// The bytes of a decoded text, and where they come from: from a place on, each byte from the next byte of the other
  /// text.
  private final class Origins {
    let text: SecretText
    let places: [(place: Int, origin: Int)]
    let decoded: UnsafeMutableBufferPointer<UInt8>

    init(_ text: SecretText, _ places: [(place: Int, origin: Int)], _ decoded: [UInt8]) {
      (self.text, self.places) = (text, places)
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
  // the text's origins keep. Who uses them keeps the text.
  let bytes: Bytes
  private var origins: Origins?
  private var start = 0

  init(_ bytes: Bytes) { self.bytes = bytes }

  /// Returns the place of a byte in the whole text.
  private func origin(_ position: Int) -> Int { origins?[start + position] ?? start + position }

  func origins(_ range: Range<Int>) -> Range<Int> { origin(range.lowerBound)..<origin(range.upperBound) }

  subscript(range: Range<Int>) -> SecretText {
    var part = SecretText(Bytes(rebasing: bytes[range]))
    (part.origins, part.start) = (origins, start + range.lowerBound)
    return part
  }

  subscript(range: PartialRangeFrom<Int>) -> SecretText { self[range.lowerBound..<bytes.count] }

  var string: String { withExtendedLifetime(self) { String(decoding: bytes, as: UTF8.self) } }

  /// Returns the text without its escapes.
  ///
  /// - Parameter marks: What the escapes begin with: a percent sign, a backslash, an ampersand, or a plus sign for a
  ///   space.
  func decoded(_ marks: ByteSet) -> SecretText {
    var (decoded, copied) = ([UInt8](), 0)
    var places = [(place: Int, origin: Int)]()
    var position = bytes.firstIndex(in: marks)
    while position < bytes.count {
      if let escape = bytes.escape(at: position) {
        decoded += bytes[copied..<position]
        places.append((decoded.count, position))
        decoded += escape.bytes
        copied = position + escape.length
        places.append((decoded.count, copied))
      }
      position = bytes.firstIndex(in: marks, from: max(copied, position + 1))
    }
    if places.isEmpty { return self }
    decoded += bytes[copied...]
    let origins = Origins(self, places, decoded)
    var text = SecretText(Bytes(origins.decoded))
    text.origins = origins
    return text
  }

  /// Returns the text, what its escapes decode to, and what that decodes to.
  func levels(_ depth: Int = 3) -> [SecretText] {
    let next = decoded(.escapes)
    return [self] + (depth > 0 && next.bytes.count < bytes.count ? next.levels(depth - 1) : [])
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

  /// Returns the text without the bytes of a set around it.
  func trimmed(_ set: ByteSet = .space) -> SecretText {
    let start = bytes.firstIndex(notIn: set)
    return self[start..<bytes.startIndex(of: set, before: bytes.count, notBefore: start)]
  }
}

extension Bytes {
  /// Returns the bytes of the escape at a position, and its length.
  fileprivate func escape(at position: Int) -> (bytes: [UInt8], length: Int)? {
    let isPercent = has("%", at: position)
    if isPercent || has("\\u", at: position) {
      let (start, end) = isPercent ? (position + 1, position + 3) : (position + 2, position + 6)
      // A sign after a digit makes no number.
      guard end <= count, let number = UInt32("0" + String(utf8: self[start..<end]), radix: 16) else { return nil }
      return isPercent ? ([UInt8(number)], 3) : Unicode.Scalar(number).map { (Array($0.utf8), 6) }
    }
    let escape = escapes[self[position]]?.first { has($0.key, at: position) }
    return escape.map { (Array($0.value.utf8), $0.key.utf8.count) }
  }
}

/// What escapes stand for, by their first bytes.
private let escapes = Dictionary(
  grouping: [
    #"\""#: "\"", #"\\"#: "\\", #"\/"#: "/", #"\n"#: "\n", #"\r"#: "\r", #"\t"#: "\t", "+": " ", "&amp;": "&",
    "&quot;": "\"", "&#34;": "\"", "&#39;": "'", "&#x27;": "'", "&lt;": "<", "&gt;": ">", "&apos;": "'",
  ] as KeyValuePairs
) { $0.key.utf8.first }
