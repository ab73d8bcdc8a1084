import Foundation
import StubKitFormats

/// Matches URLs with exactly this path, such as `isPath("/users/42")`.
///
/// The path is percent-decoded, as `URL.path` returns it: without the query and the fragment, and with `;parameters`.
/// A trailing slash doesn't count, and `""` equals `"/"`. For a URL of the form `scheme:path`, use ``pathMatches(_:options:)``.
///
/// - Parameter path: The decoded path. Write `isPath("/a b")` for `/a%20b`. A mistake if it doesn't begin with a slash,
///   if it contains a `?` or a `#`, or if it is a URL or a template.
public func isPath(_ path: String) -> RequestMatcher {
  RequestMatcher("isPath(\(path.debugDescription))") { () throws(UsageMistake) in
    try checkPath(path, in: "isPath", isWhole: true)
    return PathCriterion(.whole, Written(path, canonical: HTTPPath.canonical(path)))
  }
}

/// Matches URLs whose path begins with a text.
///
/// `pathStartsWith("/v1")` also matches `/v10`. To match everything below `/v1`, write `pathStartsWith("/v1/")`.
///
/// - Parameter prefix: The decoded beginning of the path. A mistake if it contains a `?` or a `#`.
public func pathStartsWith(_ prefix: String) -> RequestMatcher {
  RequestMatcher("pathStartsWith(\(prefix.debugDescription))") { () throws(UsageMistake) in
    try checkPath(prefix, in: "pathStartsWith")
    return PathCriterion(.prefix, Written(prefix))
  }
}

/// Matches URLs whose path ends with a text, such as `pathEndsWith("/avatar.png")`. The query and the fragment are
/// not part of the path.
///
/// - Parameter suffix: The decoded end of the path. A trailing slash doesn't count. A mistake if it contains a `?` or a
///   `#`.
public func pathEndsWith(_ suffix: String) -> RequestMatcher {
  RequestMatcher("pathEndsWith(\(suffix.debugDescription))") { () throws(UsageMistake) in
    try checkPath(suffix, in: "pathEndsWith")
    return PathCriterion(.suffix, Written(suffix, canonical: suffix.isEmpty ? "" : HTTPPath.canonical(suffix)))
  }
}

/// Matches URLs whose path contains a match of a regular expression. To match the whole path, use the anchors `^` and
/// `$`.
///
/// Named groups capture: after `(?<id>\d+)`, `match["id"]` is the text.
public func pathMatches(_ expression: NSRegularExpression) -> RequestMatcher {
  RequestMatcher(PatternCriterion(.path, Pattern(expression)))
}

/// Matches URLs whose path contains a match of a regular expression. To match the whole path, use the anchors `^` and
/// `$`.
///
/// ```swift
/// stub(condition: pathMatches("^/users/(?<id>\\d+)$")) { _, match in
///   .json(["id": "\(match["id"]!)"])
/// }
/// ```
///
/// - Parameters:
///   - pattern: A regular expression in the syntax of `NSRegularExpression`. A mistake if it is invalid.
///   - options: Options such as `.caseInsensitive`. Defaults to none.
public func pathMatches(_ pattern: String, options: NSRegularExpression.Options = []) -> RequestMatcher {
  RequestMatcher("pathMatches(\(pattern.debugDescription))") { () throws(UsageMistake) in
    PatternCriterion(.path, try Pattern(parsing: pattern, options: options, in: "pathMatches"))
  }
}

/// Matches URLs whose path has a certain shape, and captures what stands in place of the braces.
///
/// ```swift
/// stub(condition: isPath(template: "/users/{id}/posts/{post}")) { _, match in
///   .json(["user": "\(match["id"]!)", "post": "\(match["post"]!)"])
/// }
/// ```
///
/// A placeholder matches one or more characters of one segment. StubKit splits the encoded path into segments and
/// decodes each one, so `%2F` stays inside its segment. A segment can also contain text, as in `/files/{name}.json`.
/// Trailing slashes don't count.
///
/// - `{id:[0-9]+}` matches only text that the regular expression matches as a whole. The syntax is that of
///   `NSRegularExpression`. Braces in it must be balanced, as in `{id:[0-9]{3}}`. Write a single brace as `\{` or
///   `\}`. Named groups capture too.
/// - `{path...}`, as the last segment, matches one or more segments. They are decoded one by one and joined with
///   slashes, so `%2F` appears as a slash.
///
/// - Parameter template: The template, as decoded text. A mistake if braces are unbalanced or empty, if a name occurs
///   twice, if a regular expression is invalid, or if `{path...}` is not the last segment.
public func isPath(template: String) -> RequestMatcher {
  RequestMatcher("isPath(template: \(template.debugDescription))") { () throws(UsageMistake) in
    try PathTemplate(template)
  }
}

/// Matches URLs whose path ends with a path extension, such as `isExtension("json")`. Case matters.
///
/// - Parameter pathExtension: The part after the last dot. A mistake if it contains a dot or a slash.
public func isExtension(_ pathExtension: String) -> RequestMatcher {
  RequestMatcher("isExtension(\(pathExtension.debugDescription))") { () throws(UsageMistake) in
    try require(
      pathExtension.utf8.first != UInt8(ascii: "."),
      "isExtension(\"\(pathExtension)\") has a leading dot: "
        + "write isExtension(\"\(String(pathExtension.unicodeScalars.dropFirst()))\").")
    try require(
      !pathExtension.has(".") && !pathExtension.has("/"),
      "isExtension(\"\(pathExtension)\") is not a valid path extension: write what follows the last dot, or pathEndsWith(…)."
    )
    return PathExtensionCriterion(text: Written(pathExtension))
  }
}

/// - Parameter isWhole: Whether the path is compared as a whole, so that it begins with a slash.
private func checkPath(_ path: String, in function: String, isWhole: Bool = false) throws(UsageMistake) {
  let call = "\(function)(\"\(path)\")"
  if let scheme = path.firstRange(of: "://"), path[..<scheme.lowerBound].utf8.allSatisfy({ $0 != UInt8(ascii: "/") }) {
    throw UsageMistake("\(call) is a URL: write isURL(\"\(path)\"), or the path alone.")
  }
  try require(!path.has("?"), "\(call) has a query: write the path alone, and add containsQuery(…) for the query.")
  try require(!path.has("#"), "\(call) has a fragment: write the path alone, or isAbsoluteURLString(…).")
  guard isWhole else { return }
  try require(
    path.isEmpty || path.utf8.first == UInt8(ascii: "/"),
    "\(call) has no slash in front: write isPath(\"/\(path)\").")
  try require(
    path.pieces(at: "/").allSatisfy { $0.utf8.first != UInt8(ascii: "{") || $0.utf8.last != UInt8(ascii: "}") },
    "\(call) has a placeholder, but isn't a template: write isPath(template: \"\(path)\").")
}

package final class PathCriterion: Criterion {
  package enum Form: Sendable {
    case whole, prefix, suffix
    /// A prefix of whole segments. Empty for the root, which contains every path.
    case under
  }

  let form: Form
  /// Percent-decoded. A whole path has no trailing slash, and the root is "/".
  let text: Written

  package init(_ form: Form, _ text: Written) { (self.form, self.text) = (form, text) }

  package var description: String {
    switch form {
    case .whole: call("isPath", text.text)
    case .prefix: call("pathStartsWith", text.text)
    case .under: "(\(call("isPath", text.text)) || \(call("pathStartsWith", text.text + "/")))"
    case .suffix: call("pathEndsWith", text.text)
    }
  }

  package var subject: String { "path" }

  package var expectation: String {
    switch form {
    case .whole: Excerpt.plain(text.text)
    case .prefix: Excerpt.plain("\(text.text)…")
    case .under: Excerpt.plain("\(text.text)/…")
    case .suffix: Excerpt.plain("…\(text.text)")
    }
  }

  package var isCheap: Bool { true }
  package var place: CriterionPlace? { .path }

  package func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    switch form {
    case .whole: facts.hasPath(text.value)
    case .prefix: facts.url != nil && facts.path.begins(with: text.value)
    case .under: facts.url != nil && HTTPPath.isPath(facts.path, under: text.value)
    case .suffix: facts.url != nil && facts.path.ends(with: text.value)
    }
  }

  package func actual(_ facts: inout RequestFacts) -> String? { facts.url.map { _ in Excerpt.plain(facts.path) } }

  package func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int {
    let part: String
    switch form {
    case .whole:
      if facts.url == nil { return Points.path.most }
      part = facts.path
    case .prefix, .under: part = String(facts.path.prefix(text.value.count))
    case .suffix: part = String(facts.path.suffix(text.value.count))
    }
    let difference = TextDifference(text.value, part)
    return Points.scaled(Points.path, roughly ? difference.leastPathShare : difference.pathShare)
  }

  package func forEachEquality(_ body: (Equality) -> Void) {
    switch form {
    case .whole: body(Equality(.path, text.value))
    case .prefix, .under: Equality.affix(.pathPrefix, text.value).map(body)
    case .suffix: Equality.affix(.pathSuffix, text.value).map(body)
    }
  }

  package func addPlain(to parts: inout PlainConditionParts) -> Bool {
    switch form {
    case .whole: parts.set(path: text.value)
    case .prefix: parts.add(parts.text(text.value).map { .pathPrefix($0) })
    case .under: parts.add(parts.text(text.value).map { .pathUnder($0) })
    case .suffix: parts.add(parts.text(text.value).map { .pathSuffix($0) })
    }
  }
}

final class PathExtensionCriterion: Criterion {
  let text: Written

  init(text: Written) { self.text = text }

  var description: String { call("isExtension", text.text) }
  var subject: String { "path extension" }
  var expectation: String { Excerpt.plain(text.text) }
  var isCheap: Bool { true }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.url != nil && facts.pathExtension == text.value
  }

  func actual(_ facts: inout RequestFacts) -> String? {
    facts.pathExtension.isEmpty ? nil : Excerpt.plain(String(facts.pathExtension))
  }

  func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int { Points.method }
  func forEachEquality(_ body: (Equality) -> Void) { body(Equality(.pathExtension, text.value)) }
}
