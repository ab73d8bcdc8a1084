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
  /// The arrays and objects around the position: whether each is an object.
  private var containers: [Bool] = []
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

  package mutating func next() throws(JSONProblem) -> Token {
    skipWhiteSpace()
    switch expectation {
    case .value: return try value()
    case .firstKey: return current == UInt8(ascii: "}") ? close() : try key()
    case .firstElement: return current == UInt8(ascii: "]") ? close() : try value()
    case .separator:
      guard let isInObject = containers.last else {
        guard position == utf8.count else { throw error("\(found) follows the value") }
        return .end
      }
      let end = isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
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

  private mutating func key() throws(JSONProblem) -> Token {
    guard current == UInt8(ascii: "\"") else { throw error("a key in quotation marks is missing before \(found)") }
    let key = try stringToken()
    skipWhiteSpace()
    guard current == UInt8(ascii: ":") else { throw error("a colon is missing before \(found)") }
    position += 1
    expectation = .value
    return .key(key)
  }

  private mutating func value() throws(JSONProblem) -> Token {
    start = position
    switch current {
    case UInt8(ascii: "\""):
      expectation = .separator
      return .string(try stringToken())
    case UInt8(ascii: "{"):
      try open(isObject: true)
      expectation = .firstKey
      return .beginObject
    case UInt8(ascii: "["):
      try open(isObject: false)
      expectation = .firstElement
      return .beginArray
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      expectation = .separator
      return .number(try number())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw error("a value is missing before \(found)")
    }
  }

  private mutating func open(isObject: Bool) throws(JSONProblem) {
    guard containers.count < deepest else {
      throw error("arrays and objects are nested more than \(deepest) levels deep")
    }
    containers.append(isObject)
    position += 1
  }

  private mutating func word(_ word: StaticString, _ token: Token) throws(JSONProblem) -> Token {
    guard utf8[position...].starts(with: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { throw error("a value is missing before \(found)") }
    position += word.utf8CodeUnitCount
    expectation = .separator
    return token
  }

  private mutating func number() throws(JSONProblem) -> Range<Int> {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if current == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if current | 0x20 == UInt8(ascii: "e") {
      position += 1
      if current == UInt8(ascii: "-") || current == UInt8(ascii: "+") { position += 1 }
      try digits()
    }
    return start..<position
  }

  private mutating func digits() throws(JSONProblem) {
    guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= current else { throw error("a digit is missing before \(found)") }
    while UInt8(ascii: "0")...UInt8(ascii: "9") ~= current { position += 1 }
  }

  private mutating func stringToken() throws(JSONProblem) -> JSONString {
    let start = position
    position += 1
    var hasEscapes = false
    while true {
      position = utf8.endOfPlainJSON(from: position)
      guard position < utf8.count else { throw error("this string is not closed", at: start) }
      switch utf8[position] {
      case UInt8(ascii: "\""):
        position += 1
        return JSONString(
          utf8: UnsafeBufferPointer(rebasing: utf8[start + 1..<position - 1]), start: start, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try escape()
      default: throw error("\(found) has to be escaped in a string")
      }
    }
  }

  private mutating func escape() throws(JSONProblem) {
    let start = position
    position += 1
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
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
}

extension JSONScanner {
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
    guard let scalar = String(decoding: utf8[position...].prefix(4), as: UTF8.self).unicodeScalars.first else {
      return "the end"
    }
    if "!"..."~" ~= scalar { return "\"\(scalar)\"" }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  package func error(_ problem: String, at position: Int? = nil) -> JSONProblem {
    JSONProblem(problem, after: utf8[..<min(position ?? self.position, utf8.count)])
  }
}

/// Why a text is not JSON, and where.
package struct JSONProblem: Error, Sendable {
  /// What is wrong, in words.
  package let problem: String
  /// The line, from 1. Lines end with a line feed.
  package let line: Int
  /// The column, from 1, in Unicode scalars.
  package let column: Int

  /// - Parameter text: The text before the place, in UTF-8.
  init(_ problem: String, after text: some BidirectionalCollection<UInt8>) {
    self.problem = problem
    line = text.count { $0 == UInt8(ascii: "\n") } + 1
    // Every scalar has one byte that doesn't continue another.
    column = text.reversed().prefix { $0 != UInt8(ascii: "\n") }.count { $0 & 0xC0 != 0x80 } + 1
  }
}

/// A place in a JSON value: `a.b[0].c`, also as `a.b.0.c`, or a JSON Pointer (RFC 6901) `/a/b/0/c`.
package struct JSONPath: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    /// A key, or an index in an array.
    case key(String)
    case index(Int)
  }

  package let text: String
  package let steps: [Step]

  package init(parsing text: String) throws(UsageMistake) {
    self.text = text
    steps = text.starts(withBytesOf: "/") ? try Self.pointer(text) : try Self.dotted(text)
  }

  /// Returns an array index, which RFC 6901 defines as digits without a leading zero.
  package static func index(_ token: String) -> Int? {
    // A sign and a leading zero don't come back.
    Int(token).flatMap { $0 >= 0 && String($0) == token ? $0 : nil }
  }

  private static func pointer(_ text: String) throws(UsageMistake) -> [Step] {
    try text.pieces(at: "/").dropFirst().map { token throws(UsageMistake) in
      let parts = token.pieces(at: "~")
      let decoded = try parts.dropFirst().map { part throws(UsageMistake) in
        let isSlash = part.starts(withBytesOf: "1")
        try require(
          isSlash || part.starts(withBytesOf: "0"),
          "The JSON Pointer \"\(text)\" has an invalid ~: write ~0 for ~ and ~1 for / (RFC 6901).")
        return (isSlash ? "/" : "~") + String(part.unicodeScalars.dropFirst())
      }
      return .key(String(parts[0]) + decoded.joined())
    }
  }

  private static func dotted(_ text: String) throws(UsageMistake) -> [Step] {
    func problem(_ what: String) -> UsageMistake {
      UsageMistake(
        "The JSON path \"\(text)\" has \(what): write keys with dots and indices in brackets, as in \"a.b[0].c\", "
          + "a key with dots as [\"a.b\"], or a JSON Pointer, as in \"/a/b/0/c\".")
    }
    if text == "$" || text.starts(withBytesOf: "$.") || text.starts(withBytesOf: "$[") {
      throw problem("a $ for the body, which needs none")
    }
    var steps: [Step] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      if rest.take("[") {
        steps.append(try bracket(&rest, problem))
        if !rest.isEmpty, !rest.starts(withBytesOf: "."), !rest.starts(withBytesOf: "[") {
          throw problem("text right after a ]")
        }
        continue
      }
      if rest.take(".") {
        if steps.isEmpty { throw problem("a leading dot") }
      }
      let key = rest.take(upTo: ".", "[")
      if key.isEmpty { throw problem("an empty key") }
      if key.has("]") { throw problem("a ] without a [") }
      steps.append(.key(String(key)))
    }
    return steps
  }

  /// Returns the content of brackets: an index or a quoted key.
  private static func bracket(
    _ rest: inout Substring, _ problem: (String) -> UsageMistake
  ) throws(UsageMistake) -> Step {
    for quote: Unicode.Scalar in ["\"", "'"] where rest.take(quote) {
      guard let (key, after) = rest.cut(at: quote) else { throw problem("an unclosed quote") }
      rest = after
      guard rest.take("]") else { throw problem("a [ without a ]") }
      return .key(String(key))
    }
    guard let (text, after) = rest.cut(at: "]") else { throw problem("a [ without a ]") }
    guard let index = index(String(text)) else { throw problem("brackets without an index") }
    rest = after
    return .index(index)
  }
}
