import Foundation
import StubKitFormats

/// A path with placeholders: `/users/{id:[0-9]+}/posts/{post}`, `/files/{name}.json`, `/static/{path...}`.
///
/// It is compared with the encoded path, segment by segment. Each segment is decoded by itself, so `%2F` stays inside
/// one. A placeholder matches at least one character and never crosses a slash, except for a last one that matches
/// the rest of the path.
final class PathTemplate: Sendable {
  enum Segment: Sendable {
    /// Decoded text.
    case literal(String)
    /// The text before the first placeholder, and each placeholder with the text that follows it.
    case capturing(prefix: String, places: [Place])
    /// Placeholders, at least one of which has a regular expression.
    case expression(TemplateExpression)
    /// The last segment, which matches the rest of the path: one or more segments.
    case rest(name: String)
  }

  struct Place: Sendable {
    let name: String
    /// The regular expression that the text must match as a whole, or `nil` for any text.
    var pattern: String?
    let suffix: String
  }

  let text: String
  let segments: [Segment]

  /// - Parameter isEncoded: Whether the text outside of the braces is percent-encoded.
  init(_ text: String, isEncoded: Bool = false) throws(UsageMistake) {
    var parser = PathTemplateParser(text, isEncoded: isEncoded)
    try parser.parse()
    self.text = isEncoded ? text.percentDecoded : text
    segments = parser.segments
  }

  /// A Boolean value that indicates whether a path can have more segments than the template.
  var isOpen: Bool { if case .rest? = segments.last { true } else { false } }

  /// Returns whether the percent-encoded path matches, and captures the text of the placeholders.
  func test(_ encodedPath: String, _ captures: inout Captures) -> Bool {
    let parts = Self.split(encodedPath)
    guard fitsLiterals(parts) else { return false }
    let mark = captures.mark
    for (segment, part) in zip(segments, parts) where !segment.fits(part, &captures) {
      captures.reset(to: mark)
      return false
    }
    if case .rest(let name)? = segments.last {
      captures.add(name, parts[(segments.count - 1)...].map { $0.segmentDecoded }.joined(separator: "/"))
    }
    return true
  }

  /// Returns whether the number of segments and the literal segments are the same. This is quick to check.
  private func fitsLiterals(_ parts: [Substring]) -> Bool {
    guard parts.count == segments.count || isOpen && parts.count > segments.count else { return false }
    for (segment, part) in zip(segments, parts) {
      if case .literal(let literal) = segment, part.segmentDecoded != literal { return false }
    }
    return true
  }

  /// Returns which segment doesn't match its regular expression, if nothing else is wrong with the path.
  func problem(with encodedPath: String) -> String? {
    let parts = Self.split(encodedPath)
    guard fitsLiterals(parts) else { return nil }
    var captures = Captures()
    for case (.expression(let expression), let part) in zip(segments, parts) {
      let part = part.segmentDecoded
      if !expression.fits(part, &captures) { return "\(Excerpt.plain(String(part))) does not fit \(expression.source)" }
    }
    return nil
  }

  /// Returns the segments between slashes. A leading slash yields an empty first segment, and trailing slashes don't
  /// count.
  static func split(_ path: String) -> [Substring] {
    path.withoutTrailingSlashes.pieces(at: "/")
  }
}

extension PathTemplate.Segment {
  /// - Parameter part: An encoded segment of the path that matches where the template has a literal.
  fileprivate func fits(_ part: Substring, _ captures: inout Captures) -> Bool {
    switch self {
    case .literal, .rest: true
    case .capturing(let prefix, let places): Self.fit(part.segmentDecoded, prefix, places, &captures)
    case .expression(let expression): expression.fits(part.segmentDecoded, &captures)
    }
  }

  /// Each of several placeholders matches as little as possible.
  private static func fit(
    _ part: Substring, _ prefix: String, _ places: [PathTemplate.Place], _ captures: inout Captures
  ) -> Bool {
    guard let start = part.end(ofPrefix: prefix) else { return false }
    var rest = part[start...]
    for (index, place) in places.enumerated() {
      guard let suffix = range(of: place, isLast: index == places.count - 1, in: rest) else { return false }
      captures.add(place.name, String(rest[..<suffix.lowerBound]))
      rest = rest[suffix.upperBound...]
    }
    return true
  }

  /// Returns the range of the text after a placeholder, which matches at least one character.
  private static func range(
    of place: PathTemplate.Place, isLast: Bool, in rest: Substring
  ) -> Range<String.Index>? {
    guard !rest.isEmpty else { return nil }
    if isLast {
      guard let start = rest.start(ofSuffix: place.suffix), start > rest.startIndex else { return nil }
      return start..<rest.endIndex
    }
    return rest.firstRange(ofText: place.suffix, from: rest.unicodeScalars.index(after: rest.startIndex))
  }
}

extension Substring {
  /// The segment of a path, decoded by itself.
  var segmentDecoded: Substring { has("%") ? Substring(String(self).percentDecoded) : self }
}

extension String {
  var withoutTrailingSlashes: Substring {
    var path = self[...]
    while path.utf8.last == UInt8(ascii: "/") { path = path[..<path.utf8.index(before: path.endIndex)] }
    return path
  }
}

extension PathTemplate: Criterion {
  var description: String { "isPath(template: \(text.debugDescription))" }
  var subject: String { "path" }
  var expectation: String { Excerpt.plain(text) }
  var traits: MatcherTraits { .capturing }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.url != nil && test(facts.encodedPath, &captures)
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.url.map { _ in Excerpt.plain(facts.encodedPath) } }

  func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    let path = facts.encodedPath
    result.add(
      Points.scaled(Points.path, difference(from: path)), mismatch(actual: actual(&facts), note: problem(with: path)))
  }

  func forEachEquality(_ body: (Equality) -> Void) { body(equality) }
}

extension PathTemplate {
  /// Like ``TextDifference/pathShare``. A segment that can match a placeholder differs by nothing.
  private func difference(from encodedPath: String) -> Int {
    let parts = Self.split(encodedPath)
    // The first part is what precedes the leading slash.
    let surplus = parts.count - segments.count
    var sum = 100 * (isOpen && surplus > 0 ? 0 : abs(surplus))
    for (segment, part) in zip(segments, parts) {
      guard case .literal(let literal) = segment, literal != part else { continue }
      sum += TextDifference(literal, String(part).percentDecoded).share
    }
    return Swift.min(100, sum / max(1, max(parts.count, segments.count) - 1))
  }
}

extension PathTemplate {
  /// The equality of the number of segments and of the literal ones. The verification checks the placeholders.
  var equality: Equality {
    var literals: UInt64 = 0
    var hash = KeyHash(seed: UInt64(segments.count))
    for (position, segment) in segments.prefix(64).enumerated() {
      guard case .literal(let text) = segment else { continue }
      literals |= 1 << UInt64(position)
      hash.combine(KeyHash.of(text))
    }
    let shape = PathShape(segmentCount: segments.count, isOpen: isOpen, literals: literals)
    return Equality(dimension: .template, hash: hash.value, place: .shape(shape))
  }
}

/// A segment of a path template with placeholders, some of which have a regular expression, such as
/// `{id:[0-9]+}.json`.
struct TemplateExpression: Sendable {
  /// The segment as it was written.
  let source: String
  private let prefix: String
  private let suffix: String
  /// The regular expression for the whole segment.
  private let pattern: Pattern
  private let groups: [(name: String, number: Int)]

  /// Returns the parser's message if the pattern is invalid.
  static func problem(with pattern: String) -> String? {
    do {
      _ = try NSRegularExpression(pattern: pattern)
      return nil
    } catch { return error.localizedDescription }
  }

  /// - Parameter places: One or more placeholders, whose patterns have been checked.
  init(_ source: String, _ prefix: String, _ places: [PathTemplate.Place]) throws(UsageMistake) {
    var expression = ""
    var groups: [(name: String, number: Int)] = []
    // A single placeholder is the whole match, so that the groups in its expression keep their numbers.
    var number = places.count == 1 ? 0 : 1
    for (index, place) in places.enumerated() {
      let pattern = place.pattern ?? #"[\s\S]+?"#
      expression += places.count == 1 ? "(?:\(pattern))" : "(\(pattern))"
      if index < places.count - 1 { expression += NSRegularExpression.escapedPattern(for: place.suffix) }
      groups.append((place.name, number))
      number += 1 + ((try? NSRegularExpression(pattern: pattern))?.numberOfCaptureGroups ?? 0)
    }
    self.source = source
    self.prefix = prefix
    suffix = places.last?.suffix ?? ""
    self.groups = groups
    pattern = try Pattern(parsing: #"\A(?:"# + expression + #")\z"#, options: [], in: "isPath(template:)")
  }

  /// The names of the groups in the expressions themselves.
  var groupNames: [String] { pattern.names }

  /// Returns whether the decoded segment matches, and captures the text of its placeholders.
  func fits(_ part: Substring, _ captures: inout Captures) -> Bool {
    guard let start = part.end(ofPrefix: prefix), let end = part[start...].start(ofSuffix: suffix) else { return false }
    let text = String(part[start..<end])
    let mark = captures.mark
    guard let match = pattern.firstMatch(in: text, &captures) else { return false }
    for (name, number) in groups {
      guard let range = Range(match.range(at: number), in: text), !range.isEmpty else {
        captures.reset(to: mark)
        return false
      }
      captures.add(name, String(text[range]))
    }
    return true
  }
}
