import StubKitFormats

/// Matches URLs with a scheme, ignoring case, such as `isScheme("https")`.
///
/// ```swift
/// stub(
///   condition: isScheme("http"),
///   response: .failure(.appTransportSecurityRequiresSecureConnection))
/// ```
///
/// - Parameter scheme: The scheme alone. A mistake if it contains a colon or a slash, as in `"https://"`.
public func isScheme(_ scheme: String) -> RequestMatcher {
  RequestMatcher("isScheme(\(scheme.debugDescription))") { () throws(UsageMistake) in
    try require(
      !scheme.has(":") && !scheme.has("/"),
      "isScheme(\"\(scheme)\") matches nothing: write the scheme alone, as in isScheme(\"https\").")
    return ValueCriterion(.scheme, .equals(MatchText(scheme, canonical: scheme.lowercased())))
  }
}

/// Matches URLs with a port. If a URL has none, the port is that of its scheme: 80 for http and 443 for https.
///
/// ```swift
/// stub(
///   condition: isHost("api.example.com") && isPort(8443),
///   response: .text("staging"))
/// ```
///
/// - Parameter port: A number from 0 to 65,535. A mistake if it is any other.
public func isPort(_ port: Int) -> RequestMatcher {
  RequestMatcher("isPort(\(port))") { () throws(UsageMistake) in
    try require((0...65535).contains(port), "isPort(\(port)) matches nothing: a port is a number from 0 to 65535.")
    return ValueCriterion(.port, .equals(MatchText("\(port)")))
  }
}

/// Matches URLs with a host, ignoring case, such as `isHost("api.example.com")`.
///
/// ```swift
/// stub(
///   condition: isHost("api.example.com") && isPath("/users/42"),
///   response: .json(["id": 42, "name": "Ann"]))
/// ```
///
/// An international name matches in Unicode and in Punycode, and an IPv6 address matches with and without brackets. A
/// URL without a host, such as `foo:` or `foo://`, never matches.
///
/// - Parameter host: The host alone. A mistake if it contains a scheme, a port, a path, user information or a `*`.
public func isHost(_ host: String) -> RequestMatcher {
  RequestMatcher("isHost(\(host.debugDescription))") { () throws(UsageMistake) in
    try checkHost(host, in: "isHost")
    return ValueCriterion(.host, .equals(MatchText(host, canonical: HostName.canonical(host))))
  }
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
/// `hostEndsWith(".example.com")`.
///
/// - Parameter suffix: The end of the host, in Unicode or in Punycode. A mistake if it contains a scheme, a port or a
///   path.
public func hostEndsWith(_ suffix: String) -> RequestMatcher {
  RequestMatcher("hostEndsWith(\(suffix.debugDescription))") { () throws(UsageMistake) in
    try checkHost(suffix, in: "hostEndsWith")
    return ValueCriterion(.host, .ends(with: MatchText(suffix, canonical: suffix.lowercased())))
  }
}

private func checkHost(_ host: String, in function: String) throws(UsageMistake) {
  func fail(_ what: String, _ cure: String) throws(UsageMistake) {
    throw UsageMistake("\(function)(\"\(host)\") has \(what): write the host alone, and add \(cure).")
  }
  if host.utf8.contains("://".utf8) { try fail("a scheme", "isScheme(…) for the scheme") }
  if host.has("/") { try fail("a slash", "isPath(…) for the path") }
  if host.has("?") { try fail("a query", "containsQuery(…) for the query") }
  if host.has("*") {
    let suffix = host.utf8.starts(with: "*.".utf8) ? String(host.dropFirst()).debugDescription : "…"
    throw UsageMistake(
      "\(function)(\"\(host)\") has a *, which stands for no other text: write hostEndsWith(\(suffix)).")
  }
  if host.has("@") { try fail("user information", "hasBasicAuth(user:password:) for credentials") }
  let (isOpened, isClosed) = (host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]"))
  let isIPv6 = isOpened ? isClosed : host.pieces(at: ":").count > 2
  if host.has(":"), !isIPv6 { try fail("a port", "isPort(…) for the port") }
}

/// Matches requests to this machine: `localhost` and the names below it (RFC 6761, section 6.3), 127.0.0.0/8, and ::1.
///
/// ```swift
/// // Requests to a server of the test reach it, and all others need a stub.
/// HTTPStubs.unmatched = .passThrough(when: isLoopback())
/// ```
public func isLoopback() -> RequestMatcher { RequestMatcher(LoopbackCriterion()) }

private final class LoopbackCriterion: Criterion {
  var description: String { "isLoopback()" }
  var subject: String { "host" }
  var expectation: String { "this machine" }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.host.map(HostName.isLoopback) ?? false
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.host.map(Excerpt.plain) }

  func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    result.add(Points.host.upperBound, mismatch(actual: actual(&facts)))
  }
}

extension HostName {
  /// Returns whether a host in canonical form is this machine.
  static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "localhost."].contains(host) || host.hasSuffix(".localhost") { return true }
    let groups = host.split(separator: ":").map { UInt16($0, radix: 16) }
    if host.has(":") { return groups.last == 1 && host.hasSuffix("1") && groups.dropLast().allSatisfy { $0 == 0 } }
    let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return bytes.count == 4 && bytes[0] == 127 && !bytes.contains(nil)
  }
}
