import Foundation

/// A place in a JSON value: `a.b[0].c`, also as `a.b.0.c`, or a JSON Pointer (RFC 6901) `/a/b/0/c`.
package struct JSONPath: Sendable, Hashable {
  package enum Step: Sendable, Hashable {
    /// A key, or an index in an array.
    case key(String)
    case index(Int)

    /// The index in an array. A key is one if it is digits without a leading zero (RFC 6901).
    package var position: Int? {
      switch self {
      case .index(let index): index
      case .key(let key): JSONPath.index(of: key)
      }
    }
  }

  package let text: String
  package let steps: [Step]

  init(_ steps: [Step]) { (text, self.steps) = ("", steps) }

  package init(parsing text: String) throws(UsageMistake) {
    self.text = text
    steps = text.starts(withBytesOf: "/") ? Self.pointer(text) : try Self.dotted(text)
  }

  /// Returns the value at the place, or `nil` if there is none. An existing `null` is `StubJSON.null`.
  ///
  /// - Parameter isMissing: Receives the first key that leads nowhere, and the value that doesn't have it.
  package func value(in root: StubJSON, isMissing: (String, StubJSON) -> Void = { _, _ in }) -> StubJSON? {
    var value = root
    for step in steps {
      let next: StubJSON? =
        switch (step, value) {
        case (.key(let key), .object): value[key]
        case (.key, _), (.index, _): step.position.flatMap { value[$0] }
        }
      guard let next else {
        if case .key(let key) = step { isMissing(key, value) }
        return nil
      }
      value = next
    }
    return value
  }

  private static func pointer(_ text: String) -> [Step] {
    text.pieces(at: "/").dropFirst().map { token in
      let slashed = token.replacingOccurrences(of: "~1", with: "/", options: .literal)
      return .key(slashed.replacingOccurrences(of: "~0", with: "~", options: .literal))
    }
  }

  private static func dotted(_ text: String) throws(UsageMistake) -> [Step] {
    // A slash: a JSON Pointer without its first one. A $: the paths of other languages.
    if text.has("/") && !text.has(".") && !text.has("[") || text == "$" || text.starts(withBytesOf: "$.")
      || text.starts(withBytesOf: "$[")
    {
      throw mistake(in: text)
    }
    var steps: [Step] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      if rest.take("[") {
        steps.append(try bracket(&rest, of: text))
        continue
      }
      // Each key but the first one follows a dot.
      let hasDot = rest.take(".")
      let key = rest.take(upTo: ".", "[")
      if hasDot == steps.isEmpty || key.isEmpty || key.has("]") { throw mistake(in: text) }
      steps.append(.key(String(key)))
    }
    return steps
  }

  /// Returns the content of brackets: an index or a quoted key.
  private static func bracket(_ rest: inout Substring, of text: String) throws(UsageMistake) -> Step {
    for quote: Unicode.Scalar in ["\"", "'"] where rest.take(quote) {
      guard let (key, after) = rest.cut(at: quote), after.utf8.first == .closingBracket else {
        throw mistake(in: text)
      }
      rest = Substring(after.utf8.dropFirst())
      return .key(String(key))
    }
    guard let (number, after) = rest.cut(at: "]"), let index = index(of: String(number)) else {
      throw mistake(in: text)
    }
    rest = after
    return .index(index)
  }

  /// Returns the index that digits are, or `nil` for other texts. A sign and a leading zero don't come back.
  fileprivate static func index(of digits: String) -> Int? {
    guard let index = Int(digits), index >= 0, String(index) == digits else { return nil }
    return index
  }

  private static func mistake(in text: String) -> UsageMistake {
    UsageMistake(
      "\"\(text)\" is not a JSON path: write keys with dots and indices in brackets, as in \"a.b[0].c\", a key that has "
        + "a dot or a slash as [\"a.b\"], or a JSON Pointer, as in \"/a/b/0/c\".")
  }
}
