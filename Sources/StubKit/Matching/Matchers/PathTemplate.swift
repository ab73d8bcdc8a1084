import Foundation
import StubKitFormats

/// A path with placeholders: `/users/{id:[0-9]+}/posts/{post}`, `/files/{name}.json`, `/static/{path...}`.
///
/// It is compared with the encoded path, segment by segment. Each segment is decoded by itself, so `%2F` stays inside
/// one. A placeholder matches at least one character and never crosses a slash, except for a last one that matches
/// the rest of the path.
final class TemplateCriterion: Sendable {
  enum Segment: Sendable {
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
    self.text = isEncoded ? text.percentDecoded : text
    segments = try PathTemplateParser(text, isEncoded: isEncoded).segments
  }

  /// A Boolean value that indicates whether a path can have more segments than the template.
  var isOpen: Bool { if case .rest? = segments.last { true } else { false } }

  /// Returns whether a path matches, and captures the text of the placeholders. One that doesn't match can capture, too.
  func matches(_ bytes: UnsafeRawPointer, _ parts: RequestURL.Parts, _ captures: inout Captures) -> Bool {
    var start = parts.segments.lowerBound
    for segment in segments {
      guard start <= parts.segments.upperBound else { return false }
      let end = parts.endOfSegment(bytes, from: start)
      switch segment {
      case .literal(let literal):
        guard parts.equals(bytes, start..<end, literal) else { return false }
      case .placeholder(let name):
        if start == end { return false }
        captures.add(name, RequestURL.text(bytes, start..<end))
      case .pattern(let pattern):
        guard pattern.matches(RequestURL.text(bytes, start..<end), &captures) else { return false }
      case .rest(let name):
        captures.add(name, parts.segments(bytes, from: start))
        return true
      }
      start = end + 1
    }
    return start > parts.segments.upperBound
  }
}

extension TemplateCriterion: Criterion {
  var description: String { "isPath(template: \(text.debugDescription))" }
  var subject: String { "path" }
  var expectation: String { Excerpt.plain(text) }
  var weight: ClosedRange<Int> { Points.path }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    let url = facts.requestURL
    return facts.hasURL && url.withBytes { matches($0, url.parts, &captures) }
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.url.map { _ in Excerpt.plain(facts.encodedPath) } }

  /// The number of segments and the literal ones. The verification checks the placeholders.
  func forEachRequiredValue(_ body: (RequiredValue) -> Void) {
    var literals: UInt64 = 0
    var hash = KeyHash(seed: UInt64(segments.count))
    for (position, segment) in segments.prefix(64).enumerated() {
      guard case .literal(let text) = segment else { continue }
      literals |= 1 << UInt64(position)
      hash.combine(KeyHash.of(text))
    }
    let shape = PathShape(segmentCount: segments.count, isOpen: isOpen, literals: literals)
    body(RequiredValue(dimension: .template, hash: hash.value, anchor: .shape(shape)))
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
    return builder.add(CompiledCondition.Check.segments, texts.joined(separator: "/"))
  }
}

/// A segment of a path template as a regular expression, such as `{id:[0-9]+}.json`.
struct SegmentPattern: Sendable {
  struct Placeholder {
    let name: String
    /// The regular expression that the text must match as a whole, or `nil` for any text.
    let pattern: String?
    /// The text up to the next placeholder, or to the end of the segment.
    let suffix: String
  }

  private let pattern: Pattern
  private let groups: [(name: String, number: Int)]

  /// - Parameters:
  ///   - prefix: The text before the first placeholder.
  ///   - placeholders: One or more placeholders, whose patterns have been checked.
  init(_ prefix: String, _ placeholders: [Placeholder]) throws(UsageMistake) {
    var expression = #"(?<=\A"# + Self.escaped(prefix) + ")"
    var groups: [(name: String, number: Int)] = []
    // A single placeholder is the whole match, so that the groups in its expression keep their numbers.
    let isSingle = placeholders.count == 1
    var number = isSingle ? 0 : 1
    for (index, placeholder) in placeholders.enumerated() {
      // Each of several placeholders matches as little as possible.
      let pattern = placeholder.pattern ?? #"[\s\S]+?"#
      expression += (isSingle ? "(?:" : "(") + pattern + ")"
      let suffix = Self.escaped(placeholder.suffix)
      expression += index < placeholders.count - 1 ? suffix : "(?=" + suffix + #"\z)"#
      groups.append((placeholder.name, number))
      number += 1 + ((try? NSRegularExpression(pattern: pattern))?.numberOfCaptureGroups ?? 0)
    }
    self.groups = groups
    pattern = try Pattern(parsing: expression, options: [], in: "isPath(template:)")
  }

  /// The names of the groups in the expressions themselves.
  var groupNames: [String] { pattern.names }

  /// Returns whether the decoded segment matches, and captures the text of its placeholders.
  func matches(_ segment: String, _ captures: inout Captures) -> Bool {
    let text = Self.composed(segment)
    guard let match = pattern.firstMatch(in: text, &captures) else { return false }
    for (name, number) in groups {
      let range = match.range(at: number)
      guard range.length > 0 else { return false }
      // The range can end within a character, where a Range of the text would be nil.
      captures.add(name, (text as NSString).substring(with: range))
    }
    return true
  }

  private static func escaped(_ text: String) -> String { NSRegularExpression.escapedPattern(for: composed(text)) }

  /// Returns the text in one of its canonical forms, because regular expressions compare scalar by scalar.
  ///
  /// Foundation on Linux composes a scalar beyond the basic multilingual plane as the one with the same low 16 bits.
  private static func composed(_ text: String) -> String {
    if text.isASCII { return text }
    let decomposed = text.decomposedStringWithCanonicalMapping
    let composed = decomposed.precomposedStringWithCanonicalMapping
    return composed == decomposed ? composed : decomposed
  }
}

extension String {
  var withoutTrailingSlashes: Substring {
    var path = self[...]
    while path.utf8.last == UInt8(ascii: "/") { path = path[..<path.utf8.index(before: path.endIndex)] }
    return path
  }
}
