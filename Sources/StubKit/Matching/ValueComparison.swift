/// What a value must be.
package enum ValueComparison: Sendable {
  case equals(MatchText)
  /// For a header that is a list: it contains the text as a member, or as several in a row.
  case includes(MatchText)
  case begins(with: MatchText)
  /// For a path: the text is a prefix of whole segments. Empty for the root, which contains every path.
  case isUnder(MatchText)
  case ends(with: MatchText)
  /// A part of the value matches. Named groups capture.
  case matches(Pattern)
  case contains(RegexPattern)
  case exists
  case isMissing
}

extension ValueComparison {
  /// The text that is compared, or `nil` for none.
  var text: MatchText? {
    switch self {
    case .equals(let text), .includes(let text), .begins(let text), .isUnder(let text), .ends(let text): text
    case .matches, .contains, .exists, .isMissing: nil
    }
  }

  /// Returns whether a path that meets the condition also has its segments: `%2F` is part of one. Only a path that is
  /// given as a whole, or to its end, has any.
  func hasSegments(of facts: inout RequestFacts) -> Bool {
    let isUnder: Bool
    switch self {
    case .equals: isUnder = false
    case .isUnder: isUnder = true
    default: return true
    }
    guard let text, facts.requestURL.canHaveSlashInSegment || text.hasSlashInSegment, let segments = text.segments
    else { return true }
    let own = facts.segments
    if isUnder { return own.starts(with: segments) { $0.isSame(as: $1) } }
    return own.elementsEqual(segments) { $0.isSame(as: $1) }
  }

  func isMet(by value: String?, _ captures: inout Captures?) -> Bool {
    guard let value else { return if case .isMissing = self { true } else { false } }
    return switch self {
    case .equals(let text), .includes(let text): value.isSame(as: text.value)
    case .begins(let text): value.starts(withBytesOf: text.value)
    case .isUnder(let text): value.isPath(under: text.value)
    case .ends(let text): value.ends(withBytesOf: text.value)
    case .matches(let pattern): pattern.firstMatch(in: value, &captures) != nil
    case .contains(let pattern): pattern.hasMatch(in: value, &captures)
    case .exists: true
    case .isMissing: false
    }
  }

  /// Returns whether a header field meets the comparison. One that is equal to a text, or includes it, can have any
  /// white space between the members of a list.
  func isMet(byHeader value: String?, _ name: String, _ captures: inout Captures?) -> Bool {
    let isWhole: Bool
    switch self {
    case .equals: isWhole = true
    case .includes: isWhole = false
    default: return isMet(by: value, &captures)
    }
    guard let value, let text = text?.value else { return false }
    if value.isSame(as: text) { return true }
    let there = value.headerMembers(of: name)
    let wanted = text.headerMembers(of: name)
    if isWhole { return there.elementsEqual(wanted) { $0.isSame(as: $1) } }
    return there.indices.contains { there[$0...].starts(with: wanted) { $0.isSame(as: $1) } }
  }

  /// Returns whether one of the items with a name meets the comparison, or whether none exists.
  func isMet(by items: NamedItems, _ name: String, _ captures: inout Captures?) -> Bool {
    switch self {
    case .equals(let text): items.contains(NamedValue(name: name, value: text.value))
    case .exists: items.contains(name: name)
    case .isMissing: !items.contains(name: name)
    default: items.named(name).contains { $0.value != nil && isMet(by: $0.value, &captures) }
    }
  }
}

/// The text of a matcher in two forms.
package struct MatchText: Sendable {
  /// The text for comparison.
  package let value: String
  /// The text as it was written.
  package let text: String
  /// A Boolean value that indicates whether it is a path that was written as in a URL, where `%2F` is no slash between
  /// two segments.
  private let isOfURL: Bool
  /// The segments of such a path, if they aren't what is between its slashes.
  private let slashedSegments: [String]?

  package init(
    _ text: String, canonical value: String? = nil, isOfURL: Bool = false, slashedSegments: [String]? = nil
  ) {
    self.value = value ?? text
    self.text = text
    self.isOfURL = isOfURL
    self.slashedSegments = slashedSegments
  }

  /// The segments of a path that was written as in a URL, or `nil` for any other text.
  var segments: [String]? {
    isOfURL ? slashedSegments ?? value.withoutTrailingSlashes.pieces(at: "/").map(String.init) : nil
  }

  /// A Boolean value that indicates whether a segment has a slash in it.
  var hasSlashInSegment: Bool { slashedSegments?.contains { $0.has("/") } ?? false }

  /// The text, or a path with `%2F` where a segment has a slash in it.
  var writtenPath: String { hasSlashInSegment ? (segments ?? []).pathTemplate : text }
}
