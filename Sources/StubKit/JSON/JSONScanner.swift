/// Reads a JSON text (RFC 8259) in UTF-8 token by token, without creating a value.
package struct JSONScanner {
  package enum Token {
    case beginObject
    case endObject
    case beginArray
    case endArray
    case key(JSONString)
    case string(JSONString)
    /// The position of the number.
    case number(Range<Int>)
    case bool(Bool)
    case null
    /// Only white space follows.
    case end
  }

  private enum Expectation {
    case value
    /// A first key, or the end of the object.
    case firstKey
    /// A first element, or the end of the array.
    case firstElement
    /// A comma, or the end of the innermost container.
    case separator
  }

  /// The deepest nesting of arrays and objects in a body, so that code that walks through one can be recursive: some
  /// threads have a stack of 512 KB.
  package static let deepest = 128

  // Safe because no scanner leaves the closure in which its caller has the buffer.
  package let utf8: UnsafeBufferPointer<UInt8>
  package private(set) var position = 0
  /// The position of the last value that began.
  package private(set) var start = 0
  /// Whether a string has the escape of a surrogate, as a half or as a pair.
  package private(set) var hasSurrogates = false
  /// The arrays and objects around the position.
  private var containers = JSONContainers()
  private var expectation = Expectation.value
  private let deepest: Int

  /// - Parameters:
  ///   - utf8: Valid UTF-8. A byte order mark is skipped.
  ///   - deepest: The deepest nesting that isn't an error.
  package init(_ utf8: UnsafeBufferPointer<UInt8>, deepest: Int = JSONScanner.deepest) {
    self.utf8 = utf8
    self.deepest = deepest
    if utf8.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  package mutating func next() throws -> Token {
    skipWhiteSpace()
    switch expectation {
    case .value: return try value()
    case .firstKey: return current == .closingBrace ? close() : try key()
    case .firstElement: return current == .closingBracket ? close() : try value()
    case .separator:
      guard containers.count > 0 else {
        guard position == utf8.count else { throw error("\(found) follows the value") }
        return .end
      }
      let isInObject = containers.isLastAnObject
      let end: UInt8 = isInObject ? .closingBrace : .closingBracket
      if current == end { return close() }
      guard current == UInt8(ascii: ",") else {
        throw error("a comma or \(isInObject ? "}" : "]") is missing before \(found)")
      }
      position += 1
      skipWhiteSpace()
      return isInObject ? try key() : try value()
    }
  }

  private mutating func close() -> Token {
    position += 1
    expectation = .separator
    return containers.removeLast() ? .endObject : .endArray
  }

  private mutating func key() throws -> Token {
    guard current == .quote else { throw error("a key in quotation marks is missing before \(found)") }
    let key = try stringToken()
    skipWhiteSpace()
    guard current == .colon else { throw error("a colon is missing before \(found)") }
    position += 1
    expectation = .value
    return .key(key)
  }

  private mutating func value() throws -> Token {
    start = position
    switch current {
    case .quote:
      expectation = .separator
      return .string(try stringToken())
    case UInt8(ascii: "{"): return try open(isObject: true)
    case UInt8(ascii: "["): return try open(isObject: false)
    case .minus, 0x30...0x39:
      expectation = .separator
      return .number(try number())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw error("a value is missing before \(found)")
    }
  }

  private mutating func open(isObject: Bool) throws -> Token {
    guard containers.count < deepest else {
      throw error("arrays and objects are nested more than \(deepest) levels deep")
    }
    containers.append(isObject: isObject)
    position += 1
    expectation = isObject ? .firstKey : .firstElement
    return isObject ? .beginObject : .beginArray
  }

  private mutating func word(_ word: StaticString, _ token: Token) throws -> Token {
    guard utf8[position...].starts(with: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { throw error("a value is missing before \(found)") }
    position += word.utf8CodeUnitCount
    expectation = .separator
    return token
  }

  private mutating func number() throws -> Range<Int> {
    let start = position
    if current == .minus { position += 1 }
    if current == .zeroDigit { position += 1 } else { try digits() }
    if current == .dot {
      position += 1
      try digits()
    }
    if current | 0x20 == UInt8(ascii: "e") {
      position += 1
      if current == .minus || current == UInt8(ascii: "+") { position += 1 }
      try digits()
    }
    return start..<position
  }

  private mutating func digits() throws {
    guard current.isDigit else { throw error("a digit is missing before \(found)") }
    while current.isDigit { position += 1 }
  }

  private mutating func stringToken() throws -> JSONString {
    let start = position
    position += 1
    var hasEscapes = false
    while true {
      position = utf8.endOfPlainJSON(from: position)
      guard position < utf8.count else { throw error("this string is not closed", at: start) }
      switch utf8[position] {
      case .quote:
        position += 1
        return JSONString(
          utf8: UnsafeBufferPointer(rebasing: utf8[start + 1..<position - 1]), start: start, hasEscapes: hasEscapes)
      case .backslash:
        hasEscapes = true
        try escape()
      default: throw error("\(found) has to be escaped in a string")
      }
    }
  }

  private mutating func escape() throws {
    let start = position
    position += 1
    switch current {
    case _ where #""\/bfnrt"#.utf8.contains(current):
      position += 1
    case UInt8(ascii: "u"):
      position += 1
      if current | 0x20 == UInt8(ascii: "d") { hasSurrogates = true }
      for _ in 0..<4 {
        guard current.hexadecimalDigit != nil else {
          throw error("this escape doesn't have four hexadecimal digits", at: start)
        }
        position += 1
      }
    default: throw error("this escape is not valid", at: start)
    }
  }

  package mutating func skipWhiteSpace() {
    while position < utf8.count {
      let byte = utf8[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  /// The number of arrays and objects around the position.
  package var depth: Int { containers.count }

  /// The current byte, or zero at the end, which occurs in no JSON text.
  package var current: UInt8 {
    // A getter that isn't mutating gets a copy of the scanner in a debug build.
    mutating get { position < utf8.count ? utf8[position] : 0 }
  }

  /// A description of the text at the position, for an error.
  private var found: String {
    guard let scalar = String(utf8: utf8[position...].prefix(4)).unicodeScalars.first else {
      return "the end"
    }
    if "!"..."~" ~= scalar { return "\"\(scalar)\"" }
    return scalar.codePoint
  }

  package func error(_ problem: String, at position: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(problem, after: utf8[..<min(position ?? self.position, utf8.count)])
  }
}

/// Arrays and objects, each in the one before. A bit tells which is what, so that nothing is allocated for up to 64.
private struct JSONContainers {
  private(set) var count = 0
  /// The last ones of up to 64, the very last one lowest: 1 for an object.
  private var bits: UInt64 = 0
  /// Those of all earlier groups of 64.
  private var earlierBits: [UInt64] = []

  var isLastAnObject: Bool { bits & 1 != 0 }

  mutating func append(isObject: Bool) {
    if count > 0, count.isMultiple(of: 64) { earlierBits.append(bits) }
    bits = bits << 1 | (isObject ? 1 : 0)
    count += 1
  }

  /// Removes the last one, and returns whether it is an object.
  mutating func removeLast() -> Bool {
    let isObject = isLastAnObject
    bits >>= 1
    count -= 1
    if count > 0, count.isMultiple(of: 64) { bits = earlierBits.removeLast() }
    return isObject
  }
}

/// The bytes that have an escape of one letter, which a JSON text is written with.
private let shortEscapes = Array(
  zip(#"bfnrt"\"#.utf8, [0x08, 0x0C, 0x0A, 0x0D, 0x09, .quote, .backslash] as [UInt8]))

/// A string in a JSON text, between its quotation marks. Its escapes are known to be well-formed.
package struct JSONString {
  // Safe because no string leaves the scan of its text.
  package let utf8: UnsafeBufferPointer<UInt8>
  /// The position of its first quotation mark in the text.
  package let start: Int
  let hasEscapes: Bool

  /// The range of the string in the text, including its quotation marks.
  package var range: Range<Int> { start..<start + utf8.count + 2 }

  /// The string. Half of a surrogate pair, which only an escape can express, becomes U+FFFD.
  package var text: String {
    guard hasEscapes else { return String(utf8: utf8) }
    var text: [UInt8] = []
    // No escape is shorter than its character.
    text.reserveCapacity(utf8.count)
    var position = 0
    while position < utf8.count {
      let end = utf8.endOfPlainJSON(from: position)
      text += utf8[position..<end]
      guard end < utf8.count else { break }
      position = end + 2
      switch utf8[end + 1] {
      case UInt8(ascii: "u"): text += UTF8.encode(scalar(at: &position)).unsafelyUnwrapped
      case let letter: text.append(shortEscapes.first { $0.0 == letter }?.1 ?? letter)
      }
    }
    return String(utf8: text)
  }

  /// The position in the text of the first escape that is half of a surrogate pair, or `nil` if there is none.
  package var loneSurrogate: Int? {
    guard hasEscapes else { return nil }
    var position = 0
    while true {
      let escape = utf8.endOfPlainJSON(from: position)
      guard escape < utf8.count else { return nil }
      position = escape + 2
      guard utf8[escape + 1] == UInt8(ascii: "u") else { continue }
      if scalar(at: &position) == "\u{FFFD}", unit(at: escape + 2) != 0xFFFD { return start + 1 + escape }
    }
  }

  /// Returns the scalar of the escape whose digits begin at the position. If it is half of a pair, its other half is
  /// included.
  private func scalar(at position: inout Int) -> Unicode.Scalar {
    let first = unit(at: position)
    position += 4
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first), position + 5 < utf8.count, utf8[position] == .backslash,
      utf8[position + 1] == UInt8(ascii: "u"), case let second = unit(at: position + 2),
      UTF16.isTrailSurrogate(second)
    else { return "\u{FFFD}" }
    position += 6
    return UTF16.decode(UTF16.EncodedScalar([first, second]))
  }

  private func unit(at position: Int) -> UInt16 {
    utf8[position..<position + 4].reduce(0) { $0 << 4 | UInt16($1.hexadecimalDigit ?? 0) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the position of the first byte that a JSON string must escape: a quotation mark, a backslash or a
  /// control character.
  func endOfPlainJSON(from start: Int) -> Int {
    var position = start
    while let baseAddress, position + 8 <= count {
      let bytes = EightBytes(baseAddress, at: position)
      let marks = bytes.equal(to: .quote) | bytes.equal(to: .backslash) | bytes.below(0x20)
      if let first = marks.first { return position + first }
      position += 8
    }
    while position < count {
      let byte = self[position]
      if byte == .quote || byte == .backslash || byte < 0x20 { break }
      position += 1
    }
    return position
  }
}

extension String {
  /// The text as a JSON string, with its quotation marks.
  package var quotedAsJSON: String {
    var text = self
    return text.withBytes { text in
      var quoted = Array("\"".utf8)
      var position = 0
      while position < text.count {
        let end = text.endOfPlainJSON(from: position)
        quoted += text[position..<end]
        position = end + 1
        guard end < text.count else { break }
        let byte = text[end]
        if let escape = shortEscapes.first(where: { $0.1 == byte }) {
          quoted += [.backslash, escape.0]
        } else {
          quoted += (byte < 0x10 ? #"\u000"# : #"\u00"#).utf8 + Array(String(byte, radix: 16).utf8)
        }
      }
      return String(utf8: quoted + "\"".utf8)
    }
  }
}
