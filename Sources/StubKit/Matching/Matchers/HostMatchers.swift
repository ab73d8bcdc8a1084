import StubKitFormats

/// Matches URLs with a host, ignoring case, such as `isHost("api.example.com")`.
///
/// An international name matches in Unicode and in Punycode, and an IPv6 address matches with and without brackets. A
/// URL without a host, such as `foo:` or `foo://`, never matches.
///
/// - Parameter host: The host alone. A mistake if it contains a scheme, a port, a path or user information.
public func isHost(_ host: String) -> RequestMatcher {
  RequestMatcher("isHost(\(host.debugDescription))") { () throws(UsageMistake) in
    try checkHost(host, in: "isHost")
    return ValueCriterion("isHost", .host, .equals(MatchText(host, canonical: HostName.canonical(host))))
  }
}

/// Matches URLs whose host ends with a text, ignoring case.
///
/// `hostEndsWith("example.com")` also matches `badexample.com`. To match only subdomains, write
/// `hostEndsWith(".example.com")`.
///
/// - Parameter suffix: The end of the host, in Unicode or in Punycode. A mistake if it contains a scheme, a port or a
///   path.
public func hostEndsWith(_ suffix: String) -> RequestMatcher {
  RequestMatcher("hostEndsWith(\(suffix.debugDescription))") { () throws(UsageMistake) in
    try checkHost(suffix, in: "hostEndsWith")
    return ValueCriterion("hostEndsWith", .host, .ends(with: MatchText(suffix, canonical: suffix.lowercased())))
  }
}

private func checkHost(_ host: String, in function: String) throws(UsageMistake) {
  func fail(_ what: String, _ cure: String) throws(UsageMistake) {
    throw UsageMistake("\(function)(\"\(host)\") has \(what): write the host alone, and add \(cure).")
  }
  if host.utf8.contains("://".utf8) { try fail("a scheme", "isScheme(…) for the scheme") }
  if host.has("/") { try fail("a slash", "isPath(…) for the path") }
  if host.has("?") { try fail("a query", "containsQuery(…) for the query") }
  if host.has("@") { try fail("user information", "hasBasicAuth(user:password:) for credentials") }
  let (isOpened, isClosed) = (host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]"))
  let isIPv6 = isOpened ? isClosed : host.pieces(at: ":").count > 2
  if host.has(":"), !isIPv6 { try fail("a port", "isPort(…) for the port") }
}
