import Foundation
import StubKitFormats

final class JSONCriterion: Criterion {
  enum Form: Sendable {
    case whole
    /// The body can have more keys, at every depth.
    case part
    case at(JSONPath)
  }

  let form: Form
  let value: JSONValue

  init(_ form: Form, _ value: JSONValue) { (self.form, self.value) = (form, value) }

  var description: String {
    switch form {
    case .whole: "hasJSONBody(\(value.swiftLiteral))"
    case .part: "hasJSONBody(containing: \(value.swiftLiteral))"
    case .at(let path): "hasJSON(at: \(path.text.debugDescription), equals: \(value.swiftLiteral))"
    }
  }

  var subject: String { if case .at(let path) = form { path.subject } else { "body" } }
  var expectation: String { if case .part = form { "at least \(value)" } else { "\(value)" } }
  var stages: Stages { .body }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    switch form {
    case .whole: facts.json == value
    case .part: facts.json?.contains(value) ?? false
    case .at(let path): facts.json.flatMap(path.value(in:)) == value
    }
  }

  func actual(_ facts: inout RequestFacts) -> String? {
    guard case .at(let path) = form else { return facts.json.map { "\($0)" } ?? facts.bodyData?.excerpt }
    return facts.json.flatMap(path.value(in:)).map { "\($0)" }
  }

  func differences(_ facts: inout RequestFacts) -> [MatchReport.Mismatch] {
    jsonDifferences(&facts) { json in
      switch form {
      case .whole: JSONDifference.all(value, json, exactly: true)
      case .part: JSONDifference.all(value, json, exactly: false)
      case .at(let path):
        path.value(in: json).map { JSONDifference.all(value, $0, exactly: true, at: path.dotted) } ?? []
      }
    }
  }

  func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int {
    switch form {
    case .whole: JSONDifference.distance(facts.json, value, exactly: true)
    case .part: JSONDifference.distance(facts.json, value, exactly: false)
    case .at(let path):
      JSONDifference.distance(facts.json.map { path.value(in: $0) ?? .null }, value, exactly: true)
    }
  }

  func forEachEquality(_ body: (Equality) -> Void) {
    if case .at(let path) = form {
      body(Equality(dimension: .jsonField, hash: value.fieldHash(at: path.keyHash)))
    } else {
      for equality in value.leafEqualities() { body(equality) }
    }
  }
}

extension Criterion {
  /// - Parameter compare: A closure that returns the differences of a JSON body, or none if there is nothing at the
  ///   place.
  package func jsonDifferences(
    _ facts: inout RequestFacts, _ compare: (JSONValue) -> [JSONDifference]
  ) -> [MatchReport.Mismatch] {
    guard let data = facts.bodyData else { return [whole(actual: nil)] }
    guard let json = facts.json else {
      var problem: JSONSyntaxError?
      do { _ = try JSONValue(parsing: data) } catch { problem = error as? JSONSyntaxError }
      let note = problem.map { "not JSON: \($0.problem) (line \($0.line), column \($0.column))" }
      return [.init("body", expected: expectation, actual: data.excerpt, note: note)]
    }
    let differences = compare(json)
    return differences.isEmpty ? [whole(actual: nil)] : differences.map { $0.mismatch(in: "body") }
  }
}

extension JSONDifference {
  /// Returns the distance by the share of the JSON's leaves that differ.
  package static func distance(
    _ actual: JSONValue?, _ wanted: JSONValue, exactly: Bool, isMet: JSONValue.Comparison = { _, _ in nil }
  ) -> Int {
    guard let actual else { return Points.otherBody }
    let differences = count(wanted, actual, exactly: exactly, isMet: isMet)
    return Points.scaled(Points.body, min(100, 100 * differences / max(1, wanted.leafCount)))
  }
}

extension JSONPath {
  package var subject: String { text.isEmpty ? "body" : "body at \(text)" }
}

extension JSONPath {
  /// The path with dots and brackets, even if it was written as a pointer.
  package var dotted: String {
    guard text.starts(withBytesOf: "/") else { return text }
    return steps.reduce("") { path, step in
      switch step {
      case .key(let key):
        !key.isEmpty && key.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? "\(path)[\(key)]" : path.appending(key: key)
      case .index(let index): "\(path)[\(index)]"
      }
    }
  }
}
