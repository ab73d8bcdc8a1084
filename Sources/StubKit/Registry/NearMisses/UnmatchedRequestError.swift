import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The error of a request that no stub matched, under ``UnmatchedPolicy/fail``, or of which nothing tells whose stubs to ask.
///
/// Its description, which is its `localizedDescription` too, names the nearest stubs, with file and line, and says of each
/// what was expected and what came:
///
/// ```
/// No stub matches GET https://api.example.com/users/43
/// The nearest of 12 stubs:
///   isHost("api.example.com") && isPath("/users/42") (AppTests/UserTests.swift:12)
///     path: expected /users/42, got /users/43
///   "login" isMethodPOST() && isHost("api.example.com") && isPath("/login") (AppTests/UserTests.swift:9)
///     method: expected POST, got GET
///     path: expected /login, got /users/43
///   isHost("cdn.example.com") (AppTests/UserTests.swift:8)
///     host: expected cdn.example.com, got api.example.com
/// Register a stub for it, or let it reach the network with HTTPStubs.unmatched = .passThrough.
/// ```
///
/// It has at most 25 lines. The guide <doc:WhenAStubDoesNotMatch> reads one line by line.
public struct UnmatchedRequestError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// The request.
  public let request: URLRequest

  /// The stubs that the request came nearest to, at most three, nearest first. See ``NearMiss`` for how that is measured.
  public let nearest: [NearMiss]

  /// The report.
  public let description: String

  /// The report.
  public var errorDescription: String? { description }
}

extension UnmatchedRequestError {
  /// - Parameters:
  ///   - facts: With what the closures said that have been run for the request: none is run here, and no body is read.
  ///   - registry: Where the request was made.
  ///   - scopes: The scopes that are open.
  init(_ facts: RequestFacts, in registry: StubRegistry, scopes: LivingScopes = .shared) {
    var facts = facts
    facts.indexWhatClosuresSaid()
    let stubs = registry.stubs
    let nearest = NearestStubs(3, to: &facts, among: stubs).stubs.map { NearMiss($0, &facts) }
    self.init(
      request: facts.request, nearest: nearest,
      description: UnmatchedReport(
        request: facts.incoming.bare, stubCount: stubs.count, nearest: nearest,
        elsewhere: ScopeHints(scopes: scopes, incoming: facts.incoming, registry: registry).lines
      ).lines.joined(separator: "\n"))
  }
}

extension URLRequest {
  /// `GET https://api.example.com/users`, on one line.
  var summary: String { Excerpt.oneLine("\(httpMethod ?? "GET") \(url?.absoluteString ?? "(no URL)")") }
}
