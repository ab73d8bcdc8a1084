/// How far a request is from meeting a condition, and what differs. One pass finds both.
///
/// The distance is measured in hundredths of the points that ``NearMiss`` lists. It is 0 for a request that meets the
/// condition, and for no other. What differs is in the order of the condition.
package struct ScoredMismatches {
  package private(set) var distance = 0
  package private(set) var mismatches: [RequestMatcher.Mismatch] = []
  /// A Boolean value that indicates whether the mismatches are wanted, and not just the distance.
  let isDetailed: Bool

  /// Adds something that differs.
  package mutating func add(_ points: Int, _ mismatch: @autoclosure () -> RequestMatcher.Mismatch) {
    distance += points
    if isDetailed { mismatches.append(mismatch()) }
  }

  /// Adds all that differs in one criterion or in one alternative, with its points together.
  mutating func add(_ points: Int, all more: [RequestMatcher.Mismatch]) {
    distance += points
    mismatches += more
  }
}

extension RequestMatcher.Node {
  /// Compares the request with the condition.
  ///
  /// This runs no closure and reads no body. The facts remember the results of closures that have run, and what was not
  /// asked stays unknown.
  ///
  /// - Parameters:
  ///   - isDetailed: Whether the mismatches are wanted, and not just the distance.
  ///   - negated: Whether the request must not meet the condition.
  func explainMismatch(
    _ facts: inout RequestFacts, isDetailed: Bool = true, negated: Bool = false
  ) -> ScoredMismatches {
    var result = ScoredMismatches(isDetailed: isDetailed)
    explainMismatch(&facts, &result, negated: negated)
    return result
  }

  private func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches, negated: Bool) {
    switch self {
    case .criterion(let criterion): criterion.explainMismatch(&facts, &result, negated: negated)
    case .closure(let closure): closure.explainMismatch(&facts, &result, negated: negated)
    case .not(let child): child.explainMismatch(&facts, &result, negated: !negated)
    // A group under a ! is the other kind of group of its negated members (De Morgan).
    case .group(isEither: negated, let children, _):
      for child in children { child.explainMismatch(&facts, &result, negated: negated) }
    case .group(_, let children, _):
      var sides: [ScoredMismatches] = []
      for child in children {
        let side = child.explainMismatch(&facts, isDetailed: result.isDetailed, negated: negated)
        if side.distance == 0 { return }
        sides.append(side)
      }
      // Nothing meets a group without members.
      guard let nearest = sides.min(by: { $0.distance < $1.distance }) else {
        return result.add(
          Points.impossible, .init("condition", expected: negated ? "no request" : text, actual: "a request"))
      }
      var mismatches = nearest.mismatches
      if !mismatches.isEmpty { mismatches[0].add("nearest of \(sides.count) alternatives") }
      result.add(nearest.distance, all: mismatches)
    }
  }
}

extension Criterion {
  /// Adds what keeps the request from passing, or under a `!` from not passing. This doesn't read a body.
  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches, negated: Bool) {
    let isUnread = stages.contains(.body) && facts.bodyIsUnread
    if isUnread || facts.isVerified, let unknown = unknownFact(&facts) {
      return result.add(
        Points.unknown, .init(unknown.subject, expected: expectation, actual: nil, unknown: unknown.reason))
    }
    guard test(&facts) == negated else { return }
    if negated {
      result.add(Points.negation, mismatch(expected: opposite, actual: actual(&facts)))
    } else {
      explainMismatch(&facts, &result)
    }
  }
}

extension ClosureTest {
  fileprivate func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches, negated: Bool) {
    let answer = facts.closureResults[ObjectIdentifier(self)]
    if answer == !negated { return }
    let quoted = text.hasPrefix("{") ? text : text.debugDescription
    let subject = decoding == nil ? "closure \(quoted)" : text
    guard let answer else {
      return result.add(Points.unknown, .init(subject, expected: "\(!negated)", actual: nil, unknown: "not asked"))
    }
    guard let decoding else {
      return result.add(Points.closure, .init(subject, expected: "\(!negated)", actual: "\(answer)"))
    }
    let body = facts.request.stubBody
    result.add(
      Points.closure,
      .init(
        "body", expected: "\(negated ? "no" : "a") \(decoding.expectation)", actual: body?.excerpt,
        note: facts.codingNote ?? body.flatMap(decoding.problem)))
  }
}
