import Foundation

/// An explanation of why a stub answers a request, or why none does, as ``StubRegistry/explain(_:)`` returns it.
///
/// ```swift
/// print(HTTPStubs.explain(request))
/// // GET https://api.example.com/users/43 is answered by no stub
/// //   isPath("/users/42") (AppTests/UserTests.swift:12)
/// //     path: expected /users/42, got /users/43
/// ```
public struct MatchExplanation: Sendable, CustomStringConvertible {
  /// The request.
  public let request: URLRequest
  /// The stub that would answer, or `nil` if none would, or if that depends on an unknown body.
  public var stub: Stub? { isCertain ? found : nil }
  /// The first stub whose condition is certainly met.
  let found: Stub?
  /// The stubs that were asked before that one, newest first, or all stubs if none would answer.
  public let candidates: [NearMiss]
  /// A Boolean value that indicates whether no earlier stub hangs on a body that isn't known.
  let isCertain: Bool

  /// The stub that would answer, followed by what differs for each one that was asked before.
  public var description: String {
    let answer = ("is answered by \(found.map { "\($0)" } ?? "no stub")").onOneLine
    let verdict = isCertain ? answer : "\(answer), unless its body, which is not known, meets one of these conditions"
    let lines = candidates.flatMap { $0.lines(limit: .max) }.map { "  \($0)" }
    return (["\(request.summary) \(verdict)"] + lines).lines
  }
}
