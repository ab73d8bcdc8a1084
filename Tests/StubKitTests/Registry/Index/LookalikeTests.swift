import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A condition on a query", .inTurn)
struct LookalikeTests {
  @Test(
    "takes no name and no value for what looks like it, with an index whose keys all collide, too",
    arguments: [
      (containsQuery(["a=1": nil]), "a=1", false), (containsQuery(["a=1": nil]), "a%3D1", true),
      (containsQuery(["a=1": "2"]), "a=1=2", false), (containsQuery(["a": "1=2"]), "a=1=2", true),
      (containsQuery(["a": "1=2"]), "a=1%3D2", true), (containsQuery(["a": nil]), "a=", false),
      (containsQuery(["a": ""]), "a", false),
      (hasExactQuery(["a=1": nil]), "a=1", false), (containsQuery(["a&b": "1"]), "a&b=1", false),
      (containsQuery(["a&b": "1"]), "a%26b=1", true),
    ])
  func lookalikes(condition: RequestMatcher, query: String, matches: Bool) {
    let request = URLRequest(url: URL(string: "http://a.com/?\(query)")!)
    #expect(condition.matches(request) == matches)
    for keyMask in [.max, 0] as [UInt64] {
      let registry = StubRegistry(isEnabled: true, indexLimits: StubIndex.Limits(keyMask: keyMask))
      let only = stub(condition: condition, response: .empty(), in: registry)
      #expect((registry.stub(matching: request) === only) == matches)
    }
  }
}
