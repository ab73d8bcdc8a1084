import Foundation

extension JSONScanner {
  /// Thrown for a body of which only a tree tells: with a key that has escapes or isn't ASCII, because Swift may find
  /// it equal to another one, or with surrogates, of which each needs its other half.
  struct TreeNeeded: Error {}

  /// Returns the value at a place without making a tree, or `nil` if there is none, or if the body isn't JSON. Arrays
  /// and objects are returned empty. Of a key that occurs twice, the last one counts.
  static func value(at path: JSONPath, in body: Data) throws(TreeNeeded) -> StubJSON? {
    do {
      return try body.withUnsafeBytes { bytes in
        let utf8 = bytes.bindMemory(to: UInt8.self)
        var scanner = JSONScanner(utf8)
        if !utf8.isASCII, utf8.firstInvalidUTF8 != nil { return nil }
        let value = try scanner.value(at: path.steps[...], from: scanner.next())
        // Whatever follows is an error, which the scanner throws.
        _ = try scanner.next()
        if scanner.hasSurrogates { throw TreeNeeded() }
        return value
      }
    } catch is TreeNeeded {
      throw TreeNeeded()
    } catch {
      return nil
    }
  }

  /// Reads a value to its end, and returns the one in it that some steps lead to.
  private mutating func value(at steps: ArraySlice<JSONPath.Step>, from token: Token) throws -> StubJSON? {
    var found: StubJSON?
    switch token {
    case .beginObject:
      if steps.isEmpty { found = .object([:]) }
      while case .key(let key) = try next() {
        guard !key.hasEscapes, key.utf8.isASCII else { throw TreeNeeded() }
        let isNext = if case .key(let wanted)? = steps.first { key.utf8.elementsEqual(wanted.utf8) } else { false }
        if isNext { found = try value(at: steps.dropFirst(), from: next()) } else { try skip(next()) }
      }
    case .beginArray:
      if steps.isEmpty { found = .array([]) }
      let wanted = steps.first?.position
      var position = 0
      while true {
        let token = try next()
        if case .endArray = token { break }
        if position == wanted { found = try value(at: steps.dropFirst(), from: token) } else { try skip(token) }
        position += 1
      }
    default:
      let scalar = try scalar(token)
      return steps.isEmpty ? scalar : nil
    }
    return found
  }

  /// Goes past a value, and notices a number that is too large.
  private mutating func skip(_ token: Token) throws {
    var token = token
    let depth =
      switch token {
      case .beginObject, .beginArray: depth - 1
      default: depth
      }
    while true {
      if case .number(let range) = token, canBeTooLarge(range) { _ = try number(range) }
      if self.depth == depth { return }
      token = try next()
    }
  }
}
