import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLRequest {
  /// The request's headers as a server would get them.
  ///
  /// Beside the request's own headers and those of its session, they include what `URLSession` adds when it sends the request:
  /// `Host`, `Content-Length`, `Accept`, `Accept-Encoding`, `Accept-Language`, `Connection`, `User-Agent`, and on Linux
  /// `Authorization` for a URL with a user in it. An endpoint that echoes its headers needs one line:
  ///
  /// ```swift
  /// stub(condition: isPath("/headers")) { request in .json(["headers": request.stubHeaders]) }
  /// ```
  ///
  /// Matchers and `allHTTPHeaderFields` don't see these, except for `Authorization`. The names are written as the request or
  /// `URLSession` writes them. A request whose URL is neither `http` nor `https` has its own headers only.
  ///
  /// Three details differ from the wire:
  ///
  /// - A body that StubKit has read from a stream shows its `Content-Length`. `URLSession` sends it with `Transfer-Encoding: chunked`.
  /// - A POST request with a body and no `Content-Type` shows `application/x-www-form-urlencoded`. `URLSession` sends that for data
  ///   tasks, but not for upload tasks with data or a file.
  /// - On Apple platforms there is no `User-Agent`.
  public var stubHeaders: [String: String] {
    var headers = allHTTPHeaderFields ?? [:]
    guard let url, HTTPMessageHead.isSent(URLText(url.absoluteString)) else { return headers }
    for (name, sent) in Platform.loaderHeaders(of: self) where value(forHTTPHeaderField: name) == nil {
      headers[name] = sent
    }
    return headers
  }
}
