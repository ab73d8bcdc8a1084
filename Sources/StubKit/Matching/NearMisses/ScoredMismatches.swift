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

/// The points of a criterion that is not met, in hundredths.
package enum Points {
  static let mistake = 1
  static let usedUp = 1_00
  package static let unknown = 4_00
  package static let method = 10_00
  package static let state = 8_00
  package static let closure = 10_00
  static let negation = 10_00
  package static let path = 5_00...40_00
  package static let host = 15_00...60_00
  package static let url = 5_00...60_00
  package static let origin = 15_00
  package static let item = 4_00...10_00
  static let missingItem = 12_00
  package static let items = 24_00
  package static let body = 5_00...25_00
  package static let otherBody = 28_00
  static let impossible = 60_00

  /// - Parameter share: 0 to 100.
  static func scaled(_ range: ClosedRange<Int>, _ share: Int) -> Int {
    range.lowerBound + (range.upperBound - range.lowerBound) * share / 100
  }
}

extension Array {
  /// Returns the nearest elements, closest first. Equally near ones keep their order.
  package func nearest(_ count: Int, _ distance: (Element) -> Int) -> [Element] {
    // Sorting is stable.
    map { (distance: distance($0), element: $0) }.sorted { $0.distance < $1.distance }.prefix(count).map(\.element)
  }
}

extension RequestMatcher {
  /// A criterion that a request doesn't meet: what was expected, and what arrived.
  ///
  /// ```text
  /// path: expected /users/42, got /users/43
  /// query item page: expected "2", missing; found pge
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
    private(set) var note: String?
    /// Why it isn't known whether the request meets the criterion, or `nil` if it is known that it doesn't.
    let unknown: String?
    /// A Boolean value that indicates whether this is a state of the test, and no part of the request.
    let isState: Bool

    package init(
      _ criterion: String, expected: String, actual: String?, note: String? = nil, unknown: String? = nil,
      isState: Bool = false
    ) {
      self.criterion = criterion
      self.expected = expected
      self.actual = actual
      self.note = note
      self.unknown = unknown
      self.isState = isState
    }

    /// Adds a note after the others.
    mutating func add(_ more: String) { note = note.map { "\($0); \(more)" } ?? more }
  }
}

extension RequestMatcher.Mismatch: CustomStringConvertible {
  /// One line of about 94 characters, and more with a long note. Longer text is shortened where this hides no
  /// difference.
  public var description: String {
    let criterion = criterion.middle(40).onOneLine
    if let unknown { return "\(criterion): \(unknown)" }
    let notes = [note.map { $0.middle(160) }, actual.flatMap(expected.composition(besides:))]
    let note = notes.compactMap { $0.map { "; \($0.onOneLine)" } }.joined()
    // A cure in a note doesn't take the room of what it cures.
    let least = note.count > 40 ? 60 : 30
    let rest = max(least, 94 - criterion.count - note.count - ": expected , got ".count)
    let (expected, got) = expected.onOneLine.middle(rest, beside: (actual ?? "none").onOneLine)
    if isState { return "\(criterion) is \(got), expected \(expected)\(note)" }
    return "\(criterion): expected \(expected), \(actual == nil ? "missing" : "got \(got)")\(note)"
  }
}
