import Foundation

extension StubResponse {
  /// The version of HTTP as which a client sees a response.
  ///
  /// ```swift
  /// @Test(.stubbed(httpVersion: .http2))
  /// func waitsAsLongAsTheServerSays() async throws {
  ///   stub(
  ///     .get, "https://api.example.com/users",
  ///     responses: [.status(503).header("Retry-After", 1), .json([])])
  ///   …
  /// }
  /// ```
  ///
  /// Most servers speak HTTP/2 or HTTP/3, where the names of header fields are in lower case (RFC 9113, section 8.2).
  /// A client that reads `response.allHeaderFields["Retry-After"]` finds nothing there, because the keys of that
  /// dictionary compare with case. `response.value(forHTTPHeaderField: "Retry-After")` finds the field in each version.
  public struct HTTPVersion: Sendable, Hashable, CustomStringConvertible {
    /// The version, such as `HTTP/2`.
    public let description: String

    /// HTTP/1.1, where the names of header fields arrive as they are written. This is the default.
    public static let http1 = HTTPVersion(description: "HTTP/1.1")

    /// HTTP/2. The names of header fields arrive in lower case, and the fields `Connection`, `Keep-Alive` and
    /// `Transfer-Encoding`, which HTTP/2 doesn't have, are left out.
    public static let http2 = HTTPVersion(description: "HTTP/2")
  }

  /// Returns the response in a version of HTTP, whichever version ``HTTPStubs/httpVersion`` is.
  ///
  /// ```swift
  /// .status(429).header("Retry-After", 1).httpVersion(.http2)
  /// ```
  ///
  /// A `StubServer` speaks HTTP/1.1 all the same. It sends the names in lower case, and the fields of its own
  /// connection as ever.
  public func httpVersion(_ version: HTTPVersion) -> StubResponse { configured { $0.httpVersion = version } }

  /// Returns the response as a client sees it in its version.
  ///
  /// - Parameter usual: The version of a response that has none of its own.
  func sent(as usual: HTTPVersion) -> StubResponse {
    guard (options?.httpVersion ?? usual) == .http2 else { return self }
    var options = options ?? ResponseOptions()
    options.httpVersion = .http2
    // In HTTP/1.1, these chunks say that nobody knows the length before the end.
    if headers.contains("Transfer-Encoding") { options.hidesLength = true }
    var copy = self
    copy.options = options
    copy.headers = headers.inHTTP2
    return copy
  }
}

extension StubHeaders {
  /// The names of the fields that belong to a connection of HTTP/1.1 (RFC 9113, section 8.2.2).
  private static let ofConnection = ["Connection", "Keep-Alive", "Transfer-Encoding"]

  fileprivate var inHTTP2: StubHeaders {
    let isChunked = contains("Transfer-Encoding")
    return StubHeaders(
      fields.compactMap { field in
        let isLeftOut = Self.ofConnection.contains(where: field.name.isHeaderName)
        if isLeftOut || isChunked && field.name.isHeaderName("Content-Length") { return nil }
        return (name: field.name.lowercased(), value: field.value)
      })
  }
}
