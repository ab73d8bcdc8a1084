import Foundation

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
  static let curesOfAddedFields = ["host": "write isHost", "content-length": "read stubHeaders in a closure"]
}

/// How it is searched.
extension ValueCriterion {
  // A switch over both, the part and the comparison, would copy them: a third of what it takes to register a stub.

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) {
    switch part {
    case .method: if let wanted { body(.method(wanted)) }
    case .host: if let wanted { body(.host(wanted)) }
    case .url: if let wanted { body(.url(wanted)) }
    case .path:
      switch comparison {
      case .equals(let text): body(.path(text.value))
      case .begins(let text): RequiredValue.forEachSegment(ofPrefix: text.value, isWhole: false, body)
      case .isUnder(let text): RequiredValue.forEachSegment(ofPrefix: text.value, isWhole: true, body)
      default: break
      }
    case .queryItem(let name):
      if let wanted { return body(.queryItem(NamedValue(name: name, value: wanted))) }
      if case .isMissing = comparison { return }
      body(.queryName(name))
    case .header(let name):
      switch comparison {
      case .equals(let text), .includes(let text):
        // The index knows each member of a list.
        body(.header(name: name.lowercased(), member: String(text.value.headerMembers(of: name)[0])))
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
}
