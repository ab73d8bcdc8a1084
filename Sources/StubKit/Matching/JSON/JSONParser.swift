/// Parses one JSON text in UTF-8 (RFC 8259), from its first byte to its last.
struct JSONParser {
  /// An array or object whose end has not been read.
  private struct Container {
    var elements: [JSONValue] = []
    var members: [String: JSONValue] = [:]
    /// The key of the current member, or `nil` in an array.
    var key: String?

    mutating func add(_ value: JSONValue) {
      if let key { members[key] = value } else { elements.append(value) }
    }
  }

  // Lent by the caller for the time of `parse`, which alone creates a parser and lets none out.
  let utf8: UnsafeBufferPointer<UInt8>
  var position = 0
  /// A stack of the parser's own, because recursion needs more of a thread's stack than some threads have.
  private var containers: [Container] = []

  static func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(utf8: utf8)
    if utf8.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
    let value = try parser.root()
    parser.skipWhiteSpace()
    guard parser.position == utf8.count else { throw parser.error("\(parser.found) follows the value") }
    return value
  }

  private init(utf8: UnsafeBufferPointer<UInt8>) { self.utf8 = utf8 }

  private mutating func root() throws(JSONSyntaxError) -> JSONValue {
    while true {
      guard var value = try scalarOrEmptyContainer() else { continue }
      while true {
        guard let last = containers.indices.last else { return value }
        containers[last].add(value)
        let isObject = containers[last].key != nil
        if take(UInt8(ascii: ",")) {
          if isObject { containers[last].key = try key() }
          break
        }
        guard take(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw error("a comma or \(isObject ? "}" : "]") is missing before \(found)")
        }
        let container = containers.removeLast()
        value = isObject ? .object(container.members) : .array(container.elements)
      }
    }
  }

  /// Returns a whole value, or `nil` if it has only begun. It is then the last of the containers.
  private mutating func scalarOrEmptyContainer() throws(JSONSyntaxError) -> JSONValue? {
    skipWhiteSpace()
    switch current {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"):
      try begin()
      if take(UInt8(ascii: "}")) { return .object([:]) }
      containers.append(Container(key: try key()))
      return nil
    case UInt8(ascii: "["):
      try begin()
      if take(UInt8(ascii: "]")) { return .array([]) }
      containers.append(Container())
      return nil
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "t") where take("true"): return .bool(true)
    case UInt8(ascii: "f") where take("false"): return .bool(false)
    case UInt8(ascii: "n") where take("null"): return .null
    default: throw error("a value is missing before \(found)")
    }
  }

  private mutating func begin() throws(JSONSyntaxError) {
    guard containers.count < JSONValue.deepest else {
      throw error("arrays and objects are nested more than \(JSONValue.deepest) levels deep")
    }
    position += 1
  }

  private mutating func key() throws(JSONSyntaxError) -> String {
    skipWhiteSpace()
    guard current == UInt8(ascii: "\"") else { throw error("a key in quotation marks is missing before \(found)") }
    let key = try string()
    guard take(UInt8(ascii: ":")) else { throw error("a colon is missing before \(found)") }
    return key
  }
}

extension JSONParser {
  private mutating func number() throws(JSONSyntaxError) -> JSONNumber {
    let start = position
    var decimal = JSONDecimal()
    if current == UInt8(ascii: "-") {
      decimal.isNegative = true
      position += 1
    }
    if current == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits { decimal.append($0) }
    }
    if current == UInt8(ascii: ".") {
      position += 1
      try digits { decimal.appendFraction($0) }
    }
    if current | 0x20 == UInt8(ascii: "e") {
      position += 1
      let isNegative = current == UInt8(ascii: "-")
      if isNegative || current == UInt8(ascii: "+") { position += 1 }
      var exponent = 0
      // More digits would not change the number, but overflow.
      try digits { if exponent < 1 << 40 { exponent = exponent * 10 + Int($0) } }
      decimal.exponent += isNegative ? -exponent : exponent
    }
    if let integer = decimal.integer { return integer }
    let text = String(decoding: UnsafeBufferPointer(rebasing: utf8[start..<position]), as: UTF8.self)
    guard let double = Double(text), double.isFinite else {
      throw error("this number is too large for a Double", at: start)
    }
    return JSONNumber(double)
  }

  /// Consumes one or more digits.
  private mutating func digits(_ take: (UInt8) -> Void) throws(JSONSyntaxError) {
    guard isAtDigit else { throw error("a digit is missing before \(found)") }
    repeat {
      take(current - UInt8(ascii: "0"))
      position += 1
    } while isAtDigit
  }

  private var isAtDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= current }
}

extension JSONParser {
  /// The current byte, or zero at the end, which occurs in no JSON text.
  var current: UInt8 { position < utf8.count ? utf8[position] : 0 }

  private mutating func skipWhiteSpace() {
    while current == 0x20 || current == 0x0A || current == 0x0D || current == 0x09 { position += 1 }
  }

  /// Consumes a byte, and the white space before it.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipWhiteSpace()
    guard current == byte else { return false }
    position += 1
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    guard utf8[position...].starts(with: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    else { return false }
    position += word.utf8CodeUnitCount
    return true
  }

  /// A description of the text at the position, for an error.
  var found: String {
    guard let scalar = String(decoding: utf8[position...].prefix(4), as: UTF8.self).unicodeScalars.first else {
      return "the end"
    }
    if "!"..."~" ~= scalar { return "\"\(scalar)\"" }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  func error(_ problem: String, at position: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(problem, after: utf8[..<min(position ?? self.position, utf8.count)])
  }
}
