import Foundation
import StubKitFormats

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
    guard let host = authority(of: url)?.host else { return nil }
    for suffix in [url.scheme?.lowercased() == "https" ? ":443" : ":80", ":"] where host.hasSuffix(suffix) {
      return String(host.dropLast(suffix.count))
    }
    return String(host)
  }

  /// Returns the percent-encoded user information of a URL, and the host with its port.
  static func authority(of url: URL) -> (user: Substring?, host: Substring)? {
    let text = url.absoluteString
    // A scheme has no slash (RFC 3986, section 3.1), so the first one begins the authority.
    guard url.host != nil, let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    var rest = text[slash...].dropFirst(2)
    let authority = rest.take(upTo: "/", "?", "#")
    guard let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return (nil, authority) }
    return (authority[..<at], authority[authority.utf8.index(after: at)...])
  }
}
