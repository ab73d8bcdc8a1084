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
    try takeMembers(take)
    return true
  }

  /// Calls the closure with the key of each remaining member of an object.
  private mutating func takeMembers(_ take: (inout JSONScanner, JSONString) throws -> Void) throws {
    var keys: Set<String> = []
    while case .key(let key) = try next() {
      let name = key.text
      guard keys.insert(name).inserted else { throw DuplicateKey(name: name, position: key.start) }
      try take(&self, key)
    }
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
  package mutating func string() throws -> JSONString? {
    let token = try next()
    if case .string(let string) = token { return string }
    try skipRest(of: token)
    return nil
  }

  /// Returns the next value if it is a number, or skips it and returns `nil`.
  package mutating func number() throws -> Double? {
    let token = try next()
    if case .number(let range) = token {
      return Double(String(decoding: UnsafeBufferPointer(rebasing: utf8[range]), as: UTF8.self))
    }
    try skipRest(of: token)
    return nil
  }

  /// Skips the next value.
  package mutating func skip() throws { try skipRest(of: next()) }

  /// Skips the rest of the value that begins with a token.
  package mutating func skipRest(of token: Token) throws {
    switch token {
    case .beginObject: try takeMembers { scanner, _ in try scanner.skip() }
    case .beginArray:
      while true {
        let token = try next()
        if case .endArray = token { return }
        try skipRest(of: token)
      }
    default: return
    }
  }

  /// Returns the position of the next token after white space. A comma before it counts as its beginning.
  package mutating func nextPosition() -> Int {
    skipWhiteSpace()
    return position
  }
}

/// A key that an object has twice. Readers of the text disagree about which of the two counts, so StubKit refuses it.
struct DuplicateKey: Error {
  let name: String
  /// The position of the second one in the text.
  let position: Int
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
