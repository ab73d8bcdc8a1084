import Foundation

/// Matches requests that have this header, whatever its value: `hasHeaderNamed("Authorization")`.
///
/// Names compare without case (RFC 9110, section 5.1).
///
/// - Parameter name: A header's name. An empty one, or one with a colon or white space, traps.
public func hasHeaderNamed(_ name: String) -> RequestMatcher {
  checkHeader(name, in: "hasHeaderNamed")
  return RequestMatcher(.header(name))
}

/// Matches requests that have this header with exactly this value: `hasHeaderNamed("Accept", value: "text/html")`.
///
/// Names compare without case, values with. Foundation joins a header set several times with commas.
public func hasHeaderNamed(_ name: String, value: String) -> RequestMatcher {
  checkHeader(name, in: "hasHeaderNamed")
  return RequestMatcher(.headerValue(name: name, value: value))
}

/// Matches requests in whose header the pattern is found: `headerMatches("Authorization", "^Bearer ")`.
///
/// Named groups are captured.
///
/// - Parameters:
///   - name: A header's name, compared without case.
///   - regex: A regular expression in the syntax of `NSRegularExpression`. An invalid one traps with its message.
///   - options: Such as `.caseInsensitive`; none by default.
public func headerMatches(
  _ name: String, _ regex: String, options: NSRegularExpression.Options = []
) -> RequestMatcher {
  checkHeader(name, in: "headerMatches")
  return RequestMatcher(.headerPattern(name: name, Pattern(regex, options: options, in: "headerMatches")))
}

/// Matches requests that do not have this header.
public func lacksHeader(_ name: String) -> RequestMatcher {
  checkHeader(name, in: "lacksHeader")
  return RequestMatcher(.lacksHeader(name))
}

/// Matches requests whose Cookie header has a cookie of this name, with case (RFC 6265).
///
/// - Parameter name: A cookie's name. An empty one, or one with = or ; in it, traps.
public func hasCookie(_ name: String) -> RequestMatcher {
  checkCookie(name)
  return RequestMatcher(.cookie(name))
}

/// Matches requests whose Cookie header has this cookie with exactly this value: `hasCookie("session", value: "abc")`.
public func hasCookie(_ name: String, value: String) -> RequestMatcher {
  checkCookie(name)
  return RequestMatcher(.cookieValue(name: name, value: value))
}

/// Matches requests that authenticate with HTTP basic authentication (RFC 7617) as this user with this password.
///
/// - Parameters:
///   - user: The user's name. A colon in it traps: the scheme has no way to send one.
///   - password: The password.
public func hasBasicAuth(user: String, password: String) -> RequestMatcher {
  require(
    !user.has(":"),
    "hasBasicAuth(user: \"\(user)\", …) has a colon in the user's name: RFC 7617 ends the name there; "
      + "write what follows it in password:.")
  return RequestMatcher(.basicAuth(user: user, password: password))
}

private func checkHeader(_ name: String, in function: String) {
  require(!name.isEmpty, "\(function)(\"\") names no header: write its name, as in \(function)(\"Accept\").")
  // A token of RFC 9110, section 5.6.2.
  require(
    name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    },
    "\(function)(\(name.debugDescription)) is no header's name: "
      + "write the name alone, without colon, white space or value."
  )
}

private func checkCookie(_ name: String) {
  require(
    !name.isEmpty && !name.has("=") && !name.has(";"),
    "hasCookie(\"\(name)\") is no cookie's name: "
      + "write the name, and the value apart, as in hasCookie(\"a\", value: \"b\")."
  )
}
