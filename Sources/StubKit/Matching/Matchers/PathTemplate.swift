import Foundation

/// A path with placeholders: `/users/{id:[0-9]+}/posts/{post}`, `/files/{name}.json`, `/static/{path...}`.
///
/// It is compared with the encoded path, segment by segment. Each segment is decoded by itself, so `%2F` stays inside
/// one. A placeholder matches at least one character and never crosses a slash, except for a last one that matches
/// the rest of the path.
final class TemplateCriterion: Sendable {
  enum Segment {
    /// Decoded text.
    case literal(String)
    /// A placeholder that is the whole segment, and that any text matches.
    case placeholder(name: String)
    /// Placeholders with text beside them, or with a regular expression.
    case pattern(SegmentPattern)
    /// The last segment, which matches the rest of the path: one or more segments.
    case rest(name: String)
  }

  let text: String
  let segments: [Segment]

  /// - Parameter isEncoded: Whether the text outside of the braces is percent-encoded.
  init(_ text: String, isEncoded: Bool = false) throws(UsageMistake) {
    // As it would be written in a template, with %2F for a slash in a segment.
    let isEscaped = isEncoded && text.has("%")
    self.text = isEscaped ? text.replacing("%2f", with: "%2F").replacing("%2F", with: "%252F").decodedPath : text
    segments = try PathTemplateParser(text, isEncoded: isEncoded).segments
  }

  /// A Boolean value that indicates whether a path can have more segments than the template.
  var isOpen: Bool { if case .rest? = segments.last { true } else { false } }

  /// Returns whether a path that begins with other segments can match.
  func canBe(under base: [String]) -> Bool {
    (isOpen || segments.count >= base.count)
      && zip(base, segments).allSatisfy { if case .literal(let text) = $1 { text.isSame(as: $0) } else { true } }
  }

  /// Returns whether a path matches. Captures the text of the placeholders, also of some that don't match.
  func matches(_ bytes: UnsafeRawPointer, _ parts: RequestURL.Parts, _ captures: inout Captures?) -> Bool {
    var start = parts.segments.lowerBound
    for segment in segments {
      guard start <= parts.segments.upperBound else { return false }
      let end = parts.endOfSegment(bytes, from: start)
      switch segment {
      case .literal(let literal):
        guard parts.equals(bytes, start..<end, literal) else { return false }
      case .placeholder(let name):
        if start == end { return false }
        captures?.add(name, RequestURL.text(bytes, start..<end))
      case .pattern(let pattern):
        guard pattern.matches(RequestURL.text(bytes, start..<end), &captures) else { return false }
      case .rest(let name):
        captures?.add(name, parts.segments(bytes, from: start))
        return true
      }
      start = end + 1
    }
    return start > parts.segments.upperBound
  }
}

extension TemplateCriterion: Criterion {
  /// Returns the call of the matcher, as Swift source.
  static func call(_ template: String) -> String { "isPath(template: \(template.debugDescription))" }

  var description: String { Self.call(text) }
  var subject: String { "path" }
  var expectation: String { text.plain }
  var weight: ClosedRange<Int> { Points.path }

  func test(_ facts: inout RequestFacts) -> Bool {
    let url = facts.requestURL
    return facts.hasURL && url.withBytes { matches($0, url.parts, &facts.captures) }
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.url.map { _ in facts.encodedPath.plain } }

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) {
    for (position, segment) in segments.enumerated() where position > 0 {
      switch segment {
      case .literal(let text): body(.segment(text, at: position))
      case .pattern(let pattern) where !pattern.prefix.isEmpty: body(.segmentStart(pattern.prefix, at: position))
      case .pattern, .placeholder, .rest: break
      }
    }
  }

  func compile(into builder: inout CompiledCondition.Builder) -> Bool {
    var texts: [String] = []
    for segment in segments {
      switch segment {
      case .literal(let text) where !text.has("/") && !text.has("\0"): texts.append(text)
      case .placeholder: texts.append("\0")
      default: return false
      }
    }
    return builder.add(segments: texts.joined(separator: "/"))
  }
}

/// A segment of a path template as a regular expression, such as `{id:[0-9]+}.json`.
struct SegmentPattern {
  /// A placeholder: its name, the regular expression that the text must match as a whole, or `nil` for any text, and
  /// the text up to the next placeholder, or to the end of the segment.
  typealias Placeholder = (name: String, pattern: NSRegularExpression?, suffix: String)

  /// The text before the first placeholder.
  let prefix: String
  private let pattern: Pattern
  private let groups: [(name: String, number: Int)]

  /// - Parameters:
  ///   - prefix: The text before the first placeholder.
  ///   - placeholders: One or more placeholders.
  init(_ prefix: String, _ placeholders: [Placeholder]) throws(UsageMistake) {
    var expression = #"(?<=\A"# + Self.escaped(prefix) + ")"
    var groups: [(name: String, number: Int)] = []
    // A single placeholder is the whole match, so that the groups in its expression keep their numbers.
    let isSingle = placeholders.count == 1
    var number = isSingle ? 0 : 1
    for (index, placeholder) in placeholders.enumerated() {
      // Each of several placeholders matches as little as possible.
      let pattern = placeholder.pattern?.pattern ?? #"[\s\S]+?"#
      expression += (isSingle ? "(?:" : "(") + pattern + ")"
      let suffix = Self.escaped(placeholder.suffix)
      expression += index < placeholders.count - 1 ? suffix : "(?=" + suffix + #"\z)"#
      groups.append((placeholder.name, number))
      number += 1 + (placeholder.pattern?.numberOfCaptureGroups ?? 0)
    }
    self.groups = groups
    self.prefix = prefix
    pattern = try Pattern(parsing: expression, options: [], in: "isPath(template:)")
  }

  /// The names of the groups in the expressions themselves.
  var groupNames: [String] { pattern.names }

  /// Returns whether the decoded segment matches, and captures the text of its placeholders.
  func matches(_ segment: String, _ captures: inout Captures?) -> Bool {
    guard let match = pattern.firstMatch(in: segment, &captures) else { return false }
    for (name, number) in groups {
      let range = match.range(at: number)
      guard range.length > 0 else { return false }
      // The range can end within a character, where a Range of the text would be nil.
      captures?.add(name, (segment as NSString).substring(with: range))
    }
    return true
  }

  private static func escaped(_ text: String) -> String { NSRegularExpression.escapedPattern(for: text) }
}

extension StringProtocol {
  /// Returns the position of the first byte that meets a test, which also receives the number of braces that are open
  /// after it. In braces, a backslash escapes the next byte.
  func firstIndex(inBraces depth: Int = 0, where test: (_ byte: UInt8, _ depth: Int) -> Bool) -> Index? {
    var depth = depth
    var isEscaped = false
    return utf8.firstIndex { byte in
      defer { isEscaped = !isEscaped && depth > 0 && byte == .backslash }
      if isEscaped { return false }
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == .closingBrace { depth -= 1 }
      return test(byte, depth)
    }
  }
}

/// Parses a path template.
struct PathTemplateParser {
  private let template: String
  private let isEncoded: Bool
  private var left: Substring
  private var names: Set<String> = []

  private(set) var segments: [TemplateCriterion.Segment] = []

  init(_ template: String, isEncoded: Bool) throws(UsageMistake) {
    self.template = template
    self.isEncoded = isEncoded
    // Trailing slashes don't count.
    left = template.withoutTrailingSlashes
    repeat { try parseSegment() } while left.take("/")
  }

  private mutating func parseSegment() throws(UsageMistake) {
    let prefix = try takeLiteral(isAtStart: true)
    var placeholders: [SegmentPattern.Placeholder] = []
    while left.take("{") {
      let (name, pattern) = try takePlaceholder()
      let suffix = try takeLiteral()
      let isAtEnd = left.utf8.first != UInt8(ascii: "{")
      if name.utf8.suffix(3).elementsEqual("...".utf8) {
        guard prefix.isEmpty, placeholders.isEmpty, pattern == nil, left.isEmpty, suffix.isEmpty else {
          throw problem("has {\(name)} beside other text, or before its end", "write it alone, as the last segment.")
        }
        let rest = String(utf8: name.utf8.dropLast(3))
        try claim(rest, in: "{\(name)}")
        return segments.append(.rest(name: rest))
      }
      try claim(name, in: "{\(name)}")
      if !isAtEnd && suffix.isEmpty {
        throw problem("has two adjacent placeholders after {\(name)}", "put some text between them.")
      }
      placeholders.append((name, pattern, suffix))
    }
    if placeholders.isEmpty {
      if !isEncoded, prefix[...].isDotSegment {
        throw problem(
          "has a segment . or ..", "it is resolved before a path is compared. Write the template without it.")
      }
      return segments.append(.literal(prefix))
    }
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
    if left.utf8.first == .closingBrace { throw unbalanced() }
    try checkEndOfPath()
    if isAtStart, !segments.isEmpty, text.utf8.first == .colon, text.utf8.count > 1,
      left.isEmpty || left.utf8.first == .slash
    {
      // Express has an expression in parentheses behind the name.
      let name = text.dropFirst().prefixMatch(of: /\w+/)?.0 ?? "name"
      throw problem("has the placeholder \(text)", "write {\(name)}.")
    }
    if text.has("*") {
      throw problem(
        "has a *",
        "write {name} for any text of a segment, {path...} for the rest of a path, and {name:[*]} for a literal *.")
    }
    if isEncoded { return String(text).percentDecoded }
    guard text.has("%") else { return String(text) }
    let literal = String(text).replacing("%2F", with: "/").replacing("%2f", with: "/")
    let decoded = literal.percentDecoded
    if decoded != literal {
      throw problem(
        "has the percent escape of \(decoded.debugDescription)",
        "write the decoded text, or {name:\(String(text).asLiteralPattern)} where the path has it literally.")
    }
    return decoded
  }

  /// Consumes the rest of a placeholder after its `{`, including its `}`.
  private mutating func takePlaceholder() throws(UsageMistake) -> (name: String, pattern: NSRegularExpression?) {
    let name = String(left.take(upTo: ":", "{", "}", "/", "?", "#"))
    try checkEndOfPath()
    if left.take("}") { return (try checked(name), nil) }
    guard left.take(":") else { throw unbalanced() }
    return (try checked(name), try takePattern(of: name))
  }

  /// Consumes a regular expression and the `}` that closes its placeholder. Braces in the expression are balanced,
  /// and escaped ones don't count.
  private mutating func takePattern(of name: String) throws(UsageMistake) -> NSRegularExpression {
    guard let end = left.firstIndex(inBraces: 1, where: { $1 == 0 }) else { throw unbalanced() }
    let pattern = String(left[..<end])
    left = left[left.utf8.index(after: end)...]
    if pattern.isEmpty { throw problem("has {\(name):} without an expression", "write {\(name)} for any text.") }
    do {
      return try NSRegularExpression(pattern: pattern)
    } catch {
      throw problem(
        "has {\(name):\(pattern)}, and \(pattern.debugDescription) is not a regular expression",
        Pattern.cure(for: pattern, error))
    }
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
    if left.utf8.first == .question || left.utf8.first == .pound {
      throw problem("has a ? or #", "a template is a path only. Add containsQuery(…) for the query.")
    }
  }

  private func unbalanced() -> UsageMistake {
    problem(
      "has a { without a }, or a } without a {, in the same segment",
      "write a placeholder as {name} or {name:expression}, and a single brace in an expression as \\{ or \\}.")
  }

  private func problem(_ what: String, _ cure: String) -> UsageMistake {
    UsageMistake("The template \(template.debugDescription) \(what): \(cure)")
  }
}
