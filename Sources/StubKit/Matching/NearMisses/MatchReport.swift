/// The result of checking a request against a condition, criterion by criterion, in the order in which they were
/// written.
///
/// ```text
/// ✓ isMethodGET()
/// ✗ path: expected /users, got /user
/// ```
public struct MatchReport: Sendable, CustomStringConvertible {
  /// The result of one criterion. An `||` is one criterion.
  public struct Result: Sendable, Hashable, CustomStringConvertible {
    /// The criterion as it was written.
    public let criterion: String
    /// A Boolean value that indicates whether the request meets the criterion.
    public let passed: Bool
    /// What differs, or nothing for a criterion that is met. For an `||`, it is what the nearest side lacks.
    public let mismatches: [Mismatch]

    /// The criterion if it is met, and otherwise a line for each mismatch.
    public var description: String {
      if passed { return "✓ \(Excerpt.oneLine(Excerpt.middle(criterion, 94)))" }
      return mismatches.map { "✗ \($0)" }.joined(separator: "\n")
    }
  }

  /// The criteria that must be met together.
  public let results: [Result]

  /// A Boolean value that indicates whether the request meets all criteria.
  public var matches: Bool { results.allSatisfy(\.passed) }

  /// Everything that differs.
  public var mismatches: [Mismatch] { results.flatMap(\.mismatches) }

  /// A line for each criterion that is met, and for each mismatch.
  public var description: String { results.map(\.description).joined(separator: "\n") }
}

extension RequestMatcher {
  /// Checks every criterion, including closures, and returns the results.
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
    return MatchReport.Result(
      criterion: text, passed: passed, mismatches: passed ? [] : compare(&facts, isDetailed: true).mismatches)
  }
}
