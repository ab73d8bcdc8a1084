import Foundation
import StubKitFormats

/// Makes a value of one JSON text in UTF-8 (RFC 8259).
struct JSONParser {
  private var scanner: JSONScanner
  /// The position of the first byte that isn't part of valid UTF-8. Outside of a string, the scanner finds it.
  private let invalidUTF8: Int?

  static func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(scanner: JSONScanner(utf8), invalidUTF8: utf8.firstInvalidUTF8)
    do { return try parser.root() } catch { throw JSONSyntaxError(error) }
  }

  private init(scanner: JSONScanner, invalidUTF8: Int?) {
    self.scanner = scanner
    self.invalidUTF8 = invalidUTF8
  }

  private mutating func root() throws(JSONProblem) -> JSONValue {
    let value = try value(scanner.next())
    // Whatever follows is an error, which the scanner throws.
    _ = try scanner.next()
    return value
  }

  private mutating func value(_ token: JSONScanner.Token) throws(JSONProblem) -> JSONValue {
    switch token {
    case .beginObject: return try object()
    case .beginArray: return try array()
    case .string(let string): return .string(try text(string))
    case .number(let range): return .number(try number(range))
    case .bool(let bool): return .bool(bool)
    // The scanner throws where a value is missing, so the others don't occur here.
    case .null, .key, .endObject, .endArray, .end: return .null
    }
  }

  private mutating func object() throws(JSONProblem) -> JSONValue {
    var members: [String: JSONValue] = [:]
    while case .key(let key) = try scanner.next() {
      let name = try text(key)
      members[name] = try value(scanner.next())
    }
    return .object(members)
  }

  private mutating func array() throws(JSONProblem) -> JSONValue {
    var elements: [JSONValue] = []
    while true {
      let token = try scanner.next()
      if case .endArray = token { return .array(elements) }
      elements.append(try value(token))
    }
  }

  private func text(_ string: JSONString) throws(JSONProblem) -> String {
    if let invalidUTF8, string.range.contains(invalidUTF8) {
      throw scanner.error("this string is not UTF-8", at: string.start)
    }
    if let position = string.loneSurrogate {
      throw scanner.error("this escape is half of a surrogate pair", at: position)
    }
    return string.text
  }

  private func number(_ range: Range<Int>) throws(JSONProblem) -> JSONNumber {
    let text = String(decoding: UnsafeBufferPointer(rebasing: scanner.utf8[range]), as: UTF8.self)
    if let integer = Int64(text) { return JSONNumber(integer) }
    if let integer = UInt64(text) { return JSONNumber(integer) }
    guard let double = Double(text), double.isFinite else {
      throw scanner.error("this number is too large for a Double", at: range.lowerBound)
    }
    // An integer beyond the exact doubles can have a fraction of zeros or an exponent.
    if 0x1p53...0x1p64 ~= double.magnitude, let exact = Decimal(string: text) {
      if let integer = Int64("\(exact)") { return JSONNumber(integer) }
      if let integer = UInt64("\(exact)") { return JSONNumber(integer) }
    }
    return JSONNumber(double)
  }
}
