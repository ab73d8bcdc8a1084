import Foundation
import StubKitFormats

/// Reading a JSON text member by member: the reader asks for what comes next, and skips what it doesn't need. The scanner
/// still checks the whole text.
///
/// ```swift
/// try scanner.members { scanner, key in
///   switch key {
///   case "name": name = try scanner.string()?.text
///   default: try scanner.skip()
///   }
/// }
/// ```
extension JSONScanner {
  /// Calls the closure with the key of each member of the next object. The closure reads or skips the member's value.
  ///
  /// - Returns: `false` if the next value is not an object. It is skipped.
  @discardableResult
  package mutating func members(_ take: (inout JSONScanner, JSONString) throws -> Void) throws -> Bool {
    let token = try next()
    guard case .beginObject = token else {
      try skipRest(of: token)
      return false
    }
    while case .key(let key) = try next() { try take(&self, key) }
    return true
  }

  /// Calls the closure for each element of the next array. The closure reads or skips the element.
  ///
  /// - Returns: `false` if the next value is not an array. It is skipped.
  @discardableResult
  package mutating func elements(_ take: (inout JSONScanner) throws -> Void) throws -> Bool {
    let token = try next()
    guard case .beginArray = token else {
      try skipRest(of: token)
      return false
    }
    while true {
      skipWhiteSpace()
      if current == UInt8(ascii: "]") {
        _ = try next()
        return true
      }
      // The next token checks a comma and what must follow it.
      try take(&self)
    }
  }

  /// Returns the next value if it is a string, or skips it and returns `nil`.
  package mutating func string() throws(JSONProblem) -> JSONString? {
    let token = try next()
    if case .string(let string) = token { return string }
    try skipRest(of: token)
    return nil
  }

  /// Returns the next value if it is a number, or skips it and returns `nil`.
  package mutating func number() throws(JSONProblem) -> Double? {
    let token = try next()
    if case .number(let range) = token {
      return Double(String(decoding: UnsafeBufferPointer(rebasing: utf8[range]), as: UTF8.self))
    }
    try skipRest(of: token)
    return nil
  }

  /// Skips the next value.
  package mutating func skip() throws(JSONProblem) { try skipRest(of: next()) }

  /// Skips the rest of the value that begins with a token.
  package mutating func skipRest(of token: Token) throws(JSONProblem) {
    switch token {
    case .beginObject, .beginArray:
      let outer = depth
      while depth >= outer { _ = try next() }
    default: return
    }
  }

  /// Returns the position of the next token after white space. A comma before it counts as its beginning.
  package mutating func nextPosition() -> Int {
    skipWhiteSpace()
    return position
  }
}

extension JSONString {
  /// Returns whether the string equals a text in ASCII.
  package static func ~= (pattern: StaticString, string: JSONString) -> Bool {
    if string.hasEscapes { return string.text.utf8.elementsEqual(pattern.bytes) }
    return string.utf8.count == pattern.utf8CodeUnitCount && string.utf8.elementsEqual(pattern.bytes)
  }
}

extension StaticString {
  fileprivate var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}
