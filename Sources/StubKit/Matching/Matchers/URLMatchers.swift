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

/// Matches the URL part by part: scheme, host, port and path, and the query in any order.
///
/// ```swift
/// stub(condition: isURL("https://api.example.com/users?page=2&sort=name"), response: .json([]))
/// ```
///
/// Each part compares as its own matcher compares it: scheme and host without case, a default port with and without its
/// number, the path decoded and without a trailing slash. The query compares item by item: each item of the text has to be
/// there as often as in the text, and no other. A text without a query matches any query; one that ends in ? matches
/// only URLs without query items. User information and a fragment do not count.
///
/// - Parameter url: An absolute URL. Characters that Foundation encodes may be written as they are. A text that is no URL,
///   has no scheme or no host, or has a brace in its path, traps.
public func isURL(_ url: String) -> RequestMatcher {
  RequestMatcher(.url(.url(url)))
}

/// Matches this URL, as ``isURL(_:)-(String)`` does.
///
/// ```swift
/// stub(condition: isURL(client.baseURL.appendingPathComponent("users")), response: .json([]))
/// ```
///
/// - Parameter url: An absolute URL. One without a scheme or a host traps.
public func isURL(_ url: URL) -> RequestMatcher {
  RequestMatcher(.url(.url(url)))
}

/// Matches a base URL and everything below it.
///
/// ```swift
/// let api = isUnder("https://api.example.com/v1")
/// stub(condition: api && pathEndsWith("/users"), response: .json([]))  // https://api.example.com/v1/users
/// ```
///
/// Scheme, host and port compare as in ``isURL(_:)-(String)``. The path has to begin with whole segments: `/v1` and
/// `/v1/users` are under `/v1`, and `/v10` is not. Any query matches. User information and a fragment do not count.
///
/// - Parameter url: An absolute URL without a query. A text that is no URL, has no scheme, no host or a query, or has a
///   brace in its path, traps.
public func isUnder(_ url: String) -> RequestMatcher {
  RequestMatcher(.under(.base(url)))
}

/// Matches this base URL and everything below it, as ``isUnder(_:)-(String)`` does.
///
/// ```swift
/// stub(condition: isUnder(client.baseURL), response: .empty(status: 503))
/// ```
///
/// - Parameter url: An absolute URL without a query. Any other traps.
public func isUnder(_ url: URL) -> RequestMatcher {
  RequestMatcher(.under(.base(url)))
}

/// Matches requests in whose absolute URL the pattern is found; anchor it with `^` and `$` to match the whole.
///
/// ```swift
/// stub(condition: urlMatches("^https://(?<bucket>[a-z0-9-]+)[.]s3[.]"), response: .empty())
/// ```
///
/// The text is the request's absolute URL as `URL` prints it: percent-encoded, with query and fragment, the host in the case
/// in which it was written. Named groups are captured. A pattern can't be looked up: StubKit tries it on each request that no
/// newer stub answers, unless another matcher stands beside it.
///
/// - Parameters:
///   - pattern: A regular expression in the syntax of `NSRegularExpression`. An invalid one traps with its message.
///   - options: Such as `.caseInsensitive`. Defaults to none.
public func urlMatches(_ pattern: String, options: NSRegularExpression.Options = []) -> RequestMatcher {
  RequestMatcher(.urlPattern(Pattern(pattern, options: options, in: "urlMatches")))
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
