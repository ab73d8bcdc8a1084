import Foundation
import StubKit

/// A request for a table's row.
package func request(
  _ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil, streamed: String? = nil,
  timeout: TimeInterval? = nil
) -> URLRequest {
  var request = request(
    TestSupport.url(url), method: method, headers: headers, body: body.map { Data($0.utf8) }, timeout: timeout)
  if let streamed { request.httpBodyStream = InputStream(data: Data(streamed.utf8)) }
  return request
}

package func request(
  _ url: URL, method: String = "GET", headers: [String: String] = [:], body: Data? = nil, timeout: TimeInterval? = nil
) -> URLRequest {
  var request = URLRequest(url: url)
  request.httpMethod = method
  for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
  request.httpBody = body
  if let timeout { request.timeoutInterval = timeout }
  return request
}

extension URLCache {
  /// Stores a text as the response to a request.
  package func keep(_ text: String, for request: URLRequest, status: Int = 200, fields: [String: String] = [:]) {
    let head = HTTPURLResponse(to: request, status: status, fields: fields)
    storeCachedResponse(CachedURLResponse(response: head, data: Data(text.utf8)), for: request)
  }
}

extension HTTPURLResponse {
  /// The head of the response to a request.
  package convenience init(to request: URLRequest, status: Int = 200, fields: [String: String] = [:]) {
    self.init(url: request.url!, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)!
  }
}

package func post(_ body: String, contentType: String? = nil) -> URLRequest {
  request("http://a.com/", method: "POST", headers: contentType.map { ["Content-Type": $0] } ?? [:], body: body)
}

extension RequestMatcher {
  /// A closure that counts how often it is asked.
  package static func counting(_ calls: Locked<Int>, answer: Bool) -> RequestMatcher {
    RequestMatcher("counts") { _ in
      calls.withLock { $0 += 1 }
      return answer
    }
  }
}

extension AsyncStream<Data> {
  /// Texts as the chunks of a body.
  package init(texts: String...) {
    self.init { continuation in
      for text in texts { continuation.yield(Data(text.utf8)) }
      continuation.finish()
    }
  }
}

extension Collection<UInt8> {
  /// The bytes as UTF-8.
  package var text: String { String(decoding: self, as: UTF8.self) }
}
