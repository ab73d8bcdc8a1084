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
