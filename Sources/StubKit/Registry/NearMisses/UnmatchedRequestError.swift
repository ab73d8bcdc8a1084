import Foundation

/// The error of a request that no stub matched, under ``UnmatchedPolicy/fail``, or that can't be attributed to a
/// scope.
///
/// Its `description`, and the `localizedDescription` of the error that arrives, name the nearest stubs with file and
/// line, and say for each what was expected and what arrived:
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
/// The report has at most 25 lines, unless it is unclear whose request it is and several open scopes have a matching stub.
/// It names each of them. On Apple platforms, URLSession passes on only an `NSError` that stands for this error:
/// ``StubKitError/init(from:)`` finds the value in it. <doc:WhenAStubDoesNotMatch> explains one line by line.
public struct UnmatchedRequestError: StubKitError {
  /// The request.
  public let request: URLRequest

  /// The nearest stubs of the request, at most three, nearest first. ``NearMiss`` describes how the distance is
  /// measured.
  public let nearest: [NearMiss]

  /// The report.
  public let description: String
}

extension UnmatchedRequestError {
  /// - Parameters:
  ///   - facts: The facts, with the results of the closures that have run for the request. None runs here, and no
  ///     body is read.
  ///   - registry: The registry that received the request.
  ///   - scopes: The open scopes.
  ///   - remedy: The command that records the request, or `nil` if no recording plays where it was made.
  init(
    _ facts: RequestFacts, in registry: StubRegistry, scopes: OpenScopes = .shared, remedy: String? = nil
  ) {
    var facts = facts
    facts.indexWhatClosuresSaid()
    let entries = registry.recordedEntries
    // Entries of the same request differ from this one in the same way.
    let stubs = registry.stubs.filter { entries[$0.id]?.isFirst ?? true }
    // The newest of equally near ones comes first.
    let nearest = stubs.reversed().nearest(3) { $0.distance(&facts) }
      .map { NearMiss($0, &facts, entry: entries[$0.id]) }
    let report = UnmatchedReport(
      request: facts.incoming.bare, stubCount: stubs.count, nearest: nearest, remedy: remedy,
      elsewhere: ScopeHints.unmatched(facts, in: registry, scopes: scopes))
    // The request doesn't fail in a task of the registry's scope.
    let lines = StubRegistry.$local.withValue(registry) { report.lines }
    self.init(request: facts.request, nearest: nearest, description: lines.joined(separator: "\n"))
  }
}
