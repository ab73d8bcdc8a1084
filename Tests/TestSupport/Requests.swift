import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request for a table's row.
package func request(
  _ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil
) -> URLRequest {
  var request = URLRequest(url: URL(string: url)!)
  request.httpMethod = method
  for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
  request.httpBody = body.map { Data($0.utf8) }
  return request
}

package func post(_ body: String, contentType: String? = nil) -> URLRequest {
  request("http://a.com/", method: "POST", headers: contentType.map { ["Content-Type": $0] } ?? [:], body: body)
}
