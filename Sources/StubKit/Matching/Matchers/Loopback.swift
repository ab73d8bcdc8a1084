import StubKitFormats

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
    if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
    let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return bytes.count == 4 && bytes[0] == 127 && !bytes.contains(nil)
  }
}
