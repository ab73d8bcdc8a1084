import Foundation
import StubKitFormats

/// Parses a path template.
struct PathTemplateParser {
  private let template: String
  private let isEncoded: Bool
  private var left: Substring
  private var names: Set<String> = []

  private(set) var segments: [TemplateCriterion.Segment] = []

  init(_ template: String, isEncoded: Bool) throws(UsageMistake) {
    (self.template, self.isEncoded) = (template, isEncoded)
    // Trailing slashes don't count.
    left = template.withoutTrailingSlashes
    repeat {
      if case .rest(let name)? = segments.last {
        throw problem("has {\(name)...} before its end", "write it as the last segment.")
      }
      try parseSegment()
    } while left.take("/")
  }

  private mutating func parseSegment() throws(UsageMistake) {
    let prefix = try takeLiteral(isAtStart: true)
    var placeholders: [SegmentPattern.Placeholder] = []
    while left.take("{") {
      let (name, pattern) = try takePlaceholder()
      let suffix = try takeLiteral()
      let isAtEnd = left.utf8.first != UInt8(ascii: "{")
      if name.utf8.suffix(3).elementsEqual("...".utf8) {
        guard prefix.isEmpty, placeholders.isEmpty, pattern == nil, suffix.isEmpty, isAtEnd else {
          throw problem("has {\(name)} beside other text or with an expression", "write it alone, as the last segment.")
        }
        let rest = String(decoding: name.utf8.dropLast(3), as: UTF8.self)
        try claim(rest, in: "{\(name)}")
        return segments.append(.rest(name: rest))
      }
      try claim(name, in: "{\(name)}")
      if !isAtEnd && suffix.isEmpty {
        throw problem("has two adjacent placeholders after {\(name)}", "put some text between them.")
      }
      placeholders.append(.init(name: name, pattern: pattern, suffix: suffix))
    }
    if placeholders.isEmpty { return segments.append(.literal(prefix)) }
    if prefix.isEmpty, placeholders.count == 1, placeholders[0].pattern == nil, placeholders[0].suffix.isEmpty {
      return segments.append(.placeholder(name: placeholders[0].name))
    }
    let pattern = try SegmentPattern(prefix, placeholders)
    for name in pattern.groupNames { try claim(name, in: "(?<\(name)>…)") }
    segments.append(.pattern(pattern))
  }

  /// Consumes the text up to the next placeholder, or to the end of the segment.
  ///
  /// - Parameter isAtStart: Whether it begins a segment, where `:name` is a placeholder of other libraries.
  private mutating func takeLiteral(isAtStart: Bool = false) throws(UsageMistake) -> String {
    let text = left.take(upTo: "{", "}", "/", "?", "#")
    if left.utf8.first == UInt8(ascii: "}") {
      throw problem("has a } without a {", "write a placeholder as {name}, in one segment.")
    }
    try checkEndOfPath()
    if isAtStart, !segments.isEmpty, text.utf8.first == UInt8(ascii: ":"), text.utf8.count > 1,
      left.isEmpty || left.utf8.first == UInt8(ascii: "/")
    {
      let name = text.dropFirst()
      throw problem("has the placeholder :\(name)", "write {\(name)}.")
    }
    if text.has("*") {
      throw problem(
        "has a *",
        "write {name} for any text of a segment, {path...} for the rest of a path, and {name:[*]} for a literal *.")
    }
    let decoded = String(text).percentDecoded
    if isEncoded { return decoded }
    if decoded != text {
      throw problem(
        "has the percent escape of \(decoded.debugDescription)",
        "write the decoded text, or {name:\(text)} where the path has it literally.")
    }
    return decoded
  }

  /// Consumes the rest of a placeholder after its `{`, including its `}`.
  private mutating func takePlaceholder() throws(UsageMistake) -> (name: String, pattern: String?) {
    let name = String(left.take(upTo: ":", "{", "}", "/", "?", "#"))
    try checkEndOfPath()
    if left.take("}") { return (try checked(name), nil) }
    if left.take("{") { throw problem("has a { inside { }", "write a placeholder as {name}, or {name:expression}.") }
    guard left.take(":") else { throw openBrace() }
    return (try checked(name), try takePattern(of: name))
  }

  /// Consumes a regular expression and the `}` that closes its placeholder. Braces in the expression are balanced,
  /// and escaped ones don't count.
  private mutating func takePattern(of name: String) throws(UsageMistake) -> String {
    var depth = 0
    var isEscaped = false
    let end = left.utf8.firstIndex { byte in
      defer { isEscaped = !isEscaped && byte == UInt8(ascii: "\\") }
      if isEscaped { return false }
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      return depth < 0
    }
    guard let end else { throw openBrace() }
    let pattern = String(left[..<end])
    if pattern.isEmpty { throw problem("has {\(name):} without an expression", "write {\(name)} for any text.") }
    do {
      _ = try NSRegularExpression(pattern: pattern)
    } catch {
      throw problem(
        "has {\(name):\(pattern)}, and \(pattern.debugDescription) is not a regular expression",
        "\(error.localizedDescription) Write one in the syntax of NSRegularExpression.")
    }
    left = left[left.utf8.index(after: end)...]
    return pattern
  }

  private func checked(_ name: String) throws(UsageMistake) -> String {
    if name.isEmpty || name == "..." || name.has("=") {
      throw problem("has a placeholder without a name of its own", "write {name}, not {\(name)}.")
    }
    return name
  }

  private mutating func claim(_ name: String, in place: String) throws(UsageMistake) {
    if !names.insert(name).inserted { throw problem("has \(place) twice", "give each placeholder its own name.") }
  }

  private func checkEndOfPath() throws(UsageMistake) {
    if left.utf8.first == UInt8(ascii: "?") || left.utf8.first == UInt8(ascii: "#") {
      throw problem("has a ? or #", "a template is a path only. Add containsQuery(…) for the query.")
    }
  }

  private func openBrace() -> UsageMistake {
    problem(
      "has a { without a } in the same segment",
      "write a placeholder as {name}, in one segment, and a single brace in an expression as \\{ or \\}.")
  }

  private func problem(_ what: String, _ cure: String) -> UsageMistake {
    UsageMistake("The template \"\(template)\" \(what): \(cure)")
  }
}
