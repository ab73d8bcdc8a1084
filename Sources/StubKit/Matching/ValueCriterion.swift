import Foundation

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

/// A condition on a single value of a request: a part, and what its value must be.
///
/// The description, the subject, the expectation, the keys of the index and the distance follow from the two.
final class ValueCriterion: Criterion {
  let part: RequestPart
  let comparison: ValueComparison

  init(_ part: RequestPart, _ comparison: ValueComparison) {
    self.part = part
    self.comparison = comparison
  }

  func test(_ facts: inout RequestFacts) -> Bool {
    switch part {
    case .queryItem(let name): comparison.isMet(by: facts.queryItems, name, &facts.captures)
    case .cookie(let name): comparison.isMet(by: facts.cookies, name, &facts.captures)
    case .header(let name): comparison.isMet(byHeader: facts.header(name), name, &facts.captures)
    case .path: comparison.isMet(by: part.value(in: &facts), &facts.captures) && comparison.hasSegments(of: &facts)
    default: comparison.isMet(by: part.value(in: &facts), &facts.captures)
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
  fileprivate var writtenPath: String { hasSlashInSegment ? (segments ?? []).pathTemplate : text }
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
  fileprivate func hasSegments(of facts: inout RequestFacts) -> Bool {
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
  fileprivate func isMet(byHeader value: String?, _ name: String, _ captures: inout Captures?) -> Bool {
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

extension ValueCriterion {
  /// A Boolean value that indicates whether every path meets it: each is under the root.
  var excludesNothing: Bool { if case .isUnder(let text) = comparison { text.value.isEmpty } else { false } }

  /// A Boolean value that indicates whether it says that an item isn't there.
  var isDenial: Bool { if case .isMissing = comparison { true } else { false } }

  /// The criterion that the item isn't there, if this one says that it is, whatever its value. What it says is known to
  /// the index and to the search for contradictions, unlike what another criterion under a `!` says.
  var denial: ValueCriterion? {
    if case .exists = comparison, part.name != nil { ValueCriterion(part, .isMissing) } else { nil }
  }

  /// Returns whether no value meets this criterion, of a part that a request has once, and another one.
  func excludes(_ other: any Criterion) -> Bool {
    if let template = other as? TemplateCriterion {
      guard case .isUnder(let base) = comparison else { return false }
      return !template.canBe(under: base.segments ?? [])
    }
    guard let other = other as? ValueCriterion else { return false }
    if let name = part.name {
      guard part.row.subject == other.part.row.subject, case .isMissing = comparison, let otherName = other.part.name
      else { return false }
      if case .isMissing = other.comparison { return false }
      return if case .header = part { name.isHeaderName(otherName) } else { name.isSame(as: otherName) }
    }
    guard part.bit == other.part.bit else { return false }
    return switch (comparison, other.comparison) {
    case (.equals(let one), .equals(let other)): !one.value.isSame(as: other.value)
    case (.isUnder(let base), .equals(let path)), (.equals(let path), .isUnder(let base)):
      !path.value.isPath(under: base.value)
    case (.isUnder(let one), .isUnder(let other)):
      !one.value.isPath(under: other.value) && !other.value.isPath(under: one.value)
    default: false
    }
  }

  /// What URLSession adds to a request is in no entry of the journal.
  func unknownFact(_ facts: inout RequestFacts) -> UnknownFact? {
    guard case .header(let name) = part, facts.isSentByURLSession, facts.header(name) == nil,
      HTTPMessageHead.fieldsAddedLater(to: facts.request)[name.lowercased()] != nil
    else { return nil }
    let cure =
      Self.curesOfAddedFields[name.lowercased()].map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }
      ?? "Leave it out, or set it in the client"
    return UnknownFact(subject: subject, reason: "URLSession adds it after matching", cure: "\(cure).")
  }

  /// What compares the values of fields that URLSession adds.
  private static let curesOfAddedFields = ["host": "write isHost", "content-length": "read stubHeaders in a closure"]
}

// How it is searched.
extension ValueCriterion {
  // A switch over both, the part and the comparison, would copy them: a third of what it takes to register a stub.

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) {
    switch part {
    case .method: if let wanted { body(RequiredValue(dimension: .method, hash: wanted.methodHash)) }
    case .host: if let wanted { body(RequiredValue(.host, wanted)) }
    case .url: if let wanted { body(RequiredValue(.absoluteURL, wanted)) }
    case .path:
      switch comparison {
      case .equals(let text): body(RequiredValue(.path, text.value))
      case .begins(let text), .isUnder(let text): RequiredValue.pathPrefix(text.value).map(body)
      default: break
      }
    case .queryItem(let name):
      if let wanted { return body(RequiredValue(.queryItem, NamedValue(name: name, value: wanted))) }
      if case .isMissing = comparison { return }
      body(RequiredValue(.queryName, name))
    case .header(let name):
      switch comparison {
      case .equals(let text), .includes(let text):
        // The index knows each member of a list.
        let hash = KeyHash.ofItem(name.headerNameHash, text.value.headerMembers(of: name)[0].keyHash)
        let parts = IndexedParts(headers: HashFilter(hash: name.headerNameHash))
        body(RequiredValue(dimension: .headerItem, hash: hash, anchor: .parts(parts)))
      default: break
      }
    default: break
    }
  }

  func compile(into builder: inout CompiledCondition.Builder) -> Bool {
    // A URL that bytes decide about has no slash in a segment.
    if comparison.text?.hasSlashInSegment == true { return false }
    switch part {
    case .method: return wanted.map { builder.add(method: $0) } ?? false
    case .scheme: return wanted.map { builder.add(.scheme, $0) } ?? false
    case .port: return wanted.flatMap { Int($0) }.map { builder.add(port: $0) } ?? false
    case .host:
      switch comparison {
      case .equals(let text): return builder.add(.host, text.value)
      case .ends(let text): return builder.add(.hostSuffix, text.value)
      default: return false
      }
    case .path:
      switch comparison {
      case .equals(let text): return builder.add(.path, text.value)
      case .begins(let text): return builder.add(.pathPrefix, text.value)
      case .isUnder(let text): return builder.add(.pathUnder, text.value)
      case .ends(let text): return builder.add(.pathSuffix, text.value)
      default: return false
      }
    case .queryItem(let name):
      if let wanted { return builder.add([NamedValue(name: name, value: wanted)]) }
      if case .exists = comparison { return !name.has("=") && builder.add(.queryName, name) }
      return false
    default: return false
    }
  }

  /// The text that the value must equal, or `nil` for another comparison.
  private var wanted: String? { if case .equals(let text) = comparison { text.value } else { nil } }

  var askedParts: Set<AskedPart> {
    switch (part, comparison) {
    case (.method, _): [.method]
    case (.scheme, _): [.scheme]
    case (.url, _): [.scheme, .query, .count(nil)]
    case (.path, .equals(let text)): [.path(text.text)]
    case (.queryItem(let name), .equals(let text)):
      [.queryItem(name), .wanted(NamedValue(name: name, value: text.value))]
    case (.queryItem(let name), _): [.queryItem(name)]
    case (.header(let name), _) where name.isHeaderName("Content-Type"): [.contentType]
    case (.header(let name), _) where name.isHeaderName("Authorization"): [.authorization]
    case (.credentials, _): [.authorization]
    default: []
    }
  }
}

// How it is reported.
extension ValueCriterion {
  var description: String {
    var arguments = part.name.map { [$0.debugDescription] } ?? []
    switch (part, comparison) {
    case (.method, .equals(let text)): arguments.append("\(StubMethod(text.text))")
    case (.port, .equals(let text)), (.credentials, .equals(let text)): arguments.append(text.text)
    case (_, .matches(let pattern)): arguments.append(pattern.source)
    case (_, .contains(let pattern)): arguments.append(pattern.source)
    default: arguments += comparison.text.map { [$0.text.debugDescription] } ?? []
    }
    return "\(function)(\(arguments.listed))"
  }

  /// The name of the function that creates the criterion.
  private var function: String {
    switch comparison {
    case .equals, .includes, .exists: part.row.function
    case .begins: "\(part.row.word)StartsWith"
    case .isUnder: "hasBaseURL"
    case .ends: "\(part.row.word)EndsWith"
    case .matches, .contains: "\(part.row.word)Matches"
    case .isMissing: "!\(part.row.function)"
    }
  }

  var subject: String { part.name.map { "\(part.row.subject) \($0.plain)" } ?? part.row.subject }

  var expectation: String {
    switch comparison {
    case .equals(let text), .includes(let text):
      switch part {
      case .method: text.value.plain
      case .credentials: text.value
      case .queryItem, .header, .cookie, .bearerToken: text.text.debugDescription
      case .scheme, .host, .port, .url, .path, .pathExtension: text.writtenPath.plain
      }
    case .begins(let text): "\(text.text)…".plain
    case .isUnder(let text): "\(text.writtenPath)/…".plain
    case .ends(let text): "…\(text.text)".plain
    case .matches(let pattern): "a match of \(pattern.source)"
    case .contains(let pattern): "a match of \(pattern.source)"
    case .exists: "any value"
    case .isMissing: "none"
    }
  }

  var opposite: String {
    switch comparison {
    case .exists: "none"
    case .isMissing: "any value"
    default: "anything but \(expectation)"
    }
  }

  func actual(_ facts: inout RequestFacts) -> String? {
    switch part {
    case .queryItem(let name), .cookie(let name): return part.items(in: &facts).named(name).valuesText
    case .header(let name): return facts.header(name)?.debugDescription
    case .bearerToken: return facts.bearerToken?.debugDescription ?? facts.header("Authorization")?.debugDescription
    case .credentials: return facts.basicCredentials ?? facts.header("Authorization")?.debugDescription
    case .path where comparison.text?.segments != nil && facts.requestURL.canHaveSlashInSegment,
      .path where comparison.text?.hasSlashInSegment == true:
      return facts.url.map { _ in facts.encodedPath.plain }
    default:
      guard let value = part.value(in: &facts), !value.isEmpty else { return nil }
      return value.plain
    }
  }

  var weight: ClosedRange<Int> { part.row.weight }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    result.add(points(&facts), mismatch(&facts))
  }

  private func mismatch(_ facts: inout RequestFacts) -> RequestMatcher.Mismatch {
    let actual = actual(&facts)
    let isToken = part == .bearerToken || part == .credentials
    let name = isToken ? "Authorization" : part.name
    guard let name else { return mismatch(actual: actual, note: noteOnQuestionMark(&facts)) }
    if case .bearerToken = part, facts.bearerToken == nil, facts.header(name) != nil {
      return mismatch(expected: "Bearer \(comparison.text?.text ?? "…")".debugDescription, actual: actual)
    }
    if actual != nil { return mismatch(actual: actual, note: noteOnValue(of: name, &facts)) }
    // That there are other fields is no hint for whom a token is missing.
    let names = isToken ? nil : Names(part.items(in: &facts).names).note(nearestTo: name)
    guard case .header = part, HTTPMessageHead.fieldsAddedLater(to: facts.request)[name.lowercased()] != nil else {
      return mismatch(actual: nil, note: names)
    }
    if let cure = Self.curesOfAddedFields[name.lowercased()] {
      return mismatch(actual: nil, note: "URLSession adds it after matching: \(cure)")
    }
    let note = [names, "URLSession adds its own after matching"].compactMap { $0 }.joined(separator: "; ")
    return mismatch(actual: nil, note: note)
  }

  /// A hint for a type that URLSession adds, or for a value that is there with parameters, as in
  /// `application/json; charset=utf-8`.
  private func noteOnValue(of name: String, _ facts: inout RequestFacts) -> String? {
    if name.isHeaderName("Content-Type"), facts.isTypeAdded { return "URLSession adds it" }
    guard case (.header, .includes(let text)) = (part, comparison), let value = facts.header(name) else { return nil }
    let types = value.headerMembers(of: name).map { $0.cut(at: ";")?.before.withoutOuterSpace ?? "" }
    guard let place = types.firstIndex(where: { $0.isSame(as: text.value) }) else { return nil }
    let type = text.value.asLiteralPattern
    let pattern = (place == 0 && value.starts(withBytesOf: text.value) ? "^" : "[, \t]") + type
    return "it has parameters: write headerMatches(\(name.debugDescription), \(pattern.debugDescription))"
  }

  /// A hint for a pattern such as `/users?page=[0-9]+` that would match if its `?` stood for itself.
  private func noteOnQuestionMark(_ facts: inout RequestFacts) -> String? {
    guard case (.url, .matches(let pattern)) = (part, comparison), let url = part.value(in: &facts) else { return nil }
    let source = pattern.expression.pattern.replacing(#/([\w\/])\?(?=[\w.-]+=)/#) { "\($0.1)[?]" }
    let literal = try? NSRegularExpression(pattern: source, options: pattern.expression.options)
    let isMatch = literal?.firstMatch(in: url, range: NSRange(url.startIndex..., in: url)) != nil
    return isMatch ? "a literal ? is written [?]" : nil
  }

  /// Returns the points for a text that differs from the wanted one, or the most for anything else.
  private func points(_ facts: inout RequestFacts) -> Int {
    guard let text = comparison.text else { return actual(&facts) == nil ? pointsOfMissing : weight.upperBound }
    if let name = part.name {
      return NamedValue(name: name, value: text.value).distance(from: part.items(in: &facts))
    }
    guard let value = part.value(in: &facts) else { return pointsOfMissing }
    let compared =
      switch comparison {
      case .begins, .isUnder: value.prefix(text.value.count)
      case .ends: value.suffix(text.value.count)
      default: value[...]
      }
    return Points.scaled(weight, TextDifference.share(text.value, compared))
  }

  private var pointsOfMissing: Int { max(weight.upperBound, Points.missingItem) }
}
