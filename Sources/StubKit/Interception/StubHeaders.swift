import Foundation
import StubKitFormats

extension URLRequest {
  /// The headers of the request as a server receives them.
  ///
  /// They include the headers of the request and of its session, and those that `URLSession` adds when it sends the
  /// request: `Host`, `Content-Length`, `Accept`, `Accept-Encoding`, `Accept-Language`, `Connection`, `User-Agent`,
  /// and on Linux `Authorization` for a URL with a user in it. An endpoint that returns its headers needs one line:
  ///
  /// ```swift
  /// stub(condition: isPath("/headers")) { request in
  ///   .json(["headers": request.stubHeaders])
  /// }
  /// ```
  ///
  /// Matchers and `allHTTPHeaderFields` don't contain what `URLSession` adds, except for `Authorization`. The names
  /// are spelled as the request or `URLSession` spells them. A request whose URL is neither `http` nor `https` has
  /// only its own headers.
  ///
  /// Three details differ from what a server receives:
  ///
  /// - A body that StubKit has read from a stream has a `Content-Length`. `URLSession` sends it with
  ///   `Transfer-Encoding: chunked`.
  /// - A POST request with a body and without a `Content-Type` has `application/x-www-form-urlencoded`. `URLSession`
  ///   sends that for data tasks, but not for upload tasks with data or a file.
  /// - On Apple platforms, there is no `User-Agent`.
  public var stubHeaders: [String: String] {
    var headers = allHTTPHeaderFields ?? [:]
    guard let url, HTTPMessageHead.isSent(url) else { return headers }
    for (name, sent) in Platform.loaderHeaders(of: self) where value(forHTTPHeaderField: name) == nil {
      headers[name] = sent
    }
    return headers
  }
}

/// The headers that HTTP/1.1 itself needs, which are the same on every platform (RFC 9112).
enum HTTPMessageHead {
  /// Returns whether a request for the URL is sent by HTTP at all.
  static func isSent(_ url: URL) -> Bool { ["http", "https"].contains(url.scheme?.lowercased()) }

  static func headers(of request: URLRequest) -> [String: String] {
    var headers: [String: String] = [:]
    if let url = request.url { headers["Host"] = host(of: url) }
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

  /// Returns the host and the port, without the scheme's default port (RFC 9110, section 7.2).
  private static func host(of url: URL) -> String? {
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
