import StubKitFormats

/// Parses a path template, and traps if it is invalid.
struct PathTemplateParser {
  private let template: String
  private var left: Substring
  private var names: Set<String> = []

  private(set) var segments: [PathTemplate.Segment] = []

  init(_ template: String) {
    self.template = template
    // Trailing slashes don't count.
    left = template.withoutTrailingSlashes
  }

  mutating func parse() {
    repeat {
      if case .rest(let name)? = segments.last {
        fail("has {\(name)...} before its end", "write it as the last segment.")
      }
      parseSegment()
    } while left.take("/")
  }

  private mutating func parseSegment() {
    let start = left
    let prefix = takeLiteral()
    var places: [PathTemplate.Place] = []
    while left.take("{") {
      let (name, pattern) = takePlace()
      let suffix = takeLiteral()
      let isAtEnd = left.utf8.first != UInt8(ascii: "{")
      if name.utf8.suffix(3).elementsEqual("...".utf8) {
        guard prefix.isEmpty, places.isEmpty, pattern == nil, suffix.isEmpty, isAtEnd else {
          fail("has {\(name)} beside other text or with an expression", "write it alone, as the last segment.")
        }
        let rest = String(decoding: name.utf8.dropLast(3), as: UTF8.self)
        claim(rest, in: "{\(name)}")
        return segments.append(.rest(name: rest))
      }
      claim(name, in: "{\(name)}")
      if !isAtEnd && suffix.isEmpty {
        fail("has two adjacent placeholders after {\(name)}", "put some text between them.")
      }
      places.append(PathTemplate.Place(name: name, pattern: pattern, suffix: suffix))
    }
    segments.append(segment(String(start[..<left.startIndex]), prefix, places))
  }

  private mutating func segment(
    _ source: String, _ prefix: String, _ places: [PathTemplate.Place]
  ) -> PathTemplate.Segment {
    if places.isEmpty { return .literal(prefix) }
    guard places.contains(where: { $0.pattern != nil }) else { return .capturing(prefix: prefix, places: places) }
    let expression = TemplateExpression(source, prefix, places)
    for name in expression.groupNames { claim(name, in: "(?<\(name)>…)") }
    return .expression(expression)
  }

  /// Consumes the text up to the next placeholder, or to the end of the segment.
  private mutating func takeLiteral() -> String {
    let text = left.take(upTo: "{", "}", "/", "?", "#")
    if left.utf8.first == UInt8(ascii: "}") {
      fail("has a } without a {", "write a placeholder as {name}, in one segment.")
    }
    checkEndOfPath()
    return String(text)
  }

  /// Consumes the rest of a placeholder after its `{`, including its `}`.
  private mutating func takePlace() -> (name: String, pattern: String?) {
    let name = String(left.take(upTo: ":", "{", "}", "/", "?", "#"))
    checkEndOfPath()
    if left.take("}") { return (checked(name), nil) }
    if left.take("{") { fail("has a { inside { }", "write a placeholder as {name}, or {name:expression}.") }
    guard left.take(":") else { failOpen() }
    return (checked(name), takePattern(of: checked(name)))
  }

  /// Consumes a regular expression and the `}` that closes its placeholder. Braces in the expression are balanced,
  /// and escaped ones don't count.
  private mutating func takePattern(of name: String) -> String {
    var depth = 0
    var isEscaped = false
    let end = left.utf8.firstIndex { byte in
      defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
      if isEscaped { return false }
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      return depth < 0
    }
    guard let end else { failOpen() }
    let pattern = String(left[..<end])
    if pattern.isEmpty { fail("has {\(name):} without an expression", "write {\(name)} for any text.") }
    TemplateExpression.check(pattern) { problem in
      fail(
        "has {\(name):\(pattern)}, and \(pattern.debugDescription) is not a regular expression",
        "\(problem) Write one in the syntax of NSRegularExpression.")
    }
    left = left[left.utf8.index(after: end)...]
    return pattern
  }

  private func checked(_ name: String) -> String {
    if name.isEmpty || name == "..." { fail("has a placeholder without a name", "write {name}, not {\(name)}.") }
    return name
  }

  private mutating func claim(_ name: String, in place: String) {
    if !names.insert(name).inserted { fail("has \(place) twice", "give each placeholder its own name.") }
  }

  private func checkEndOfPath() {
    if left.utf8.first == UInt8(ascii: "?") || left.utf8.first == UInt8(ascii: "#") {
      fail("has a ? or #", "a template is a path only. Add containsQuery(…) for the query.")
    }
  }

  private func failOpen() -> Never {
    fail(
      "has a { without a }",
      "write a placeholder as {name}, in one segment, and a single brace in an expression as \\{ or \\}.")
  }

  private func fail(_ what: String, _ cure: String) -> Never {
    mistake("The template \"\(template)\" \(what): \(cure)")
  }
}
