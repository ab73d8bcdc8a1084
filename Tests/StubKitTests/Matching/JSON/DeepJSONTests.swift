import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A deep JSON value", .inTurn)
struct DeepJSONTests {
  static func nested(_ depth: Int, inObjects: Bool = false, around leaf: JSONValue = 1) -> JSONValue {
    (0..<depth).reduce(leaf) { inObjects && $1.isMultiple(of: 2) ? .object(["k": $0]) : .array([$0]) }
  }

  @Test("needs no more than a small stack at its deepest")
  func deepest() {
    let problems = onSmallStack { () -> [String] in
      var problems: [String] = []
      func check(_ holds: Bool, _ problem: String) { if !holds { problems.append(problem) } }
      do {
        let value = Self.nested(128, inObjects: true)
        let parsed = try JSONValue(parsing: value.data)
        check(parsed == value && parsed.hashValue == value.hashValue, "parsed")
        check(hasJSONBody(containing: value).matches(post(value.description)), "contained")
        let registry = StubRegistry()
        let found = stub(condition: hasJSONBody(value), response: .json(value), in: registry)
        check(registry.stub(matching: post(value.description)) === found, "matched")
        let other = post(Self.nested(128, inObjects: true, around: 2).description)
        check(!registry.explain(other).description.isEmpty, "explained")
        let near = UnmatchedRequestError(RequestFacts(other), in: registry).description
        check(near.contains("expected 1, got 2"), near)
        check(hasJSONBody(containing: value).description.count > 2 * 128, "literal")
      } catch {
        problems.append("\(error)")
      }
      return problems
    }
    #expect(problems == [])
  }

  @Test("is encoded and decoded at its deepest")
  func coding() throws {
    let value = Self.nested(128, inObjects: true)
    #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
  }

  @Test("is refused where it is deeper")
  func parsing() throws {
    let text = String(repeating: "[", count: 1_000_000)
    let error = #expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) }
    #expect(error?.problem == "arrays and objects are nested more than 128 levels deep" && error?.column == 129)
  }
}
