import Foundation

/// Matches requests that have a header field, whatever its value, such as `hasHeader("Authorization")`.
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/me",
///   where: !hasHeader("Authorization"),
///   response: .status(401))
/// ```
///
/// Names compare without case (RFC 9110, section 5.1).
///
/// - Parameter name: The name of the field. The test fails if it is empty, or if it contains a colon or white space.
public func hasHeader(_ name: String) -> RequestMatcher {
  RequestMatcher(.header(name), .exists, unless: name.fault(.impossibleHeaderName))
}

/// Matches requests that have a header field with a value, such as `hasHeader("Accept", "text/html")`.
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/me",
///   where: hasHeader("Accept", "text/html"),
///   response: .text("<h1>Ann</h1>", headers: ["Content-Type": "text/html"]))
/// ```
///
/// Names compare without case, and values with case. Foundation joins the values of a repeated field with commas. In
/// such a list (RFC 9110, section 5.6.1), one value is enough, or several in a row, with any white space between them:
/// both `hasHeader("Accept", "text/html")` and `hasHeader("Accept", "text/html,*/*")` match `Accept: text/html, */*`. A
/// field that is no list, such as `User-Agent` or a date, must be equal. For a whole list, write
/// ``headerMatches(_:_:options:)``, and for a value with any parameters, too:
/// `headerMatches("Content-Type", "^application/json")` also matches `application/json; charset=utf-8`.
///
/// - Parameters:
///   - name: The name of the field. The test fails as for ``hasHeader(_:)``.
///   - value: The value.
public func hasHeader(_ name: String, _ value: String) -> RequestMatcher {
  RequestMatcher(
    .header(name), .includes(MatchText(value)),
    unless: name.fault(.impossibleHeaderName) ?? value.fault(.headerValue) ?? value.fault(.impossibleHeaderValue))
}

/// Matches requests with a header field whose value contains a match of a regular expression, such as
/// `headerMatches("Authorization", "^Bearer ")`.
///
/// ```swift
/// stub(
///   condition: headerMatches("User-Agent", "^Films/1[.]"),
///   response: .status(426))
/// ```
///
/// Named groups capture.
///
/// - Parameters:
///   - name: The name of the field. Case doesn't matter.
///   - regex: A regular expression in the syntax of `NSRegularExpression`. The test fails if it is invalid.
///   - options: Options such as `.caseInsensitive`. Defaults to none.
public func headerMatches(
  _ name: String, _ regex: String, options: NSRegularExpression.Options = []
) -> RequestMatcher {
  .matching(.header(name), regex, options, in: "headerMatches", unless: name.fault(.impossibleHeaderName))
}

/// Matches requests whose `Cookie` header contains a cookie with a name. Case matters (RFC 6265).
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/cart",
///   where: !hasCookie("session"),
///   response: .redirect(to: "/login"))
/// ```
///
/// - Parameter name: The name of the cookie. The test fails if it is empty, or if it contains `=` or `;`.
public func hasCookie(_ name: String) -> RequestMatcher {
  RequestMatcher(.cookie(name), .exists, unless: name.fault(.impossibleCookieName))
}

/// Matches requests whose `Cookie` header contains a cookie with exactly this value, such as
/// `hasCookie("session", "abc")`.
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/cart",
///   where: hasCookie("session", "abc"),
///   response: .json(["items": 2]))
/// ```
public func hasCookie(_ name: String, _ value: String) -> RequestMatcher {
  RequestMatcher(
    .cookie(name), .equals(MatchText(value)),
    unless: name.fault(.impossibleCookieName) ?? value.fault(.impossibleCookieValue))
}

/// Matches requests that authenticate with HTTP basic authentication (RFC 7617).
///
/// ```swift
/// stub(
///   condition: hasBasicAuth(user: "ann", password: "secret"),
///   response: .json(["name": "Ann"]))
/// ```
///
/// - Parameters:
///   - user: The name of the user. The test fails if it contains a colon, which the scheme can't express.
///   - password: The password.
public func hasBasicAuth(user: String, password: String) -> RequestMatcher {
  let written = "user: \(user.debugDescription), password: \(password.debugDescription)"
  let text = MatchText(written, canonical: credentials(user, password))
  return RequestMatcher(.credentials, .equals(text), unless: user.fault(.impossibleUser))
}

/// Matches requests that authenticate with a bearer token (RFC 6750, section 2.1).
///
/// ```swift
/// stub(
///   .get, "https://api.example.com/me",
///   where: hasBearerToken("abc"), response: .json(["id": 42]))
/// stub(
///   .get, "https://api.example.com/me",
///   where: !hasBearerToken(), response: .status(401))
/// ```
///
/// The scheme `Bearer` compares without case, and the token with case.
///
/// - Parameter token: The token, or `nil` for any. Defaults to any. The test fails if it is empty or contains white
///   space.
public func hasBearerToken(_ token: String? = nil) -> RequestMatcher {
  RequestMatcher(
    .bearerToken, token.map { .equals(MatchText($0)) } ?? .exists, unless: token?.fault(.impossibleToken))
}

/// The credentials of HTTP basic authentication as one text. Different ones differ in it.
private func credentials(_ user: String, _ password: String) -> String {
  "user \(user.debugDescription) with password \(password.debugDescription)"
}

extension RequestFacts {
  /// Returns what follows the name of a scheme in the Authorization header, or `nil` for another scheme.
  private mutating func authorization(_ scheme: String) -> Substring? {
    guard let (name, rest) = header("Authorization")?[...].withoutOuterSpace.cut(at: " "), name.lowercased() == scheme
    else { return nil }
    return rest.withoutOuterSpace
  }

  /// The credentials of basic authentication, or `nil` for a value that is not base64 of UTF-8 with a colon in it.
  var basicCredentials: String? {
    mutating get {
      guard let encoded = authorization("basic"), let data = Data(base64Encoded: String(encoded)),
        let text = String(validUTF8: data), let (user, password) = text.cut(at: ":")
      else { return nil }
      return credentials(String(user), String(password))
    }
  }

  /// The token of bearer authentication. Never empty.
  var bearerToken: String? { mutating get { authorization("bearer").flatMap { $0.isEmpty ? nil : String($0) } } }
}

/// Matches requests with a header field whose value contains a match of a Swift regular expression, as
/// ``headerMatches(_:_:options:)`` does.
///
/// ```swift
/// headerMatches("Authorization", /^Bearer [^ ]+$/)
/// ```
public func headerMatches(_ name: String, _ regex: Regex<some Any>) -> RequestMatcher {
  RequestMatcher(.header(name), .contains(RegexPattern(regex)), unless: name.fault(.impossibleHeaderName))
}
