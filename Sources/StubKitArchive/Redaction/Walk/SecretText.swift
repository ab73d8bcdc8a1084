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

    /// - Parameter isEnd: Whether the place ends a range, to which what is left out there doesn't belong.
    subscript(place: Int, isEnd isEnd: Bool) -> Int {
      var (low, high) = (0, places.count)
      while low < high {
        let middle = (low + high) / 2
        if places[middle].place < place || !isEnd && places[middle].place == place {
          low = middle + 1
        } else {
          high = middle
        }
      }
      if isEnd, low < places.count, places[low].place == place { return text.origin(places[low].origin, isEnd: true) }
      let origin = low == 0 ? place : place - places[low - 1].place + places[low - 1].origin
      return text.origin(origin, isEnd: isEnd)
    }
  }

  // Safe because the bytes are those of the whole text, which no text leaves the closure of, or of a decoded one, which
  // the text's origins keep. Who uses them keeps the text.
  let bytes: Bytes
  private var origins: Origins?
  private var start = 0

  init(_ bytes: Bytes) { self.bytes = bytes }

  private init(_ decoded: [UInt8], at places: [(place: Int, origin: Int)], of text: SecretText) {
    let origins = Origins(text, places, decoded)
    self.init(Bytes(origins.decoded))
    self.origins = origins
  }

  /// Returns the place of a byte in the whole text.
  private func origin(_ position: Int, isEnd: Bool) -> Int {
    origins?[start + position, isEnd: isEnd] ?? start + position
  }

  func origins(_ range: Range<Int>) -> Range<Int> {
    let start = origin(range.lowerBound, isEnd: false)
    return start..<max(start, origin(range.upperBound, isEnd: true))
  }

  subscript(range: Range<Int>) -> SecretText {
    var part = SecretText(bytes.part(range))
    (part.origins, part.start) = (origins, start + range.lowerBound)
    return part
  }

  subscript(range: PartialRangeFrom<Int>) -> SecretText { self[range.lowerBound..<bytes.count] }

  var string: String { withExtendedLifetime(self) { String(decoding: bytes, as: UTF8.self) } }

  /// Returns the text without its escapes.
  ///
  /// - Parameter marks: What the escapes begin with: a percent sign, a backslash, an ampersand, a plus sign for a
  ///   space, the escape of a terminal, or the first byte of a sign of Unicode.
  func decoded(_ marks: ByteSet) -> SecretText {
    var position = bytes.firstIndex(in: marks)
    if position == bytes.count { return self }
    var (decoded, copied) = ([UInt8](), 0)
    var places = [(place: Int, origin: Int)]()
    while position < bytes.count {
      if let escape = bytes.escape(at: position) {
        decoded.append(contentsOf: bytes.part(copied..<position))
        places.append((decoded.count, position))
        decoded += escape.bytes
        copied = position + escape.length
        places.append((decoded.count, copied))
      }
      position = bytes.firstIndex(in: marks, from: max(copied, position + 1))
    }
    if places.isEmpty { return self }
    decoded.append(contentsOf: bytes.part(copied..<bytes.count))
    return SecretText(decoded, at: places, of: self)
  }

  /// Returns a text of parts, without what is between them.
  func joined(_ parts: [Range<Int>]) -> SecretText {
    var (joined, end) = ([UInt8](), 0)
    var places = [(place: Int, origin: Int)]()
    for part in parts {
      places += [(joined.count, end), (joined.count, part.lowerBound)]
      joined.append(contentsOf: bytes.part(part))
      end = part.upperBound
    }
    return SecretText(joined, at: places, of: self)
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

  /// What follows the last line break, brace or semicolon.
  var lastStatement: SecretText {
    self[bytes.startIndex(of: .notStatementEnd, before: bytes.count)..<bytes.count]
  }

  /// The ranges of the last words of a line.
  func lastWords(_ count: Int) -> [Range<Int>] {
    var (words, end) = ([Range<Int>](), bytes.count)
    while words.count < count {
      let last = bytes.startIndex(of: .space, before: end)
      end = bytes.startIndex(of: .notSpace, before: last)
      if end == last { break }
      words.append(end..<last)
    }
    return words.reversed()
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
    switch self[position] {
    case UInt8(ascii: "%"): number(from: position + 1, count: 2).map { ([UInt8($0)], 3) }
    case UInt8(ascii: "+"): ([UInt8(ascii: " ")], 1)
    case UInt8(ascii: "\\"): backslash(at: position)
    case UInt8(ascii: "&"): entity(at: position)
    case 0x1B: endOfColor(at: position).map { ([], $0 - position) }
    case 0xC2: has("\u{85}", at: position) ? ([0x0A], 2) : has("\u{A0}", at: position) ? ([0x20], 2) : nil
    case 0xE2: sign(at: position).map { ($0, 3) }
    case 0xEF: wideSign(at: position).map { ([$0], 3) }
    default: nil
    }
  }

  /// What a sign of three bytes means: a line break, nothing, or a line of a box.
  private func sign(at position: Int) -> [UInt8]? {
    guard position + 2 < count else { return nil }
    switch (self[position + 1], self[position + 2]) {
    case (0x80, 0xA8), (0x80, 0xA9): return [0x0A]
    case (0x80, 0x8B): return []
    // Upright lines are between cells.
    case (0x94, 0x82), (0x94, 0x83), (0x94, 0x86), (0x94, 0x87), (0x94, 0x8A), (0x94, 0x8B), (0x95, 0x91):
      return [UInt8(ascii: "|")]
    case (0x94, _), (0x95, _): return [UInt8(ascii: "-")]
    default: return nil
    }
  }

  /// A colon or an equals sign as wide as the characters of Chinese and Japanese, before what can be a password, and
  /// not before a sentence.
  private func wideSign(at position: Int) -> UInt8? {
    let isColon = has("\u{FF1A}", at: position)
    guard isColon || has("\u{FF1D}", at: position) else { return nil }
    let start = firstIndex(notIn: .spaceOnly, from: position + 3)
    let end = firstIndex(notIn: .plain, from: start)
    guard end >= start + 6, end == count || has(.space, at: end) else { return nil }
    return isColon ? UInt8(ascii: ":") : UInt8(ascii: "=")
  }

  /// Where a sequence ends that colors the text of a terminal (ECMA-48, section 5.4).
  private func endOfColor(at position: Int) -> Int? {
    guard has("[", at: position + 1) else { return nil }
    let end = firstIndex(notIn: .inColor, from: position + 2)
    return end < count && self[end].isLetter ? end + 1 : nil
  }

  /// Returns the number that digits of base 16 are.
  private func number(from start: Int, count: Int) -> UInt32? {
    guard start + count <= self.count else { return nil }
    var number: UInt32 = 0
    for index in start..<start + count {
      guard let digit = self[index].hexadecimalDigit else { return nil }
      number = number << 4 | UInt32(digit)
    }
    return number
  }

  /// An escape of JSON (RFC 8259, section 7) or of a programming language.
  private func backslash(at position: Int) -> (bytes: [UInt8], length: Int)? {
    guard position + 1 < count else { return nil }
    switch self[position + 1] {
    case UInt8(ascii: "n"): return ([0x0A], 2)
    case UInt8(ascii: "r"): return ([0x0D], 2)
    case UInt8(ascii: "t"): return ([0x09], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case UInt8(ascii: "x"):
      return number(from: position + 2, count: 2).flatMap { Unicode.Scalar($0) }.map { (Array($0.utf8), 4) }
    // Octal digits, as in C.
    case UInt8(ascii: "0")...UInt8(ascii: "3"):
      guard position + 3 < count else { return nil }
      let digits = self[position + 1...position + 3].map { Int($0) - 0x30 }
      guard digits.allSatisfy({ 0..<8 ~= $0 }) else { return nil }
      return ([UInt8(digits[0] << 6 | digits[1] << 3 | digits[2])], 4)
    case UInt8(ascii: "u") where has("{", at: position + 2):
      let end = firstIndex(notIn: .hexadecimal, from: position + 3)
      guard has("}", at: end), 1...6 ~= end - position - 3 else { return nil }
      return number(from: position + 3, count: end - position - 3).flatMap { Unicode.Scalar($0) }
        .map { (Array($0.utf8), end + 1 - position) }
    case UInt8(ascii: "u"):
      guard let unit = number(from: position + 2, count: 4) else { return nil }
      // A pair of surrogates is one character.
      if 0xD800..<0xDC00 ~= unit, has("\\u", at: position + 6), let low = number(from: position + 8, count: 4),
        0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
      {
        return (Array(scalar.utf8), 12)
      }
      return Unicode.Scalar(unit).map { (Array($0.utf8), 6) }
    case let byte: return byte.isAlphanumeric ? nil : ([byte], 2)
    }
  }

  /// A character reference of XML or HTML.
  private func entity(at position: Int) -> (bytes: [UInt8], length: Int)? {
    let end = firstIndex(notIn: .inEntity, from: position + 1)
    guard has(";", at: end), 2...9 ~= end - position else { return nil }
    let name = String(utf8: self[(position + 1)..<end])
    let length = end + 1 - position
    if let text = entities[name] { return (Array(text.utf8), length) }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let number = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { Unicode.Scalar($0) }.map { (Array($0.utf8), length) }
  }
}

private let entities = [
  "amp": "&", "quot": "\"", "apos": "'", "lt": "<", "gt": ">", "nbsp": " ", "colon": ":", "comma": ",", "equals": "=",
  "lbrace": "{", "lcub": "{", "rbrace": "}", "rcub": "}", "lbrack": "[", "lsqb": "[", "rbrack": "]", "rsqb": "]",
  "lowbar": "_", "sol": "/", "bsol": "\\", "num": "#", "percnt": "%", "commat": "@", "dollar": "$", "excl": "!",
]
