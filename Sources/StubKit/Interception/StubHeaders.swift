import Foundation

extension URLRequest {
  /// The headers of the request as a server receives them.
  ///
  /// They include the headers of the request and of its session, `Host`, `Content-Length`, and on Linux `Authorization`
  /// for a URL with a user in it. An endpoint that returns its headers needs one line:
  ///
  /// ```swift
  /// stub(condition: isPath("/headers")) { request in
  ///   .json(["headers": request.stubHeaders])
  /// }
  /// ```
  ///
  /// Matchers and `allHTTPHeaderFields` don't contain what `URLSession` adds, except for `Authorization`. What describes
  /// the client and its connection, such as `User-Agent`, `Accept`, `Connection` and `Transfer-Encoding`, is listed only
  /// if the request or its session has it. A body that StubKit has read from a stream has a `Content-Length`. A request
  /// whose URL is neither `http` nor `https` has only its own headers.
  public var stubHeaders: [String: String] {
    var headers = allHTTPHeaderFields ?? [:]
    guard let url, HTTPMessageHead.isSent(url) else { return headers }
    func add(_ name: String, _ value: String?) {
      if let value, self.value(forHTTPHeaderField: name) == nil { headers[name] = value }
    }
    add("Host", HTTPMessageHead.host(of: url))
    add("Authorization", Platform.authorization(of: self))
    let length = httpBody?.count ?? 0
    let hasLength = length > 0 || httpBodyStream == nil && !["GET", "HEAD"].contains(httpMethod ?? "GET")
    add("Content-Length", hasLength ? "\(length)" : nil)
    return headers
  }
}

/// What HTTP/1.1 takes from a URL, which is the same on every platform (RFC 9112).
enum HTTPMessageHead {
  /// Returns whether a request for the URL is sent by HTTP at all.
  static func isSent(_ url: URL) -> Bool { ["http", "https"].contains(url.scheme?.lowercased()) }

  /// Returns the host and the port, without the scheme's default port (RFC 9110, section 7.2).
  static func host(of url: URL) -> String? {
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    guard let host = parts?.percentEncodedHost else { return nil }
    let port = parts?.port ?? 0
    return [0, url.scheme?.lowercased() == "https" ? 443 : 80].contains(port) ? host : "\(host):\(port)"
  }
}
