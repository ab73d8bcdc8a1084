import StubKitFormats

/// Matches URLs with a scheme, ignoring case, such as `isScheme("https")`.
///
/// ```swift
/// stub(
///   condition: isScheme("http"),
///   response: .failure(.appTransportSecurityRequiresSecureConnection))
/// ```
///
/// - Parameter scheme: The scheme alone. A mistake if it is none (RFC 3986, section 3.1), as `"https://"` or `""`.
public func isScheme(_ scheme: String) -> RequestMatcher {
  RequestMatcher(
    .scheme, .equals(MatchText(scheme, canonical: scheme.lowercased())), unless: Mistake.of(.scheme, scheme))
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
  RequestMatcher(.port, .equals(MatchText("\(port)")), unless: Mistake.of(.port, "\(port)"))
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
/// Before macOS 14 and iOS 17, whose `URL(string:)` refuses international hosts, write the name in Punycode.
///
/// - Parameter host: The host alone. A mistake if it is empty, or contains a scheme, a port, a path, user information,
///   white space or a `*`.
public func isHost(_ host: String) -> RequestMatcher {
  RequestMatcher(.host, .equals(MatchText(host, canonical: HostName.canonical(host))), unless: Mistake.of(.host, host))
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
/// - Parameter suffix: The end of the host. A mistake if it is empty, or one in ``isHost(_:)``.
public func hostEndsWith(_ suffix: String) -> RequestMatcher {
  RequestMatcher(
    .host, .ends(with: MatchText(suffix, canonical: HostName.canonical(suffix: suffix))),
    unless: Mistake.of(.host, suffix))
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
  var weight: ClosedRange<Int> { Points.host.upperBound...Points.host.upperBound }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    facts.host.map(HostName.isLoopback) ?? false
  }

  func actual(_ facts: inout RequestFacts) -> String? { facts.host.map(Excerpt.plain) }
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
