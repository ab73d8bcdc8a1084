import Foundation

/// Matches URLs with exactly this path: `isPath("/users/42")`.
///
/// The path is the percent-decoded one, as `URL.path` gives it: without query and fragment, with `;parameters`. A
/// trailing slash does not count, and "" and "/" are the same. A path without a leading slash matches relative URLs and
/// those of the form `scheme:path` only; a URL with a host always has one.
///
/// - Parameter path: The decoded path: `isPath("/a b")` for `/a%20b`. A ? or a # in it traps.
public func isPath(_ path: String) -> RequestMatcher {
  checkPath(path, in: "isPath")
  return RequestMatcher(.path(Written(path, canonical: HTTPPath.canonical(path))))
}

/// Matches URLs whose path begins with this text.
///
/// `pathStartsWith("/v1")` also matches `/v10`; write `pathStartsWith("/v1/")` for what lies below `/v1`.
///
/// - Parameter prefix: The decoded beginning. A ? or a # in it traps.
public func pathStartsWith(_ prefix: String) -> RequestMatcher {
  checkPath(prefix, in: "pathStartsWith")
  return RequestMatcher(.pathPrefix(Written(prefix)))
}

/// Matches URLs whose path ends with this text: `pathEndsWith("/avatar.png")`. Query and fragment are no part of it.
///
/// - Parameter suffix: The decoded end; a trailing slash does not count. A ? or a # in it traps.
public func pathEndsWith(_ suffix: String) -> RequestMatcher {
  checkPath(suffix, in: "pathEndsWith")
  return RequestMatcher(
    .pathSuffix(Written(suffix, canonical: suffix.isEmpty ? "" : HTTPPath.canonical(suffix))))
}

/// Matches URLs in whose path the expression is found; anchor it with `^` and `$` to match the whole.
///
/// Named groups are captured: after `(?<id>\d+)`, `match["id"]` is the text.
public func pathMatches(_ expression: NSRegularExpression) -> RequestMatcher {
  RequestMatcher(.pathPattern(Pattern(expression)))
}

/// Matches URLs in whose path the pattern is found; anchor it with `^` and `$` to match the whole.
///
/// ```swift
/// stub(condition: pathMatches("^/users/(?<id>\\d+)$")) { _, match in .json(["id": "\(match["id"]!)"]) }
/// ```
///
/// - Parameters:
///   - pattern: A regular expression in the syntax of `NSRegularExpression`. An invalid one traps with its message.
///   - options: Such as `.caseInsensitive`; none by default.
public func pathMatches(_ pattern: String, options: NSRegularExpression.Options = []) -> RequestMatcher {
  RequestMatcher(.pathPattern(Pattern(pattern, options: options, in: "pathMatches")))
}

/// Matches URLs whose path has this shape, and captures what stands in the braces.
///
/// ```swift
/// stub(condition: isPath(template: "/users/{id}/posts/{post}")) { _, match in
///   .json(["user": "\(match["id"]!)", "post": "\(match["post"]!)"])
/// }
/// ```
///
/// A place takes one or more characters of one segment. Segments are split in the encoded path and decoded one by one,
/// so `%2F` stays inside its segment. Around a place there may be text, as in `/files/{name}.json`. Trailing slashes do
/// not count.
///
/// - `{id:[0-9]+}` takes only text that matches the regular expression as a whole. The syntax is that of
///   `NSRegularExpression`. Braces in it have to be balanced, as in `{id:[0-9]{3}}`; write a single one as `\{` or `\}`. Its
///   named groups are captured too.
/// - `{path...}`, as the last segment, takes one or more segments. They are decoded one by one and joined with slashes, so
///   `%2F` shows as a slash there.
///
/// - Parameter template: Decoded text. Braces that are unbalanced or empty, a name used twice, an invalid regular expression
///   and a `{path...}` that is not the last segment trap.
public func isPath(template: String) -> RequestMatcher {
  RequestMatcher(.pathTemplate(PathTemplate(template)))
}

/// Matches URLs whose path ends in a file name with this extension: `isExtension("json")`, with case.
///
/// - Parameter pathExtension: What follows the last dot. One with a dot or a slash in it traps.
public func isExtension(_ pathExtension: String) -> RequestMatcher {
  require(
    pathExtension.utf8.first != UInt8(ascii: "."),
    "isExtension(\"\(pathExtension)\") has a leading dot: "
      + "write isExtension(\"\(String(pathExtension.unicodeScalars.dropFirst()))\").")
  require(
    !pathExtension.has(".") && !pathExtension.has("/"),
    "isExtension(\"\(pathExtension)\") is no extension: write what follows the last dot, or pathEndsWith(…).")
  return RequestMatcher(.pathExtension(Written(pathExtension)))
}

private func checkPath(_ path: String, in function: String) {
  require(
    !path.has("?"),
    "\(function)(\"\(path)\") has a query: write the path alone, and add containsQuery(…) for the query.")
  require(
    !path.has("#"), "\(function)(\"\(path)\") has a fragment: write the path alone, or isAbsoluteURLString(…).")
}
