import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a request gets the stub it gets, or none: what ``StubRegistry/explain(_:)`` returns.
///
/// ```swift
/// print(StubRegistry.current.explain(request))
/// // GET https://api.example.com/users/43 is answered by no stub
/// //   isHost("api.example.com") && isPath("/users/42") (AppTests/UserTests.swift:12)
/// //     ✓ isHost("api.example.com")
/// //     ✗ path: expected /users/42, got /users/43
/// ```
public struct MatchExplanation: Sendable, CustomStringConvertible {
  /// A stub that was looked at.
  public struct Candidate: Sendable {
    /// The stub.
    public let stub: Stub
    /// What its condition asks for, and what came.
    public let report: MatchReport
    /// Whether all its uses are spent, so that it answers nothing whatever its condition says.
    public let isUsedUp: Bool
  }

  /// The request.
  public let request: URLRequest
  /// The stub that would answer, nil when none would.
  public let stub: Stub?
  /// The stubs from the newest to the one that would answer, or to the oldest when none would.
  public let candidates: [Candidate]

  /// The explanation: each stub, and below it a line for each thing it asks for.
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
