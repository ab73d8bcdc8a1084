import Foundation
import StubKitFormats

/// Matches a whole URL, including the order of its query and its fragment.
///
/// ```swift
/// isAbsoluteURLString("https://api.example.com/users?page=2#top")
/// ```
///
/// Both texts are compared as `URL(string:)` prints them, so you can write characters that Foundation encodes as they
/// are. Case matters, also in the host.
public func isAbsoluteURLString(_ url: String) -> RequestMatcher {
  let text = MatchText(url, canonical: URL(string: url)?.absoluteString ?? url)
  return RequestMatcher(ValueCriterion("isAbsoluteURLString", .url, .equals(text)))
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
/// - Parameter url: An absolute URL. You can write characters that Foundation encodes as they are. A mistake if the text
///   is not a URL, has no scheme or no host, or has a brace in its path.
public func isURL(_ url: String) -> RequestMatcher {
  RequestMatcher("isURL(\(url.debugDescription))") { () throws(UsageMistake) in try URLCondition.url(url) }
}

/// Matches a URL, as ``isURL(_:)-(String)`` does.
///
/// ```swift
/// stub(
///   condition: isURL(client.baseURL.appendingPathComponent("users")),
///   response: .json([]))
/// ```
///
/// - Parameter url: An absolute URL. A mistake if it has no scheme or no host.
public func isURL(_ url: URL) -> RequestMatcher {
  RequestMatcher("isURL(\(url.absoluteString.debugDescription))") { () throws(UsageMistake) in try URLCondition.url(url)
  }
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
/// - Parameter url: An absolute URL without a query. A mistake if the text is not a URL, has no scheme or no host, has a
///   query, or has a brace in its path.
public func isUnder(_ url: String) -> RequestMatcher {
  RequestMatcher("isUnder(\(url.debugDescription))") { () throws(UsageMistake) in try URLCondition.base(url) }
}

/// Matches a base URL and everything below it, as ``isUnder(_:)-(String)`` does.
///
/// ```swift
/// stub(condition: isUnder(client.baseURL), response: .empty(status: 503))
/// ```
///
/// - Parameter url: An absolute URL without a query. A mistake if it is any other.
public func isUnder(_ url: URL) -> RequestMatcher {
  RequestMatcher("isUnder(\(url.absoluteString.debugDescription))") { () throws(UsageMistake) in
    try URLCondition.base(url)
  }
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
///   - pattern: A regular expression in the syntax of `NSRegularExpression`. A mistake if it is invalid.
///   - options: Options such as `.caseInsensitive`. Defaults to none.
public func urlMatches(_ pattern: String, options: NSRegularExpression.Options = []) -> RequestMatcher {
  RequestMatcher("urlMatches(\(pattern.debugDescription))") { () throws(UsageMistake) in
    ValueCriterion("urlMatches", .url, .matches(try Pattern(parsing: pattern, options: options, in: "urlMatches")))
  }
}
