import Foundation
import StubKit
import StubKitArchive

/// A recorded JSON value with redacted parts, or without ignored ones.
final class RecordedJSONCriterion: Criterion {
  /// Where the value is in the body. Empty for the whole body.
  let path: JSONPath
  let value: StubJSON
  private let ignored: IgnoredParts
  private let placeholders: Placeholders

  init(path: JSONPath, value: StubJSON, _ ignored: IgnoredParts, _ placeholders: Placeholders) {
    self.path = path
    self.value = value
    self.ignored = ignored
    self.placeholders = placeholders
  }

  var description: String {
    let call = path.text.isEmpty ? "hasJSONBody(" : "hasJSON(at: \(path.text.debugDescription), equals: "
    return "\(call)\(value.swiftLiteral))"
  }
  var subject: String { path.subject }
  var expectation: String { "\(value)" }
  var stages: Stages { .body }

  func test(_ facts: inout RequestFacts) -> Bool {
    let compared = facts.json.flatMap { path.value(in: ignored.reduced($0)) }
    return compared?.meets(value, exactly: true, isMet: placeholders.isMet) ?? false
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.json.flatMap { path.value(in: $0) }.map { "\($0)" } }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    compareJSON(
      &facts, &result, json: value, at: path, exactly: true, isMet: placeholders.isMet, reducing: ignored.reduced)
  }

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) {
    // Where something is ignored, a request can have more than an empty object, and other elements than null.
    func isExact(_ leaf: StubJSON) -> Bool {
      !placeholders.occur(in: leaf) && (!ignored.hasJSON || !leaf.isContainer && leaf != .null)
    }
    value.forEachRequiredLeaf(at: path, where: isExact, body)
  }
}

extension RequestMatcher {
  /// - Parameter path: Where the value is in the body, or empty for the whole body.
  static func recordedJSON(
    at path: String, _ value: StubJSON, _ ignored: IgnoredParts, _ placeholders: Placeholders
  ) -> RequestMatcher {
    var count = 0
    _ = value.marked(placeholders, &count)
    if count > 0 || ignored.hasJSON, let path = try? JSONPath(parsing: path) {
      return RequestMatcher(RecordedJSONCriterion(path: path, value: value, ignored, placeholders))
    }
    return path.isEmpty ? hasJSONBody(value) : hasJSON(at: path, equals: value)
  }
}

extension Placeholders {
  /// Whether some or all of a string was redacted, or whether a number was.
  fileprivate func occur(in value: StubJSON) -> Bool {
    switch value {
    case .string(let text): occur(in: text)
    case .number(let number): isWhole("\(number)")
    default: false
    }
  }

  /// Returns whether a recorded value that was redacted is met by another one, or `nil` for a value that wasn't
  /// redacted.
  fileprivate func isMet(_ recorded: StubJSON, by actual: StubJSON) -> Bool? {
    guard occur(in: recorded) else { return nil }
    guard case (.string(let recorded), .string(let actual)) = (recorded, actual) else {
      return if case (.number, .number) = (recorded, actual) { true } else { false }
    }
    return RecordedText(redacted: Data(recorded.utf8), self).isMet(by: Data(actual.utf8))
  }
}

extension StubJSON {
  /// Returns the value with a mark in the place of each placeholder, and counts the values with one.
  func marked(_ placeholders: Placeholders, _ count: inout Int) -> StubJSON {
    switch self {
    case .string(let text): return .string(Placeholders.marked(placeholders.pieces(of: text), &count))
    case .number(let number):
      guard placeholders.isWhole("\(number)") else { return self }
      count += 1
      return PlaceholderMark.number
    case .array(let elements): return .array(elements.map { $0.marked(placeholders, &count) })
    case .object(let members): return .object(members.mapValues { $0.marked(placeholders, &count) })
    case .null, .bool: return self
    }
  }
}
