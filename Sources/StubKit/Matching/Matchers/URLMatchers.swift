import Foundation

extension StubURL {
  /// The URL as a text for `stub`, in which a `URL` has no wildcard and no placeholder.
  package var writtenForStub: String {
    let (text, url) = written
    guard url != nil, text.hasAny(of: "*:{}") else { return text }
    let parts = text.partsOfURL
    let path = parts.path.replacing("*", with: "%2A").replacing(":", with: "%3A")
      .replacing("{", with: "%7B").replacing("}", with: "%7D")
    return "\(parts.origin)\(path)\(parts.rest)"
  }
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
/// without its number, and the path decoded and without a trailing slash. But everything is written as in a URL, so
/// `/a%2Fb` and `/a/b` are different paths. The query must contain each item of the
/// text as often as the text does, and no other. A text without a query matches any query. A text that ends with `?`
/// matches only URLs without query items. User information and the fragment don't count.
///
/// ```swift
/// stub(
///   condition: isURL(client.baseURL.appendingPathComponent("users")),
///   response: .json([]))
/// ```
///
/// - Parameter url: An absolute URL, as a text or as a `URL`, which means what it says, also with a `*`. In a text, you
///   can write characters that Foundation encodes as they are. The test fails if the text is not a URL, has no scheme
///   or no host, or has what stands for any text elsewhere: a `*`, `:id` or `{id}` in its path, or `{name}` in its
///   query. Match a URL that contains one of these literally with ``urlMatches(_:options:)``.
public func isURL(_ url: some StubURL) -> RequestMatcher {
  let (text, url) = url.written
  return .url(text, url)
}

/// Matches a base URL and everything below it.
///
/// ```swift
/// // Matches https://api.example.com/v1/users.
/// let api = hasBaseURL("https://api.example.com/v1")
/// stub(condition: api && pathEndsWith("/users"), response: .json([]))
/// stub(condition: hasBaseURL(client.baseURL), response: .status(503))
/// ```
///
/// The scheme, host and port compare as in ``isURL(_:)``. The path must begin with whole segments: `/v1` and
/// `/v1/users` are under `/v1`, and `/v10` is not. Any query matches. User information and the fragment don't count.
///
/// - Parameter url: An absolute URL without a query. The test fails if it has one, or as for ``isURL(_:)``.
public func hasBaseURL(_ url: some StubURL) -> RequestMatcher {
  let (text, url) = url.written
  return .url(text, url, isBase: true)
}

/// Matches requests whose absolute URL contains a match of a regular expression. To match the whole URL, use the
/// anchors `^` and `$`.
///
/// ```swift
/// stub(
///   condition: urlMatches("^https://(?<bucket>[a-z0-9-]+)[.]s3[.]"),
///   response: .status(204))
/// ```
///
/// The text is the absolute URL as `URL` prints it: percent-encoded, with the query and the fragment, with segments
/// such as `..`, and with the host in its original case. Named groups capture. The index can't look into a pattern.
/// Unless you combine it with another matcher, StubKit checks it for each request that no newer stub answers.
///
/// - Parameters:
///   - pattern: A regular expression in the syntax of `NSRegularExpression`. The test fails if it is invalid.
///   - options: Options such as `.caseInsensitive`. Defaults to none.
public func urlMatches(_ pattern: String, options: NSRegularExpression.Options = []) -> RequestMatcher {
  .matching(.url, pattern, options, in: "urlMatches")
}

extension RequestMatcher {
  /// OHHTTPStubs' matcher for a whole URL as text, including the order of its query and its fragment.
  package static func absoluteURL(_ url: String) -> RequestMatcher {
    let text = MatchText(url, canonical: URL(string: url)?.absoluteString ?? url)
    return RequestMatcher(.url, .equals(text), unless: url.fault(.impossibleURL) ?? url.fault(.absoluteURL))
  }

  /// - Parameters:
  ///   - url: A URL of the client's own, which says what it means.
  ///   - isChecked: Whether the text is known to have no mistake.
  static func url(
    _ text: String, _ url: URL? = nil, isBase: Bool = false, isChecked: Bool = false
  ) -> RequestMatcher {
    let mistake = isChecked || url != nil ? nil : text.fault(.impossibleURL) ?? text.fault(.url)
    return RequestMatcher(URLCriterion.call(text, isBase: isBase), unless: mistake) { () throws(UsageMistake) in
      try URLCriterion(text, url, isBase: isBase)
    }
  }

  static func matching(
    _ part: RequestPart, _ pattern: String, _ options: NSRegularExpression.Options, in function: StaticString,
    unless mistake: Mistake? = nil
  ) -> RequestMatcher {
    let arguments = [part.name, pattern].compactMap { $0?.debugDescription }.listed
    return RequestMatcher("\(function)(\(arguments))", unless: mistake) { () throws(UsageMistake) in
      ValueCriterion(part, .matches(try Pattern(parsing: pattern, options: options, in: function)))
    }
  }
}

/// A URL or a base URL. It has a criterion for each part, and all of them must pass.
final class URLCriterion: Criterion {
  /// The URL as it was written.
  private let text: String
  /// The path that paths below a base URL begin with, or `nil` if this is none.
  private let basePath: MatchText?
  /// The criteria of its parts.
  let criteria: [any Criterion]

  /// Returns the call of the matcher, as Swift source.
  static func call(_ text: String, isBase: Bool) -> String {
    "\(isBase ? "hasBaseURL" : "isURL")(\(text.debugDescription))"
  }

  /// - Parameters:
  ///   - url: The URL, or `nil` to parse the text.
  ///   - isBase: Whether URLs below it match, too.
  init(_ text: String, _ url: URL?, isBase: Bool) throws(UsageMistake) {
    var call: String { Self.call(text, isBase: isBase) }
    var function: String { isBase ? "hasBaseURL" : "isURL" }
    guard let url = url ?? URL(string: text) else {
      throw UsageMistake("\(call) is not a valid URL: write one, as in \(function)(\"https://api.example.com/users\").")
    }
    // As those of a request, so that both are compared in the same form.
    var facts = RequestFacts(URLRequest(url: url))
    try require(
      !isBase || url.query == nil,
      "\(call) has a query: a base URL ends with its path. Add containsQuery(…) for the query.")
    guard let scheme = facts.scheme, let host = facts.host else {
      throw UsageMistake(
        "\(call) has no \(facts.scheme == nil ? "scheme" : "host"): write an absolute URL, as in "
          + "\(function)(\"https://api.example.com/users\"), or isPath(…) for the path alone.")
    }
    func value(_ part: RequestPart, _ text: String) -> ValueCriterion {
      ValueCriterion(part, .equals(MatchText(text)))
    }
    var criteria: [any Criterion] = [value(.scheme, scheme), value(.host, host)]
    if let port = facts.port { criteria.append(value(.port, "\(port)")) }
    let slashed = facts.requestURL.canHaveSlashInSegment ? facts.segments : nil
    let path = MatchText(
      isBase ? String(facts.path.withoutTrailingSlashes) : facts.path, isOfURL: true, slashedSegments: slashed)
    criteria.append(ValueCriterion(.path, isBase ? .isUnder(path) : .equals(path)))
    if !isBase, url.query != nil { criteria.append(ItemsCriterion(.query, facts.queryItems, .counted)) }
    basePath = isBase ? path : nil
    self.text = text
    self.criteria = criteria
  }

  var description: String { Self.call(text, isBase: isBase) }

  /// A Boolean value that indicates whether URLs below it match, too.
  var isBase: Bool { basePath != nil }

  /// The path that paths below a base URL begin with, percent-encoded, or `nil` if this is none.
  var encodedBasePath: String? {
    basePath.map { path in
      (path.segments ?? []).map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? $0 }
        .joined(separator: "/")
    }
  }

  var subject: String { "URL" }
  var expectation: String { (!isBase ? text : "\(text.withoutTrailingSlashes)/…").plain }

  func test(_ facts: inout RequestFacts) -> Bool {
    criteria.allSatisfy { $0.test(&facts) }
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.url.map { _ in facts.absoluteString.plain } }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    for criterion in criteria {
      guard result.isDetailed, let query = criterion as? ItemsCriterion else {
        criterion.explainMismatch(&facts, &result, negated: false)
        continue
      }
      var parts = ScoredMismatches(isDetailed: true)
      query.explainMismatch(&facts, &parts, negated: false)
      var mismatches = parts.mismatches
      // Items that are only too many are what the call didn't mean to forbid.
      if !mismatches.isEmpty, mismatches.allSatisfy({ $0.expected == "none" }) {
        mismatches[0].add(
          "a query in a URL is the whole query: leave it out"
            + (query.items.isEmpty ? "" : ", and add && containsQuery(\(query.items.swiftLiteral))"))
      }
      result.add(parts.distance, all: mismatches)
    }
  }

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) {
    for criterion in criteria { criterion.forEachRequiredValue(body) }
  }

  func compile(into builder: inout CompiledCondition.Builder) -> Bool {
    criteria.allSatisfy { $0.compile(into: &builder) }
  }
}

/// Matches URLs with a scheme, ignoring case, such as `isScheme("https")`.
///
/// ```swift
/// stub(
///   condition: isScheme("http"),
///   response: .failure(.appTransportSecurityRequiresSecureConnection))
/// ```
///
/// - Parameter scheme: The scheme alone. The test fails if it is none (RFC 3986, section 3.1), as `"https://"` or `""`.
public func isScheme(_ scheme: String) -> RequestMatcher {
  RequestMatcher(
    .scheme, .equals(MatchText(scheme, canonical: scheme.lowercased())),
    unless: scheme.fault(.scheme) ?? scheme.fault(.impossibleScheme))
}

/// Matches URLs with a port. If a URL has none, the port is that of its scheme: 80 for http and 443 for https.
///
/// ```swift
/// stub(
///   condition: isHost("api.example.com") && isPort(8443),
///   response: .text("staging"))
/// ```
///
/// - Parameter port: A number from 0 to 65,535. The test fails if it is any other.
public func isPort(_ port: Int) -> RequestMatcher {
  RequestMatcher(.port, .equals(MatchText("\(port)")), unless: "\(port)".fault(.impossiblePort))
}

/// Matches URLs with a host, ignoring case, such as `isHost("api.example.com")`.
///
/// ```swift
/// stub(
///   condition: isMethod(.get) && isHost("api.example.com") && isPath("/users/42"),
///   response: .json(["id": 42, "name": "Ann"]))
/// ```
///
/// An international name matches in Unicode and in Punycode, and an IPv6 address matches with and without brackets. A
/// URL without a host, such as `foo:` or `foo://`, never matches.
///
/// Before macOS 14 and iOS 17, whose `URL(string:)` refuses international hosts, write the name in Punycode.
///
/// - Parameter host: The host alone. The test fails if it is empty, or contains a scheme, a port, a path, user
///   information, white space, a `*` or a brace.
public func isHost(_ host: String) -> RequestMatcher {
  RequestMatcher(
    .host, .equals(MatchText(host, canonical: host.canonicalHost)),
    unless: host.fault(.host) ?? host.fault(.impossibleHost))
}

/// Matches URLs whose host ends with a text, ignoring case.
///
/// ```swift
/// stub(
///   condition: hostEndsWith(".example.com"),
///   response: .failure(.notConnectedToInternet))
/// ```
///
/// `hostEndsWith("example.com")` also matches `badexample.com`. To match only subdomains, write
/// `hostEndsWith(".example.com")`. An international suffix matches whole labels, in Unicode and in Punycode.
///
/// - Parameter suffix: The end of the host. The test fails as for ``isHost(_:)``.
public func hostEndsWith(_ suffix: String) -> RequestMatcher {
  RequestMatcher(
    .host, .ends(with: MatchText(suffix, canonical: suffix.canonicalHost)),
    unless: suffix.fault(.host) ?? suffix.fault(.impossibleHostSuffix))
}

/// Matches requests to this machine: `localhost` and the names below it (RFC 6761, section 6.3), 127.0.0.0/8, and ::1.
///
/// ```swift
/// // Requests to a server of the test reach it, and all others need a stub.
/// HTTPStubs.unmatched = .passThrough(when: isLoopback())
/// ```
public func isLoopback() -> RequestMatcher { RequestMatcher(LoopbackCriterion()) }

extension URLRequest {
  /// A Boolean value that indicates whether the request is for a server on this machine: `localhost` and the names
  /// below it (RFC 6761, section 6.3), 127.0.0.0/8, and ::1.
  package var isLoopback: Bool { RequestFacts(self).host.map(\.isLoopbackHost) ?? false }
}

private final class LoopbackCriterion: Criterion {
  var description: String { "isLoopback()" }
  var subject: String { "host" }
  var expectation: String { "this machine" }
  var weight: ClosedRange<Int> { Points.host.upperBound...Points.host.upperBound }

  func test(_ facts: inout RequestFacts) -> Bool {
    facts.host.map(\.isLoopbackHost) ?? false
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.host.map(\.plain) }
}

/// Matches requests whose absolute URL contains a match of a Swift regular expression, as ``urlMatches(_:options:)``
/// does.
///
/// ```swift
/// urlMatches(#/^https://(?<bucket>[a-z0-9-]+)\.s3\./#)
/// ```
public func urlMatches(_ regex: Regex<some Any>) -> RequestMatcher {
  RequestMatcher(.url, .contains(RegexPattern(regex)))
}

extension RequestMatcher {
  /// Returns whether some part of the condition names the host of a request, as in `isHost(…)` or a URL, whatever else
  /// it asks for.
  func namesHost(of facts: inout RequestFacts) -> Bool { node.namesHost(of: &facts) }
}

extension RequestMatcher.Node {
  fileprivate func namesHost(of facts: inout RequestFacts) -> Bool {
    switch self {
    case .group(_, let children, _): children.contains { $0.namesHost(of: &facts) }
    case .criterion(let criterion): criterion.namesHost(of: &facts)
    case .not, .closure: false
    }
  }
}

extension Criterion {
  fileprivate func namesHost(of facts: inout RequestFacts) -> Bool {
    switch self {
    case let url as URLCriterion: url.criteria.contains { $0.namesHost(of: &facts) }
    case let value as ValueCriterion:
      switch (value.part, value.comparison) {
      case (.url, .equals(let text)): URL(string: text.value)?.host.map { $0.canonicalHost == facts.host } ?? false
      case (.host, _), (.url, _): value.test(&facts)
      default: false
      }
    default: self is LoopbackCriterion && test(&facts)
    }
  }
}

extension String {
  /// The text of a URL or a path in parts: what comes before the path, or nothing, the path, which can have
  /// placeholders with expressions, and the query and the fragment.
  var partsOfURL: (origin: Substring, path: Substring, rest: Substring) {
    var end = min(place(of: "?") ?? endIndex, place(of: "#") ?? endIndex)
    // One in the braces of a placeholder is part of an expression.
    if end < endIndex, has("{") {
      end = firstIndex { $1 <= 0 && ($0 == .question || $0 == .pound) } ?? endIndex
    }
    let rest = self[..<end].scheme?.rest
    let start = rest.map { $0.place(of: "/") ?? end } ?? startIndex
    return (self[..<start], self[start..<end], self[end...])
  }
}
