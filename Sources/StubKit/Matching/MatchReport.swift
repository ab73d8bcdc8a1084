/// What a condition made of a request, criterion by criterion, in the order in which they were written.
///
/// ```text
/// ✓ isMethodGET()
/// ✗ isPath("/users"): expected "/users", got "/user"
/// ```
public struct MatchReport: Sendable, CustomStringConvertible {
  /// One criterion's part in the result. A `||` is one criterion.
  public struct Result: Sendable, Hashable, CustomStringConvertible {
    /// The criterion as it was written.
    public let criterion: String
    /// Whether the request meets it.
    public let passed: Bool
    /// What the criterion asks for, in words or as a literal.
    public let expected: String
    /// What the request has in its place, or nil if it has nothing there.
    public let actual: String?

    /// One line.
    public var description: String {
      passed ? "✓ \(criterion)" : "✗ \(criterion): expected \(expected), got \(actual ?? "none")"
    }
  }

  /// The criteria that have to be met together.
  public let results: [Result]

  /// Whether the request meets all of them.
  public var matches: Bool { results.allSatisfy(\.passed) }

  /// The criteria that the request does not meet.
  public var mismatches: [Result] { results.filter { !$0.passed } }

  /// A line for each criterion.
  public var description: String { results.map(\.description).joined(separator: "\n") }
}

extension RequestMatcher {
  /// Tests every criterion, closures too, and says how each fared.
  func report(_ facts: inout RequestFacts) -> MatchReport {
    let conjuncts = if case .all(let children) = node, !children.isEmpty { children } else { [node] }
    var results: [MatchReport.Result] = []
    for child in conjuncts { results.append(child.result(&facts)) }
    return MatchReport(results: results)
  }
}

extension RequestMatcher.Node {
  fileprivate func result(_ facts: inout RequestFacts) -> MatchReport.Result {
    var captures = Captures()
    let passed = RequestMatcher(self).evaluate(&facts, closures: .run, captures: &captures) == .matches
    let actual = if case .closure = self { "\(passed)" } else { actual(&facts) }
    return MatchReport.Result(criterion: text, passed: passed, expected: expectation, actual: actual)
  }

  private var expectation: String {
    switch self {
    case .criterion(let criterion): criterion.expectation
    case .closure: "true"
    case .not(let child): "not " + (child.isComposite ? "(\(child.expectation))" : child.expectation)
    case .all(let children) where children.isEmpty: "anything"
    case .either(let children) where children.isEmpty: "no request"
    case .all(let children): children.map(\.expectation).joined(separator: " and ")
    case .either(let children):
      children.map { child in
        if case .all(let inner) = child, inner.count > 1 { "(\(child.expectation))" } else { child.expectation }
      }.joined(separator: " or ")
    }
  }

  private var isComposite: Bool {
    switch self {
    case .all(let children), .either(let children): children.count > 1
    default: false
    }
  }

  /// The values that the tree's criteria look at, each once.
  private func actual(_ facts: inout RequestFacts) -> String? {
    var values: [String] = []
    collectActuals(&facts, &values)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  private func collectActuals(_ facts: inout RequestFacts, _ values: inout [String]) {
    switch self {
    case .criterion(let criterion):
      if let value = criterion.actual(&facts), !values.contains(value) { values.append(value) }
    case .closure: break
    case .not(let child): child.collectActuals(&facts, &values)
    case .all(let children), .either(let children):
      for child in children { child.collectActuals(&facts, &values) }
    }
  }
}
