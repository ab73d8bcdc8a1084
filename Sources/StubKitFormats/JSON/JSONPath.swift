/// A place in a JSON value: `a.b[0].c`, or a JSON Pointer (RFC 6901) `/a/b/0/c`.
package struct JSONPath: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    case key(String)
    case index(Int)
    /// The token of a pointer: a key, or an index in an array.
    case token(String)
  }

  package let text: String
  package let steps: [Step]

  /// Why a text is not a path, as a sentence that says what to write.
  package struct Invalid: Error, Sendable {
    package let sentence: String
  }

  package init(validating text: String) throws(Invalid) {
    self.text = text
    steps = text.starts(withBytesOf: "/") ? try Self.pointer(text) : try Self.dotted(text)
  }

  /// Traps on an invalid path, with a sentence that says what to write.
  package init(_ text: String) {
    do throws(Invalid) { try self.init(validating: text) } catch { mistake(error.sentence) }
  }

  /// Returns an array index, which RFC 6901 defines as digits without a leading zero.
  package static func index(_ token: String) -> Int? {
    guard !token.isEmpty, token.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      token == "0" || token.utf8.first != UInt8(ascii: "0")
    else {
      return nil
    }
    return Int(token)
  }

  private static func pointer(_ text: String) throws(Invalid) -> [Step] {
    var steps: [Step] = []
    for token in text.pieces(at: "/").dropFirst() {
      let parts = token.pieces(at: "~")
      var decoded = String(parts[0])
      for part in parts.dropFirst() {
        let isSlash = part.starts(withBytesOf: "1")
        guard isSlash || part.starts(withBytesOf: "0") else {
          throw Invalid(
            sentence: "The JSON Pointer \"\(text)\" has an invalid ~: write ~0 for ~ and ~1 for / (RFC 6901).")
        }
        decoded += (isSlash ? "/" : "~") + String(part.unicodeScalars.dropFirst())
      }
      steps.append(.token(decoded))
    }
    return steps
  }

  private static func dotted(_ text: String) throws(Invalid) -> [Step] {
    func fail(_ what: String) throws(Invalid) {
      throw Invalid(
        sentence:
          "The JSON path \"\(text)\" has \(what): write keys with dots and indices in brackets, as in \"a.b[0].c\", "
          + "a key with dots as [\"a.b\"], or a JSON Pointer, as in \"/a/b/0/c\".")
    }
    var steps: [Step] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      if rest.take("[") {
        steps.append(try bracket(&rest, fail: fail))
        if !rest.isEmpty, !rest.starts(withBytesOf: "."), !rest.starts(withBytesOf: "[") {
          try fail("text right after a ]")
        }
        continue
      }
      if rest.take(".") {
        if steps.isEmpty { try fail("a leading dot") }
      }
      let key = rest.take(upTo: ".", "[")
      if key.isEmpty { try fail("an empty key") }
      if key.has("]") { try fail("a ] without a [") }
      steps.append(.key(String(key)))
    }
    return steps
  }

  /// Returns the content of brackets: an index or a quoted key.
  private static func bracket(
    _ rest: inout Substring, fail: (String) throws(Invalid) -> Void
  ) throws(Invalid) -> Step {
    for quote: Unicode.Scalar in ["\"", "'"] where rest.take(quote) {
      if let (key, after) = rest.cut(at: quote) {
        rest = after
        if !rest.take("]") { try fail("a [ without a ]") }
        return .key(String(key))
      }
      try fail("an unclosed quote")
    }
    guard let (text, after) = rest.cut(at: "]") else {
      try fail("a [ without a ]")
      return .index(0)
    }
    guard let index = index(String(text)) else {
      try fail("brackets without an index")
      return .index(0)
    }
    rest = after
    return .index(index)
  }
}
