import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A JSON value with values in it, level upon level", .inTurn)
struct DeepJSONTests {
  static func nested(_ depth: Int, inObjects: Bool = false, around leaf: JSONValue = 1) -> JSONValue {
    (0..<depth).reduce(leaf) { inner, level in inObjects && level.isMultiple(of: 2) ? ["k": inner] : [inner] }
  }

  @Test("is parsed, matched, printed and reported at its deepest on a small stack")
  func deepest() {
    let problems = onSmallStack { () -> [String] in
      var problems: [String] = []
      func check(_ holds: Bool, _ problem: String) { if !holds { problems.append(problem) } }
      do {
        let value = Self.nested(JSONValue.deepest, inObjects: true)
        let parsed = try JSONValue(parsing: value.data)
        check(parsed == value && parsed.hashValue == value.hashValue, "parsed")
        check(value.contains(value) && value.leafCount == 1, "contained")
        let registry = StubRegistry()
        let found = stub(condition: hasJSONBody(value), response: .json(value), in: registry)
        check(registry.stub(matching: post(value.description)) === found, "matched")
        let other = post(Self.nested(JSONValue.deepest, inObjects: true, around: 2).description)
        check(!registry.explain(other).description.isEmpty, "explained")
        let near = UnmatchedRequestError(RequestFacts(other), in: registry).description
        check(near.contains("expected 1, got 2"), near)
        check(hasJSONBody(containing: value).description.count > 2 * JSONValue.deepest, "literal")
      } catch {
        problems.append("\(error)")
      }
      return problems
    }
    #expect(problems == [])
  }

  /// Swift destroys nested values by recursion, which nobody can change: these live and die on a large stack.
  @Test("is compared, hashed and printed on a small stack even if it was built by hand and is far deeper")
  func farDeeper() {
    let depth = isSanitized ? 10_000 : 100_000
    let problems = onStack(ofBytes: 1 << 28) { () -> [String] in
      let (value, same) = (Self.nested(depth, inObjects: true), Self.nested(depth, inObjects: true))
      let other = Self.nested(depth, inObjects: true, around: 2)
      return onSmallStack {
        var problems: [String] = []
        func check(_ holds: Bool, _ problem: String) { if !holds { problems.append(problem) } }
        check(value == same && value != other, "==")
        check(value.hashValue == same.hashValue, "hash")
        check(value.contains(same) && !value.contains(other), "contains")
        check(value.description.utf8.count == depth * 4 + 1, "description")
        check(value.swiftLiteral.utf8.count == depth / 2 * 9 + 1, "literal")
        check(value.isTooDeep && value.leafCount == 1, "depth")
        check(JSONDifference.count(value, other, exactly: true) == 1, "difference")
        var fields = 0
        value.forEachField { _, _, _ in fields += 1 }
        check(fields == depth + 1, "fields")
        check((try? JSONEncoder().encode(value)) == nil, "encoded")
        return problems
      }
    }
    #expect(problems == [])
  }

  /// Foundation's coders need more of a stack, and stop a little earlier.
  @Test("is encoded and decoded")
  func coding() throws {
    let value = Self.nested(500, inObjects: true)
    #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)) == value)
  }

  @Test("is not encoded where no parser would read it, and says why")
  func encoding() throws {
    let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(["a": Self.nested(513)]) }
    guard case .invalidValue(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["a"])
    #expect(context.debugDescription.contains("nested more than 512 levels deep"))
  }

  @Test("is a mistake in a condition that could match nothing")
  func tooDeep() {
    let value = Self.nested(513)
    for condition in [hasJSONBody(value), hasJSONBody(containing: value), hasJSON(at: "a", equals: value)] {
      #expect(condition.mistake?.contains("more than 512 levels deep") == true)
    }
  }
}
