import Foundation

/// What HTTP/1.1 takes from a URL, which is the same on every platform (RFC 9112).
enum HTTPMessageHead {
  /// Returns the fields that URLSession on Linux adds to a request after it was matched, by their names in lower case:
  /// each with its value, or `nil` if that depends on the connection.
  static func fieldsAddedLater(to request: URLRequest) -> [String: String?] {
    guard let url = request.url, url.isSentByHTTP else { return [:] }
    let length = request.httpBody?.count ?? 0
    let isUnsaid =
      // A message has one of the two fields (RFC 9112, section 6.2).
      request.value(forHTTPHeaderField: "Transfer-Encoding") != nil
      || length == 0 && (request.httpBodyStream != nil || ["GET", "HEAD"].contains(request.httpMethod ?? "GET"))
    return [
      "host": host(of: url), "content-length": isUnsaid ? nil : "\(length)", "user-agent": nil, "accept": nil,
      "accept-encoding": nil, "accept-language": nil, "connection": nil, "transfer-encoding": nil,
    ]
  }

  /// Returns the host and the port, without the scheme's default port (RFC 9110, section 7.2).
  static func host(of url: URL) -> String? {
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    guard let host = parts?.percentEncodedHost else { return nil }
    let usual = url.scheme?.lowercased() == "https" ? 443 : 80
    guard let port = parts?.port, port != usual, port != 0 else { return host }
    return "\(host):\(port)"
  }
}
