import Foundation
import StubKitFormats

extension StubResponse {
  /// Returns a redirect to an address, without a body.
  ///
  /// ```swift
  /// stub(condition: isPath("/old"), response: .redirect(to: "/new"))
  /// ```
  ///
  /// The session follows it like a redirect from a server (RFC 9110, section 15.4). It asks its delegate first. After
  /// a 303, and for a POST after a 301 or 302, the next request is a GET. On Linux, the body is not sent again, and
  /// the twenty-first redirect in a row fails with `URLError.httpTooManyRedirects`.
  ///
  /// The redirect leads to another stub. If no stub matches, the registry's ``UnmatchedPolicy`` applies;
  /// ``UnmatchedPolicy/passThrough`` leads to the real network. The journal has an entry for each request on the way.
  /// A status or an address that can't redirect fails the request with a ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - location: The `Location` (RFC 9110, section 10.2.2): a URL, or one relative to that of the request (RFC
  ///     3986, section 5). URLSession on Linux treats a server's path without a leading slash as if it began at the
  ///     root.
  ///   - status: A status from 300 to 399, except 304. Defaults to 302. A status that URLSession doesn't follow, such
  ///     as 300, is delivered as it is.
  ///   - headers: Additional header fields. Defaults to none.
  public static func redirect(
    to location: String, status: Int = 302, headers: [String: String] = [:]
  ) -> StubResponse {
    let problem: StubResponseError.Reason? =
      !(300...399).contains(status) || status == 304
      ? .invalidRedirectStatus(status) : isRedirectTarget(location) ? nil : .invalidRedirectTarget(location)
    return StubResponse(status: status, headers: ResponseHeaders(headers), body: .empty, problem: problem)
      .header("Location", location)
  }

  /// Returns a redirect to a URL, like ``redirect(to:status:headers:)-(String,_,_)``.
  ///
  /// ```swift
  /// .redirect(to: URL(string: "https://b.example.com")!, status: 308)
  /// ```
  ///
  /// - Parameters:
  ///   - location: The `Location`. A URL with a base is sent as an absolute one.
  ///   - status: A status from 300 to 399, except 304. Defaults to 302.
  ///   - headers: Additional header fields. Defaults to none.
  public static func redirect(to location: URL, status: Int = 302, headers: [String: String] = [:]) -> StubResponse {
    redirect(to: location.absoluteString, status: status, headers: headers)
  }

  private static func isRedirectTarget(_ location: String) -> Bool {
    guard !location.isEmpty, !location.contains(where: \.isNewline), let url = URL(string: location) else {
      return false
    }
    let needsHost = ["http", "https"].contains(url.scheme?.lowercased())
    return !needsHost || url.host?.isEmpty == false
  }
}
