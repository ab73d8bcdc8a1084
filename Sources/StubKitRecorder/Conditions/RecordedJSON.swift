import Foundation
import StubKit
import StubKitArchive

/// A recorded JSON value with redacted parts, or without ignored ones.
final class RecordedJSONCriterion: Criterion {
  /// Where the value is in the body. Empty for the whole body.
  let path: JSONPath
  let value: JSONValue
  private let ignored: IgnoredParts

  init(path: JSONPath, value: JSONValue, _ ignored: IgnoredParts) {
    (self.path, self.value, self.ignored) = (path, value, ignored)
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
    let compared = facts.json.flatMap { path.value(in: ignored.reduced($0)) }
    return compared?.meets(value, exactly: true, isMet: JSONValue.isRedacted) ?? false
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.json.flatMap(path.value(in:)).map { "\($0)" } }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    compareJSON(
      &facts, &result, json: value, at: path, exactly: true, isMet: JSONValue.isRedacted, reducing: ignored.reduced)
  }

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) {
    // Where something is ignored, a request can have more than an empty object, and other elements than null.
    func isExact(_ leaf: JSONValue) -> Bool {
      !leaf.isRedacted && (!ignored.hasJSON || !leaf.isContainer && leaf != .null)
    }
    for leaf in value.requiredLeaves(at: path.keyHash, where: isExact) { body(leaf) }
  }
}

extension RequestMatcher {
  /// - Parameter path: Where the value is in the body, or empty for the whole body.
  static func recordedJSON(at path: String, _ value: JSONValue, _ ignored: IgnoredParts) -> RequestMatcher {
    if value.redactedCount > 0 || ignored.hasJSON, let path = try? JSONPath(parsing: path) {
      return RequestMatcher(RecordedJSONCriterion(path: path, value: value, ignored))
    }
    return path.isEmpty ? hasJSONBody(value) : hasJSON(at: path, equals: value)
  }
}

extension JSONValue {
  /// Whether some or all of a string was redacted, or whether a number was.
  var isRedacted: Bool {
    switch self {
    case .string(let text): text.isRedacted
    case .number(let number): Redacted.isWhole("\(number)")
    default: false
    }
  }

  /// Returns whether a recorded value that was redacted is met by another one, or `nil` for a value that wasn't redacted.
  static func isRedacted(_ recorded: JSONValue, meeting actual: JSONValue) -> Bool? {
    guard recorded.isRedacted else { return nil }
    return switch (recorded, actual) {
    case (.string(let recorded), .string(let actual)): recorded.isMetAsRedacted(by: actual)
    case (.number, .number): true
    default: false
    }
  }

  /// The number of redacted values in this value.
  var redactedCount: Int { inner.reduce(isRedacted ? 1 : 0) { $0 + $1.redactedCount } }

  /// The value, with the same placeholder for every secret of a kind.
  var withoutSecrets: JSONValue {
    switch self {
    case .string(let text): .string(text.withoutSecrets)
    case .number: isRedacted ? .number(JSONNumber(Redacted.anyNumber)) : self
    case .array(let elements): .array(elements.map(\.withoutSecrets))
    case .object(let members): .object(members.mapValues(\.withoutSecrets))
    case .null, .bool: self
    }
  }
}

extension String {
  /// The text with the mark in place of each placeholder.
  var withoutSecrets: String { betweenPlaceholders.joined(separator: Redacted.mark) }

  /// Returns whether this text, which has placeholders, is met by another one that has any text in their places, but not
  /// none.
  func isMetAsRedacted(by other: String) -> Bool {
    RecordedText(redacted: Data(utf8)).isMet(by: Data(other.utf8))
  }
}
