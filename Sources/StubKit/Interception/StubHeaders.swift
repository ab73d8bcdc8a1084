import Foundation

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
    guard let url, HTTPMessageHead.isSent(URLText(url.absoluteString)) else { return headers }
    for (name, sent) in Platform.loaderHeaders(of: self) where value(forHTTPHeaderField: name) == nil {
      headers[name] = sent
    }
    return headers
  }
}
