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
  var traits: MatcherTraits { .body }

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

  func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    switch form {
    case .whole: compare(&facts, &result, json: value, exactly: true)
    case .part: compare(&facts, &result, json: value, exactly: false)
    case .at(let path): compare(&facts, &result, json: value, at: path, exactly: true)
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
  /// Compares the JSON of the body, place by place. The points are for the share of the wanted leaves that differ.
  ///
  /// - Parameters:
  ///   - path: Where the wanted value is in the body. Defaults to the whole body.
  ///   - exactly: Whether an unexpected key differs.
  ///   - isMet: Returns whether an expected value is met by another one, or `nil` to compare the two.
  package func compare(
    _ facts: inout RequestFacts, _ result: inout ScoredMismatches, json wanted: JSONValue, at path: JSONPath? = nil,
    exactly: Bool, isMet: JSONValue.Comparison = { _, _ in nil }
  ) {
    guard let json = facts.json else {
      guard let data = facts.bodyData else { return result.add(Points.otherBody, mismatch(actual: nil)) }
      var note: String? {
        do { _ = try JSONValue(parsing: data) } catch let problem as JSONSyntaxError {
          return "not JSON: \(problem.problem) (line \(problem.line), column \(problem.column))"
        } catch {}
        return nil
      }
      return result.add(
        Points.otherBody, .init("body", expected: expectation, actual: data.excerpt, note: note))
    }
    guard let actual = path.map({ $0.value(in: json) }) ?? json else {
      return result.add(Points.body.upperBound, mismatch(actual: nil))
    }
    let isDetailed = result.isDetailed
    let (count, differences) = JSONDifference.all(
      wanted, actual, exactly: exactly, at: isDetailed ? path?.dotted ?? "" : nil, isMet: isMet)
    var parts = ScoredMismatches(isDetailed: isDetailed)
    for difference in differences { parts.add(0, difference.mismatch(in: "body")) }
    let points = Points.scaled(Points.body, min(100, 100 * count / max(1, wanted.leafCount)))
    result.add(parts, within: points...points)
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
