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
      if passed { return "✓ \(Excerpt.condition(criterion))" }
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
  ///
  /// - Parameter shown: Returns a mismatch as it may be shown.
  func explain(
    _ facts: inout RequestFacts, shown: (MatchReport.Mismatch) -> MatchReport.Mismatch = { $0 }
  ) -> MatchReport {
    let conjuncts = if case .all(let children, _) = node, !children.isEmpty { children } else { [node] }
    var results: [MatchReport.Result] = []
    for child in conjuncts {
      var captures = Captures()
      let passed = child.isMet(by: &facts, &captures)
      let mismatches = passed ? [] : child.explainMismatch(&facts, isDetailed: true).mismatches.map(shown)
      results.append(.init(criterion: child.text, passed: passed, mismatches: mismatches))
    }
    return MatchReport(results: results)
  }
}

extension MatchReport {
  /// A part of a condition that a request doesn't meet: what was expected, and what arrived.
  ///
  /// ```text
  /// path: expected /users/42, got /users/43
  /// query item page: expected "2", got none; there is pge
  /// body at user.address[0].zip: expected "1010", got "1020"
  /// cart is .full, expected .empty
  /// closure "is admin": not asked
  /// ```
  public struct Mismatch: Sendable, Hashable {
    /// The part that was compared: `path`, `header Accept`, or `body at user.zip`.
    public let criterion: String
    /// The value that the condition requires, or a description of it.
    public let expected: String
    /// The value in the request, or `nil` if there is none or StubKit did not look for it. While something records, it
    /// lacks what the recording replaces.
    public let actual: String?

    /// A note that helps to see why, after a semicolon.
    let note: String?
    /// Why it isn't known whether the request meets the criterion, or `nil` if it is known that it doesn't.
    let unknown: String?
    /// A Boolean value that indicates whether this is a state of the test, and no part of the request.
    let isState: Bool

    package init(
      _ criterion: String, expected: String, actual: String?, note: String? = nil, unknown: String? = nil,
      isState: Bool = false
    ) {
      (self.criterion, self.expected, self.actual) = (criterion, expected, actual)
      (self.note, self.unknown, self.isState) = (note, unknown, isState)
    }

    func adding(_ more: String) -> Mismatch {
      Mismatch(
        criterion, expected: expected, actual: actual, note: note.map { "\($0); \(more)" } ?? more, unknown: unknown)
    }
  }
}
