import StubKit
import StubKitFormats

/// A recorded JSON value with redacted parts.
final class RecordedJSONCriterion: Criterion {
  /// Where the value is in the body. Empty for the whole body.
  let path: JSONPath
  let value: JSONValue

  init(path: JSONPath, value: JSONValue) {
    self.path = path
    self.value = value
  }

  var description: String {
    path.text.isEmpty
      ? "hasJSONBody(\(value.swiftLiteral))"
      : "hasJSON(at: \(path.text.debugDescription), equals: \(value.swiftLiteral))"
  }
  var subject: String { path.subject }
  var expectation: String { "\(value)" }
  var traits: MatcherTraits { .body }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.json.flatMap(path.value(in:))?.meets(value, exactly: true, isMet: JSONValue.isRedacted) ?? false
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.json.flatMap(path.value(in:)).map { "\($0)" } }

  func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    compare(&facts, &result, json: value, at: path, exactly: true, isMet: JSONValue.isRedacted)
  }

  func forEachEquality(_ body: (Equality) -> Void) {
    for equality in value.leafEqualities(at: path.keyHash, where: { !$0.isRedacted }) { body(equality) }
  }
}
