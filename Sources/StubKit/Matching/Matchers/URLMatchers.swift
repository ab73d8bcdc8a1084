import Foundation
import StubKitFormats

/// Matches URLs with a scheme, ignoring case, such as `isScheme("https")`.
///
/// - Parameter scheme: The scheme alone. Traps if it contains a colon or a slash, as in `"https://"`.
public func isScheme(_ scheme: String) -> RequestMatcher {
  require(
    !scheme.has(":") && !scheme.has("/"),
    "isScheme(\"\(scheme)\") matches nothing: write the scheme alone, as in isScheme(\"https\").")
  return RequestMatcher(.scheme(Written(scheme, canonical: scheme.lowercased())))
}

/// Matches URLs with a host, ignoring case, such as `isHost("api.example.com")`.
///
/// An international name matches in Unicode and in Punycode, and an IPv6 address matches with and without brackets. A
/// URL without a host, such as `foo:` or `foo://`, never matches.
///
/// - Parameter host: The host alone. Traps if it contains a scheme, a port, a path or user information.
public func isHost(_ host: String) -> RequestMatcher {
  checkHost(host, in: "isHost")
  return RequestMatcher(.host(Written(host, canonical: HostName.canonical(host))))
}

/// Matches URLs whose host ends with a text, ignoring case.
///
/// `hostEndsWith("example.com")` also matches `badexample.com`. To match only subdomains, write
/// `hostEndsWith(".example.com")`.
///
/// - Parameter suffix: The end of the host, in Unicode or in Punycode. Traps if it contains a scheme, a port or a
///   path.
public func hostEndsWith(_ suffix: String) -> RequestMatcher {
  checkHost(suffix, in: "hostEndsWith")
  return RequestMatcher(.hostSuffix(Written(suffix, canonical: suffix.lowercased())))
}

/// Matches URLs with a port. If a URL has none, the port is that of its scheme: 80 for http and 443 for https.
///
/// - Parameter port: A number from 0 to 65,535. Traps if it is any other.
public func isPort(_ port: Int) -> RequestMatcher {
  require((0...65535).contains(port), "isPort(\(port)) matches nothing: a port is a number from 0 to 65535.")
  return RequestMatcher(.port(port))
}

/// Matches a whole URL, including the order of its query and its fragment.
///
/// ```swift
/// isAbsoluteURLString("https://api.example.com/users?page=2#top")
/// ```
///
/// Both texts are compared as `URL(string:)` prints them, so you can write characters that Foundation encodes as they
/// are. Case matters, also in the host.
public func isAbsoluteURLString(_ url: String) -> RequestMatcher {
  RequestMatcher(.absoluteURL(Written(url, canonical: URL(string: url)?.absoluteString ?? url)))
}

/// Matches a URL part by part: the scheme, host, port and path, and the query in any order.
///
/// ```swift
/// stub(
///   condition: isURL("https://api.example.com/users?page=2&sort=name"),
///   response: .json([]))
/// ```
///
/// Each part compares as its own matcher compares it: the scheme and host without case, a default port with and
/// without its number, and the path decoded and without a trailing slash. The query must contain each item of the
/// text as often as the text does, and no other. A text without a query matches any query. A text that ends with `?`
/// matches only URLs without query items. User information and the fragment don't count.
///
/// - Parameter url: An absolute URL. You can write characters that Foundation encodes as they are. Traps if the text
///   is not a URL, has no scheme or no host, or has a brace in its path.
public func isURL(_ url: String) -> RequestMatcher {
  RequestMatcher(.url(.url(url)))
}

/// Matches a URL, as ``isURL(_:)-(String)`` does.
///
/// ```swift
/// stub(
///   condition: isURL(client.baseURL.appendingPathComponent("users")),
///   response: .json([]))
/// ```
///
/// - Parameter url: An absolute URL. Traps if it has no scheme or no host.
public func isURL(_ url: URL) -> RequestMatcher {
  RequestMatcher(.url(.url(url)))
}

/// Matches a base URL and everything below it.
///
/// ```swift
/// // Matches https://api.example.com/v1/users.
/// let api = isUnder("https://api.example.com/v1")
/// stub(condition: api && pathEndsWith("/users"), response: .json([]))
/// ```
///
/// The scheme, host and port compare as in ``isURL(_:)-(String)``. The path must begin with whole segments: `/v1` and
/// `/v1/users` are under `/v1`, and `/v10` is not. Any query matches. User information and the fragment don't count.
///
/// - Parameter url: An absolute URL without a query. Traps if the text is not a URL, has no scheme or no host, has a
///   query, or has a brace in its path.
public func isUnder(_ url: String) -> RequestMatcher {
  RequestMatcher(.under(.base(url)))
}

/// Matches a base URL and everything below it, as ``isUnder(_:)-(String)`` does.
///
/// ```swift
/// stub(condition: isUnder(client.baseURL), response: .empty(status: 503))
/// ```
///
/// - Parameter url: An absolute URL without a query. Traps if it is any other.
public func isUnder(_ url: URL) -> RequestMatcher {
  RequestMatcher(.under(.base(url)))
}

/// Matches requests whose absolute URL contains a match of a regular expression. To match the whole URL, use the
/// anchors `^` and `$`.
///
/// ```swift
/// stub(
///   condition: urlMatches("^https://(?<bucket>[a-z0-9-]+)[.]s3[.]"),
///   response: .empty())
/// ```
///
/// The text is the absolute URL as `URL` prints it: percent-encoded, with the query and the fragment, and with the
/// host in its original case. Named groups capture. The index can't look into a pattern. Unless you combine it with
/// another matcher, StubKit checks it for each request that no newer stub answers.
///
/// - Parameters:
///   - pattern: A regular expression in the syntax of `NSRegularExpression`. Traps with its message if it is invalid.
///   - options: Options such as `.caseInsensitive`. Defaults to none.
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
