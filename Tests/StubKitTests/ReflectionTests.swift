import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A test framework that looks into values", .inTurn)
struct ReflectionTests {
  /// As Swift Testing does with all values of an expectation that was not met.
  private func count(_ value: Any, depth: Int = 0) -> Int {
    guard depth < 12 else { return 0 }
    return Mirror(reflecting: value).children.reduce(1) { $0 + count($1.value, depth: depth + 1) }
  }

  @Test("finds a stub's parts, and no registry")
  func oneStub() {
    let stub = stub(condition: isPath("/a"), response: .empty(), name: "a", in: StubRegistry())
    #expect(Mirror(reflecting: stub).children.map(\.label) == ["name", "condition", "location", "callCount"])
  }

  @Test("comes to no harm, whatever it looks into")
  func everything() {
    let registry = StubRegistry()
    for number in 0..<100 { StubKit.stub(condition: isPath("/\(number)"), response: .empty(), in: registry) }
    let error = UnmatchedRequestError(RequestFacts(request("http://a.example/b")), in: registry, scopes: OpenScopes())
    for value in [registry, registry.journal, registry.stubs, error, registry.explain(error.request)] as [Any] {
      #expect(count(value) < 20_000)
    }
    #expect(count(registry) < 50)
  }
}
