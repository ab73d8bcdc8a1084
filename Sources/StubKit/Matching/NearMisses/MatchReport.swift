/// What a condition made of a request, criterion by criterion, in the order in which they were written.
///
/// ```text
/// ✓ isMethodGET()
/// ✗ path: expected /users, got /user
/// ```
public struct MatchReport: Sendable, CustomStringConvertible {
  /// One criterion's part in the result. A `||` is one criterion.
  public struct Result: Sendable, Hashable, CustomStringConvertible {
    /// The criterion as it was written.
    public let criterion: String
    /// Whether the request meets it.
    public let passed: Bool
    /// What is not as it should be; nothing for a criterion that is met. Of a `||` it is what the nearest side lacks.
    public let mismatches: [Mismatch]

    /// The criterion, if it is met; else a line for each mismatch.
    public var description: String {
      if passed { return "✓ \(Excerpt.oneLine(Excerpt.middle(criterion, 94)))" }
      return mismatches.map { "✗ \($0)" }.joined(separator: "\n")
    }
  }

  /// The criteria that have to be met together.
  public let results: [Result]

  /// Whether the request meets all of them.
  public var matches: Bool { results.allSatisfy(\.passed) }

  /// All that is not as it should be.
  public var mismatches: [Mismatch] { results.flatMap(\.mismatches) }

  /// A line for each criterion that is met, and for each mismatch.
  public var description: String { results.map(\.description).joined(separator: "\n") }
}

extension RequestMatcher {
  /// Tests every criterion, closures too, and says how each fared.
  func report(_ facts: inout RequestFacts) -> MatchReport {
    let conjuncts = if case .all(let children, _) = node, !children.isEmpty { children } else { [node] }
    var results: [MatchReport.Result] = []
    for child in conjuncts { results.append(child.result(&facts)) }
    return MatchReport(results: results)
  }
}

extension RequestMatcher.Node {
  fileprivate func result(_ facts: inout RequestFacts) -> MatchReport.Result {
    var captures = Captures()
    let passed = evaluate(&facts, closures: .run, captures: &captures) == .matches
    return MatchReport.Result(criterion: text, passed: passed, mismatches: passed ? [] : mismatches(&facts))
  }
}
