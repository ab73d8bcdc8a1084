import Foundation

extension StubResponse {
  /// A redirect to that address, without a body.
  ///
  /// ```swift
  /// stub(condition: isPath("/old"), response: .redirect(to: "/new"))
  /// ```
  ///
  /// The session follows it as it would a server's (RFC 9110, 15.4): its delegate is asked first, and a 303 and a POST's 301
  /// or 302 go on as GET. On Linux the body is not sent again, and the twenty-first redirect in a row fails with
  /// `URLError.httpTooManyRedirects`.
  ///
  /// It leads to another stub, or, where none matches, to what the registry's ``UnmatchedPolicy`` says: to the real network
  /// under ``UnmatchedPolicy/passThrough``. Each request on the way has an entry of its own in the journal.
  ///
  /// A status or an address that can't redirect fails the request with a ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - location: The `Location` (RFC 9110, 10.2.2): a URL, or one relative to the request's (RFC 3986, 5). With a server,
  ///     URLSession on Linux takes a path without a leading slash to begin at the root.
  ///   - status: A status from 300 to 399 but 304; 302 by default. Statuses that URLSession does not follow, as 300, are
  ///     delivered as they are.
  ///   - headers: More header fields, none by default.
  public static func redirect(
    to location: String, status: Int = 302, headers: [String: String] = [:]
  ) -> StubResponse {
    let problem: StubResponseError.Reason? =
      !(300...399).contains(status) || status == 304
      ? .invalidRedirectStatus(status) : isRedirectTarget(location) ? nil : .invalidRedirectTarget(location)
    return StubResponse(status: status, headers: ResponseHeaders(headers), body: .empty, problem: problem)
      .header("Location", location)
  }

  /// A redirect to that URL, as ``redirect(to:status:headers:)-(String,_,_)`` does it.
  ///
  /// ```swift
  /// .redirect(to: URL(string: "https://b.example.com")!, status: 308)
  /// ```
  ///
  /// - Parameters:
  ///   - location: The `Location`. A URL that has a base is sent as a whole one.
  ///   - status: A status from 300 to 399 but 304; 302 by default.
  ///   - headers: More header fields, none by default.
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
