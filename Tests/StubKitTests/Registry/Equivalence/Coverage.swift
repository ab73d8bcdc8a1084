import Foundation

@testable import StubKit
@testable import StubKitRecorder

/// How often each kind of criterion decided that a condition matched, and that it did not: had it said otherwise, so
/// had the condition.
struct Coverage {
  private(set) var matches: [String: Int] = [:]
  private(set) var mismatches: [String: Int] = [:]
  /// Conditions that said something else than the two-valued logic of their criteria.
  private(set) var contradictions: [String] = []

  static let kinds = [
    "method", "isScheme", "isHost", "hostEndsWith", "isPort", "isAbsoluteURLString", "isURL", "isUnder", "urlMatches",
    "isPath", "pathStartsWith", "pathEndsWith", "isExtension", "pathMatches", "queryItem exists",
    "queryItem equals", "queryItem matches", "queryItem isMissing", "query some", "query all", "header exists",
    "header includes", "header matches", "header isMissing", "cookie exists", "cookie equals", "hasBasicAuth",
    "hasBody",
    "bodyContains", "json whole", "json part",
    "json at", "form all", "form counted", "hasMultipartPart", "isGraphQL", "recorded query", "recorded form",
    "recorded JSON", "recorded text", "scenario", "closure",
  ]

  mutating func count(_ condition: RequestMatcher, _ request: URLRequest) {
    let leaves = condition.node.leaves
    let verdicts = leaves.map { RequestMatcher($0).matches(request) }
    let verdict = condition.node.verdict(verdicts)
    if verdict != condition.matches(request) { contradictions.append("\(condition)") }
    for (position, leaf) in leaves.enumerated() {
      var otherwise = verdicts
      otherwise[position].toggle()
      guard condition.node.verdict(otherwise) != verdict else { continue }
      if verdict {
        matches[leaf.kind, default: 0] += 1
      } else {
        mismatches[leaf.kind, default: 0] += 1
      }
    }
  }

  var table: String {
    Self.kinds.map { "\($0) \(matches[$0] ?? 0)/\(mismatches[$0] ?? 0)" }.joined(separator: ", ")
  }
}

extension RequestMatcher.Node {
  fileprivate var leaves: [Self] {
    switch self {
    case .all(let children, _), .either(let children, _): children.flatMap(\.leaves)
    case .not(let child): child.leaves
    case .criterion, .closure: [self]
    }
  }

  /// The criterion without its values.
  fileprivate var kind: String {
    guard case .criterion(let criterion) = self else { return "closure" }
    return switch criterion {
    case let value as ValueCriterion where value.subject == "method": "method"
    case let value as ValueCriterion where value.part.name != nil:
      "\("\(value.part)".prefix { $0 != "(" }) \("\(value.comparison)".prefix { $0 != "(" })"
    case let items as ItemsCriterion: "\(items.source) \(items.comparison)"
    case let json as JSONCriterion: "json \("\(json.form)".prefix { $0 != "(" })"
    case is ScenarioDemand: "scenario"
    case is RecordedItemsCriterion: "recorded \(criterion.subject)"
    case is RecordedJSONCriterion: "recorded JSON"
    case is RecordedTextCriterion: "recorded text"
    default: String(criterion.description.prefix { $0 != "(" })
    }
  }

  fileprivate func verdict(_ leaves: [Bool]) -> Bool {
    var rest = leaves[...]
    return verdict(taking: &rest)
  }

  private func verdict(taking leaves: inout ArraySlice<Bool>) -> Bool {
    switch self {
    case .all(let children, _): children.map { $0.verdict(taking: &leaves) }.allSatisfy(\.self)
    case .either(let children, _): children.map { $0.verdict(taking: &leaves) }.contains(true)
    case .not(let child): !child.verdict(taking: &leaves)
    case .criterion, .closure: leaves.removeFirst()
    }
  }
}
