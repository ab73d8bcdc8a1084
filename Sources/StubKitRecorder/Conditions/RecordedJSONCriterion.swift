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
  var stages: Stages { .body }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.json.flatMap(path.value(in:))?.meets(value, exactly: true, isMet: JSONValue.isRedacted) ?? false
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.json.flatMap(path.value(in:)).map { "\($0)" } }

  func differences(_ facts: inout RequestFacts) -> [MatchReport.Mismatch] {
    jsonDifferences(&facts) { json in
      path.value(in: json).map {
        JSONDifference.all(value, $0, exactly: true, at: path.dotted, isMet: JSONValue.isRedacted)
      } ?? []
    }
  }

  func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int {
    JSONDifference.distance(
      facts.json.map { path.value(in: $0) ?? .null }, value, exactly: true, isMet: JSONValue.isRedacted)
  }

  func forEachEquality(_ body: (Equality) -> Void) {
    for equality in value.leafEqualities(at: path.keyHash, where: { !$0.isRedacted }) { body(equality) }
  }
}
