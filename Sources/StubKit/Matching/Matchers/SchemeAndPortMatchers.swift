import StubKitFormats

/// Matches URLs with a scheme, ignoring case, such as `isScheme("https")`.
///
/// - Parameter scheme: The scheme alone. A mistake if it contains a colon or a slash, as in `"https://"`.
public func isScheme(_ scheme: String) -> RequestMatcher {
  RequestMatcher("isScheme(\(scheme.debugDescription))") { () throws(UsageMistake) in
    try require(
      !scheme.has(":") && !scheme.has("/"),
      "isScheme(\"\(scheme)\") matches nothing: write the scheme alone, as in isScheme(\"https\").")
    return ValueCriterion("isScheme", .scheme, .equals(MatchText(scheme, canonical: scheme.lowercased())))
  }
}

/// Matches URLs with a port. If a URL has none, the port is that of its scheme: 80 for http and 443 for https.
///
/// - Parameter port: A number from 0 to 65,535. A mistake if it is any other.
public func isPort(_ port: Int) -> RequestMatcher {
  RequestMatcher("isPort(\(port))") { () throws(UsageMistake) in
    try require((0...65535).contains(port), "isPort(\(port)) matches nothing: a port is a number from 0 to 65535.")
    return ValueCriterion("isPort", .port, .equals(MatchText("\(port)")))
  }
}
