import Foundation

/// The headers that HTTP/1.1 itself needs, which are the same on every platform (RFC 9112).
enum HTTPMessageHead {
  /// Returns whether a request for the URL is sent by HTTP at all.
  static func isSent(_ url: URLText) -> Bool {
    guard let scheme = scheme(of: url) else { return false }
    return scheme == "http" || scheme == "https"
  }

  static func headers(of request: URLRequest) -> [String: String] {
    var headers: [String: String] = [:]
    if let url = request.url { headers["Host"] = host(of: URLText(url.absoluteString)) }
    let method = request.httpMethod ?? "GET"
    let isOfStream = request.httpBody == nil && request.httpBodyStream != nil
    let length = request.httpBody?.count ?? 0
    if isOfStream {
      if request.value(forHTTPHeaderField: "Content-Length") == nil { headers["Transfer-Encoding"] = "chunked" }
    } else if length > 0 || method != "GET" && method != "HEAD" {
      headers["Content-Length"] = "\(length)"
    }
    if method == "POST", isOfStream || length > 0 { headers["Content-Type"] = "application/x-www-form-urlencoded" }
    return headers
  }

  private static func scheme(of url: URLText) -> String? { url.layout.scheme.map { url.text($0).lowercased() } }

  /// Returns the host and the port, without the scheme's default port (RFC 9110, section 7.2).
  private static func host(of url: URLText) -> String? {
    guard let start = url.layout.host?.lowerBound else { return nil }
    let host = url.text(start..<url.layout.path.lowerBound)
    for suffix in [scheme(of: url) == "https" ? ":443" : ":80", ":"] where host.hasSuffix(suffix) {
      return String(host.dropLast(suffix.count))
    }
    return host
  }
}
