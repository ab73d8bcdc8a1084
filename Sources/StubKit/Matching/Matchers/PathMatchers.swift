import Foundation

/// Matches URLs with exactly this path, such as `isPath("/users/42")`.
///
/// ```swift
/// stub(
///   condition: isMethod(.get) && isHost("api.example.com") && isPath("/users/42"),
///   response: .json(["id": 42, "name": "Ann"]))
/// ```
///
/// The path is percent-decoded, as `URL.path` returns it: without the query and the fragment, and with `;parameters`.
/// A trailing slash doesn't count, and `""` equals `"/"`. The segments `.` and `..` are resolved first (RFC 3986,
/// section 5.2.4), as URLSession on Linux sends a URL. For a relative URL and one of the form `scheme:path`, use
/// ``pathMatches(_:options:)``.
///
/// - Parameter path: The decoded path. Write `isPath("/a b")` for `/a%20b`. The test fails if it doesn't begin with a
///   slash, if it contains a `?`, a `*`, a segment such as `:id`, a percent escape or a placeholder such as `{id}`, or
///   if it is a URL. A path that contains one of these literally is ``pathMatches(_:options:)``, as in
///   `pathMatches("^/search/[*]$")`.
public func isPath(_ path: String) -> RequestMatcher {
  RequestMatcher(
    .path, .equals(MatchText(path, canonical: path.canonicalPath)),
    unless: path.fault(.impossiblePath) ?? path.fault(.path))
}

/// Matches URLs whose path begins with a text.
///
/// ```swift
/// stub(condition: pathStartsWith("/v1/"), response: .status(410))
/// ```
///
/// `pathStartsWith("/v1")` also matches `/v10`. To match everything below `/v1`, write `pathStartsWith("/v1/")`. A
/// trailing slash of the URL is no part of its path, so that doesn't match `/v1/` itself.
///
/// - Parameter prefix: The decoded beginning of the path. The test fails if it is empty, or as for ``isPath(_:)``.
public func pathStartsWith(_ prefix: String) -> RequestMatcher {
  RequestMatcher(
    .path, .begins(with: MatchText(prefix)),
    unless: prefix.fault(.impossiblePathPrefix) ?? prefix.fault(.pathPrefix))
}

/// Matches URLs whose path ends with a text, such as `pathEndsWith("/avatar.png")`. The query and the fragment are
/// not part of the path.
///
/// ```swift
/// stub(
///   condition: pathEndsWith("/avatar.png"),
///   response: .data(png))
/// ```
///
/// - Parameter suffix: The decoded end of the path. A trailing slash doesn't count. The test fails if it is empty, or
///   as for ``isPath(_:)``, but for the slash in front.
public func pathEndsWith(_ suffix: String) -> RequestMatcher {
  RequestMatcher(
    .path, .ends(with: MatchText(suffix, canonical: suffix.canonicalPath)),
    unless: suffix.fault(.impossiblePathSuffix) ?? suffix.fault(.pathSuffix))
}

/// Matches URLs whose path contains a match of a regular expression. To match the whole path, use the anchors `^` and
/// `$`. A trailing slash of the URL is no part of its path: write `^/a$` for `/a/`, too.
///
/// ```swift
/// stub(condition: pathMatches("^/users/(?<id>\\d+)$")) { _, match in
///   try .json(["id": match("id")])
/// }
/// ```
///
/// Named groups capture: after `(?<id>\d+)`, `try match("id")` is the text.
///
/// - Parameters:
///   - pattern: A regular expression in the syntax of `NSRegularExpression`. The test fails if it is invalid, or if it
///     asks for a slash at the end.
///   - options: Options such as `.caseInsensitive`. Defaults to none.
public func pathMatches(_ pattern: String, options: NSRegularExpression.Options = []) -> RequestMatcher {
  .matching(.path, pattern, options, in: "pathMatches", unless: pattern.fault(.pathPattern))
}

/// Matches URLs whose path has a certain shape, and captures what stands in place of the braces.
///
/// ```swift
/// stub(
///   condition: isMethod(.get) && isHost("api.example.com")
///     && isPath(template: "/users/{id}/posts/{post}")
/// ) { _, match in
///   try .json(["user": match("id"), "post": match("post")])
/// }
/// ```
///
/// A placeholder matches one or more characters of one segment. StubKit splits the encoded path into segments and
/// decodes each one, so `%2F` stays inside its segment, also in the template. A segment can also contain text, as in
/// `/files/{name}.json`. Trailing slashes don't count.
///
/// - `{id:[0-9]+}` matches only text that the regular expression matches as a whole. The syntax is that of
///   `NSRegularExpression`. Braces in it must be balanced, as in `{id:[0-9]{3}}`. Write a single brace as `\{` or
///   `\}`. Named groups capture too.
/// - `{path...}`, as the last segment, matches one or more segments. They are decoded one by one and joined with
///   slashes, so `%2F` appears as a slash.
///
/// - Parameter template: The template, as decoded text but for `%2F`. The test fails if braces are unbalanced or empty,
///   if a name occurs twice, if a regular expression is invalid, or if `{path...}` is not the last segment.
public func isPath(template: String) -> RequestMatcher {
  RequestMatcher(
    TemplateCriterion.call(template), unless: template.fault(.impossibleTemplate) ?? template.fault(.template)
  ) { () throws(UsageMistake) in
    try TemplateCriterion(template)
  }
}

/// Matches URLs whose path ends with a path extension, such as `hasPathExtension("json")`. Case matters.
///
/// ```swift
/// stub(condition: hasPathExtension("png"), response: .status(404))
/// ```
///
/// - Parameter pathExtension: The part after the last dot. The test fails if it contains a dot, a slash, a space, a `*`
///   or a brace.
public func hasPathExtension(_ pathExtension: String) -> RequestMatcher {
  RequestMatcher(
    .pathExtension, .equals(MatchText(pathExtension)), unless: pathExtension.fault(.impossibleExtension))
}

extension RequestMatcher {
  /// The matcher for a decoded path, whatever it contains.
  package static func path(_ path: String) -> RequestMatcher {
    RequestMatcher(.path, .equals(MatchText(path, canonical: path.canonicalPath)))
  }
}

/// Matches URLs whose path contains a match of a Swift regular expression. To match the whole path, use `^` and `$`.
///
/// ```swift
/// stub(condition: pathMatches(#/^/users/(?<id>\d+)$/#)) { _, match in
///   try .json(["id": match("id", as: Int.self)])
/// }
/// ```
///
/// Named groups capture. A transformation of RegexBuilder can run on any thread, several times at once. Everything else
/// is as for ``pathMatches(_:options:)``.
public func pathMatches(_ regex: Regex<some Any>) -> RequestMatcher {
  RequestMatcher(
    .path, .contains(RegexPattern(regex)), unless: regex._literalPattern.flatMap { $0.fault(.pathPattern) })
}
