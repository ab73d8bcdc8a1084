import StubKitFormats

/// Matches URLs with a host, ignoring case, such as `isHost("api.example.com")`.
///
/// An international name matches in Unicode and in Punycode, and an IPv6 address matches with and without brackets. A
/// URL without a host, such as `foo:` or `foo://`, never matches.
///
/// - Parameter host: The host alone. A mistake if it contains a scheme, a port, a path or user information.
public func isHost(_ host: String) -> RequestMatcher {
  RequestMatcher("isHost(\(host.debugDescription))") { () throws(UsageMistake) in
    try checkHost(host, in: "isHost")
    return HostCriterion(.whole, Written(host, canonical: HostName.canonical(host)))
  }
}

/// Matches URLs whose host ends with a text, ignoring case.
///
/// `hostEndsWith("example.com")` also matches `badexample.com`. To match only subdomains, write
/// `hostEndsWith(".example.com")`.
///
/// - Parameter suffix: The end of the host, in Unicode or in Punycode. A mistake if it contains a scheme, a port or a
///   path.
public func hostEndsWith(_ suffix: String) -> RequestMatcher {
  RequestMatcher("hostEndsWith(\(suffix.debugDescription))") { () throws(UsageMistake) in
    try checkHost(suffix, in: "hostEndsWith")
    return HostCriterion(.suffix, Written(suffix, canonical: suffix.lowercased()))
  }
}

private func checkHost(_ host: String, in function: String) throws(UsageMistake) {
  func fail(_ what: String, _ cure: String) throws(UsageMistake) {
    throw UsageMistake("\(function)(\"\(host)\") has \(what): write the host alone, and add \(cure).")
  }
  if host.utf8.contains("://".utf8) { try fail("a scheme", "isScheme(…) for the scheme") }
  if host.has("/") { try fail("a slash", "isPath(…) for the path") }
  if host.has("?") { try fail("a query", "containsQuery(…) for the query") }
  if host.has("@") { try fail("user information", "hasBasicAuth(user:password:) for credentials") }
  let (isOpened, isClosed) = (host.utf8.first == UInt8(ascii: "["), host.utf8.last == UInt8(ascii: "]"))
  let isIPv6 = isOpened ? isClosed : host.pieces(at: ":").count > 2
  if host.has(":"), !isIPv6 { try fail("a port", "isPort(…) for the port") }
}

package final class HostCriterion: Criterion {
  package enum Form: Sendable { case whole, suffix }

  let form: Form
  /// In lower case. A whole host is in Punycode, with an IPv6 address without brackets. A suffix is compared with the
  /// host in Punycode and in Unicode.
  let text: Written

  package init(_ form: Form, _ text: Written) { (self.form, self.text) = (form, text) }

  package var description: String { call(form == .whole ? "isHost" : "hostEndsWith", text.text) }
  package var subject: String { "host" }
  package var expectation: String { Excerpt.plain(form == .whole ? text.text : "…\(text.text)") }
  package var isCheap: Bool { form == .whole }
  package var place: CriterionPlace? { .host }

  package func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    form == .whole ? facts.hasHost(text.value) : facts.hostEnds(with: text.value)
  }

  package func actual(_ facts: inout RequestFacts) -> String? { facts.host.map(Excerpt.plain) }

  package func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int {
    guard let host = facts.host else { return Points.host.most }
    let part = form == .whole ? host : String(host.suffix(text.value.count))
    return points(Points.host, text.value, part, roughly: roughly)
  }

  package func forEachEquality(_ body: (Equality) -> Void) {
    switch form {
    case .whole: body(Equality(.host, text.value))
    case .suffix: Equality.affix(.hostSuffix, text.value).map(body)
    }
  }

  package func addPlain(to parts: inout PlainConditionParts) -> Bool {
    form == .whole ? parts.set(host: text.value) : parts.add(parts.text(text.value).map { .hostSuffix($0) })
  }
}
