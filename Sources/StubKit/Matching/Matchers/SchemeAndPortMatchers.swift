import StubKitFormats

/// Matches URLs with a scheme, ignoring case, such as `isScheme("https")`.
///
/// - Parameter scheme: The scheme alone. A mistake if it contains a colon or a slash, as in `"https://"`.
public func isScheme(_ scheme: String) -> RequestMatcher {
  RequestMatcher("isScheme(\(scheme.debugDescription))") { () throws(UsageMistake) in
    try require(
      !scheme.has(":") && !scheme.has("/"),
      "isScheme(\"\(scheme)\") matches nothing: write the scheme alone, as in isScheme(\"https\").")
    return SchemeCriterion(scheme: Written(scheme, canonical: scheme.lowercased()))
  }
}

/// Matches URLs with a port. If a URL has none, the port is that of its scheme: 80 for http and 443 for https.
///
/// - Parameter port: A number from 0 to 65,535. A mistake if it is any other.
public func isPort(_ port: Int) -> RequestMatcher {
  RequestMatcher("isPort(\(port))") { () throws(UsageMistake) in
    try require((0...65535).contains(port), "isPort(\(port)) matches nothing: a port is a number from 0 to 65535.")
    return PortCriterion(port: port)
  }
}

package final class SchemeCriterion: Criterion {
  /// In lower case.
  let scheme: Written

  package init(scheme: Written) { self.scheme = scheme }

  package var description: String { call("isScheme", scheme.text) }
  package var subject: String { "scheme" }
  package var expectation: String { Excerpt.plain(scheme.text) }
  package var isCheap: Bool { true }

  package func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool { facts.hasScheme(scheme.value) }
  package func actual(_ facts: inout RequestFacts) -> String? { facts.scheme.map(Excerpt.plain) }
  package func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int { Points.place }

  package func forEachEquality(_ body: (Equality) -> Void) {
    body(Equality(dimension: .scheme, hash: KeyHash.ofScheme(scheme.value)))
  }

  package func addPlain(to parts: inout PlainConditionParts) -> Bool { parts.set(scheme: scheme.value) }
}

final class PortCriterion: Criterion {
  let port: Int

  init(port: Int) { self.port = port }

  var description: String { "isPort(\(port))" }
  var subject: String { "port" }
  var expectation: String { "\(port)" }
  var isCheap: Bool { true }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool { facts.port == port }
  func actual(_ facts: inout RequestFacts) -> String? { facts.port.map { "\($0)" } }
  func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int { Points.place }
  func forEachEquality(_ body: (Equality) -> Void) { body(Equality(dimension: .port, hash: UInt64(port))) }
  func addPlain(to parts: inout PlainConditionParts) -> Bool { parts.add(UInt32(exactly: port).map { .port($0) }) }
}
