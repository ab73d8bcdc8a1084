import Foundation
import StubKitFormats

/// Makes a value of one JSON text in UTF-8 (RFC 8259).
struct JSONParser {
  /// An array or object whose end has not been read.
  private struct Container {
    let isObject: Bool
    var elements: [JSONValue] = []
    var members: [String: JSONValue] = [:]
    var key = ""

    var value: JSONValue { isObject ? .object(members) : .array(elements) }

    mutating func add(_ value: JSONValue) {
      if isObject { members[key] = value } else { elements.append(value) }
    }
  }

  private var scanner: JSONScanner
  /// The position of the first byte that isn't part of valid UTF-8. Outside of a string, the scanner finds it.
  private let invalidUTF8: Int?
  /// A stack of the parser's own, because recursion needs more of a thread's stack than some threads have.
  private var containers: [Container] = []

  static func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    var parser = JSONParser(scanner: JSONScanner(utf8), invalidUTF8: utf8.firstInvalidUTF8)
    do { return try parser.root() } catch { throw JSONSyntaxError(error) }
  }

  private init(scanner: JSONScanner, invalidUTF8: Int?) {
    self.scanner = scanner
    self.invalidUTF8 = invalidUTF8
  }

  private mutating func root() throws(JSONProblem) -> JSONValue {
    var root = JSONValue.null
    while true {
      let value: JSONValue
      switch try scanner.next() {
      case .beginObject, .beginArray:
        containers.append(Container(isObject: scanner.isInObject))
        continue
      case .key(let key):
        containers[containers.count - 1].key = try text(key)
        continue
      case .endObject, .endArray: value = containers.removeLast().value
      case .string(let string): value = .string(try text(string))
      case .number(let range): value = .number(try number(range))
      case .bool(let bool): value = .bool(bool)
      case .null: value = .null
      case .end: return root
      }
      if containers.isEmpty { root = value } else { containers[containers.count - 1].add(value) }
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
