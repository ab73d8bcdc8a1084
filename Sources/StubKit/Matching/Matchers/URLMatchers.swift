import Foundation

/// Matches URLs with this scheme, without case: `isScheme("https")`.
///
/// - Parameter scheme: The scheme alone. One with a colon or a slash, as in `"https://"`, traps.
public func isScheme(_ scheme: String) -> RequestMatcher {
  require(
    !scheme.has(":") && !scheme.has("/"),
    "isScheme(\"\(scheme)\") matches nothing: write the scheme alone, as in isScheme(\"https\").")
  return RequestMatcher(.scheme(Written(scheme, canonical: scheme.lowercased())))
}

/// Matches URLs with this host, without case: `isHost("api.example.com")`.
///
/// An international name matches in Unicode and in punycode, an IPv6 address with and without its brackets. A URL
/// without a host, as `foo:` or `foo://`, never matches.
///
/// - Parameter host: The host alone. A scheme, a port, a path or user information in it traps.
public func isHost(_ host: String) -> RequestMatcher {
  checkHost(host, in: "isHost")
  return RequestMatcher(.host(Written(host, canonical: HostName.canonical(host))))
}

/// Matches URLs whose host ends with this text, without case.
///
/// `hostEndsWith("example.com")` also matches `badexample.com`; write `hostEndsWith(".example.com")` for subdomains
/// only.
///
/// - Parameter suffix: The end of a host, in Unicode or in punycode. A scheme, a port or a path in it traps.
public func hostEndsWith(_ suffix: String) -> RequestMatcher {
  checkHost(suffix, in: "hostEndsWith")
  return RequestMatcher(.hostSuffix(Written(suffix, canonical: suffix.lowercased())))
}

/// Matches URLs with this port: their own, else that of their scheme, which is 80 for http and 443 for https.
///
/// - Parameter port: A number from 0 to 65535; any other traps.
public func isPort(_ port: Int) -> RequestMatcher {
  require((0...65535).contains(port), "isPort(\(port)) matches nothing: a port is a number from 0 to 65535.")
  return RequestMatcher(.port(port))
}

/// Matches the URL as a whole, the order of its query and its fragment included.
///
/// ```swift
/// isAbsoluteURLString("https://api.example.com/users?page=2#top")
/// ```
///
/// The text is compared after a pass through `URL(string:)`, as the request's was, so characters that Foundation
/// encodes may be written as they are. Case counts, in the host too.
public func isAbsoluteURLString(_ url: String) -> RequestMatcher {
  RequestMatcher(.absoluteURL(Written(url, canonical: URL(string: url)?.absoluteString ?? url)))
}

private func checkHost(_ host: String, in function: String) {
  func fail(_ what: String, _ cure: String) -> Never {
    mistake("\(function)(\"\(host)\") has \(what): write the host alone, and add \(cure).")
  }
  if host.utf8.contains("://".utf8) { fail("a scheme", "isScheme(…) for the scheme") }
  if host.has("/") { fail("a slash", "isPath(…) for the path") }
  if host.has("?") { fail("a query", "containsQuery(…) for the query") }
  if host.has("@") { fail("user information", "hasBasicAuth(user:password:) for credentials") }
  let (isOpened, isClosed) = (host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]"))
  let isIPv6 = isOpened ? isClosed : host.pieces(at: ":").count > 2
  if host.has(":"), !isIPv6 { fail("a port", "isPort(…) for the port") }
}
