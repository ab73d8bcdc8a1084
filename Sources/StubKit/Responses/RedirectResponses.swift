import Foundation

extension StubResponse {
  /// A redirect to that address, without a body.
  ///
  /// ```swift
  /// stub(condition: isPath("/old"), response: .redirect(to: "/new"))
  /// ```
  ///
  /// The requester follows it as it would a server's. A status or an address that can't redirect fails the request with a
  /// ``StubResponseError``.
  ///
  /// - Parameters:
  ///   - location: The `Location` (RFC 9110, 10.2.2): a URL, or a path on the same host.
  ///   - status: A status from 300 to 399 but 304; 302 by default.
  ///   - headers: More header fields.
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
