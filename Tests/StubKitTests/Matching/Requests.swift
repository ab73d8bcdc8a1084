import Foundation

@testable import StubKit

extension RequestMatcher {
  /// What the condition captured from the request; nil if it does not match.
  func captures(_ request: URLRequest) -> [String: String]? {
    var facts = RequestFacts(request)
    var captures = Captures()
    return evaluate(&facts, closures: .run, captures: &captures) == .matches ? captures.dictionary : nil
  }
}
