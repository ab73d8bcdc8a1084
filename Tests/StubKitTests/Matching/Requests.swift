import Foundation

@testable import StubKit

extension RequestMatcher {
  /// What the condition captured from the request; nil if it does not match.
  func captures(_ request: URLRequest) -> [String: String]? {
    var facts = RequestFacts(request)
    facts.captures = Captures()
    return isMet(by: &facts) ? facts.captures?.dictionary : nil
  }

  /// What a report says about the condition, in order. Closures run.
  func mismatches(_ request: URLRequest) -> [RequestMatcher.Mismatch] {
    let registry = StubRegistry()
    stub(condition: self, response: .status(204), in: registry)
    return registry.explain(request).candidates.first?.mismatches ?? []
  }
}
