import Foundation

@testable import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request for a table's row.
func request(
  _ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil
) -> URLRequest {
  var request = URLRequest(url: URL(string: url)!)
  request.httpMethod = method
  for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
  request.httpBody = body.map { Data($0.utf8) }
  return request
}

func post(_ body: String, contentType: String? = nil) -> URLRequest {
  request("http://a.com/", method: "POST", headers: contentType.map { ["Content-Type": $0] } ?? [:], body: body)
}

extension RequestMatcher {
  /// What the condition captured from the request; nil if it does not match.
  func captures(_ request: URLRequest) -> [String: String]? {
    var facts = RequestFacts(request)
    var captures = Captures()
    return evaluate(&facts, closures: .run, captures: &captures) == .matches ? captures.dictionary : nil
  }
}
