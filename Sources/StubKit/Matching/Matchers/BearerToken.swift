import StubKitFormats

/// Matches requests that authenticate with a bearer token (RFC 6750, section 2.1).
///
/// ```swift
/// stub(condition: isPath("/me") && hasBearerToken("abc"), response: .json(["id": 42]))
/// stub(condition: isPath("/me") && !hasBearerToken(), response: .status(401))
/// ```
///
/// The scheme `Bearer` compares without case, and the token with case.
///
/// - Parameter token: The token, or `nil` for any. Defaults to any. A mistake if it is empty or contains white space.
public func hasBearerToken(_ token: String? = nil) -> RequestMatcher {
  RequestMatcher(
    BearerTokenCriterion(token: token), unless: token.flatMap { Mistake.of(.bearerToken, $0) })
}

private final class BearerTokenCriterion: Criterion {
  private let token: String?

  init(token: String?) { self.token = token }

  var description: String { token.map { call("hasBearerToken", $0) } ?? "hasBearerToken()" }
  var subject: String { "bearer token" }
  var expectation: String { token?.debugDescription ?? "any value" }
  var opposite: String { token == nil ? "none" : "anything but \(expectation)" }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    guard let sent = Self.token(of: &facts) else { return false }
    return token == nil || sent == token
  }

  func actual(_ facts: inout RequestFacts) -> String? {
    Self.token(of: &facts)?.debugDescription ?? facts.header("Authorization")?.debugDescription
  }

  func forEachEquality(_ body: (Equality) -> Void) { body(Equality(.headerName, "authorization")) }

  private static func token(of facts: inout RequestFacts) -> String? {
    guard let (scheme, token) = facts.header("Authorization")?[...].withoutOuterSpace.cut(at: " "),
      scheme.lowercased() == "bearer"
    else { return nil }
    let trimmed = token.withoutOuterSpace
    return trimmed.isEmpty ? nil : String(trimmed)
  }
}
