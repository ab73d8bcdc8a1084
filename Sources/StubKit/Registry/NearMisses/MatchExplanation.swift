import Foundation

/// An explanation of why a stub answers a request, or why none does, as ``StubRegistry/explain(_:)`` returns it.
///
/// ```swift
/// print(StubRegistry.current.explain(request))
/// // GET https://api.example.com/users/43 is answered by no stub
/// //   isPath("/users/42") (AppTests/UserTests.swift:12)
/// //     ✗ path: expected /users/42, got /users/43
/// ```
public struct MatchExplanation: Sendable, CustomStringConvertible {
  /// A stub that was checked.
  public struct Candidate: Sendable {
    /// The stub.
    public let stub: Stub
    /// What its condition requires, and what arrived.
    public let report: MatchReport
    /// A Boolean value that indicates whether all uses of the stub are spent, so that it answers nothing whatever its
    /// condition says.
    public let isUsedUp: Bool
  }

  /// The request.
  public let request: URLRequest
  /// The stub that would answer, or `nil` if none would.
  public let stub: Stub?
  /// The stubs from the newest to the one that would answer, or to the oldest if none would.
  public let candidates: [Candidate]

  /// The explanation: each stub, with a line for each criterion.
  public var description: String {
    let verdict = stub.map { "is answered by \($0)" } ?? "is answered by no stub"
    let lines = candidates.flatMap { candidate in
      var lines = candidate.report.description.split(separator: "\n").map { "    \($0)" }
      if candidate.isUsedUp { lines.append("    ✗ used up: \(candidate.stub.usage)") }
      return ["  \(candidate.stub.line)"] + lines
    }
    return (["\(request.summary) \(verdict)"] + lines).joined(separator: "\n")
  }
}
