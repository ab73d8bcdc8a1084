extension StubResponse {
  /// Returns a 401 that asks for a user and a password, with Basic authentication (RFC 7617).
  ///
  /// ```swift
  /// stub(
  ///   condition: isPath("/film"),
  ///   response: .unauthorized(realm: "Films"))
  /// stub(
  ///   condition: isPath("/film") && hasBasicAuth(user: "ann", password: "x"),
  ///   response: .text("the film"))
  /// ```
  ///
  /// The session looks for a credential in its storage, asks its delegate, and sends the request again with the
  /// credential. A client that has neither receives the 401. For a 401 that only the client itself handles, for
  /// example with a bearer token, write `.empty(status: 401)`. It contains no challenge, so the client receives it
  /// directly.
  ///
  /// - Parameters:
  ///   - realm: What the credentials are for, as a text of one line.
  ///   - headers: Additional header fields. Defaults to none.
  public static func unauthorized(realm: String, headers: [String: String] = [:]) -> StubResponse {
    let quoted = realm.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#)
    return empty(status: 401, headers: headers).header("WWW-Authenticate", "Basic realm=\"\(quoted)\"")
  }
}
