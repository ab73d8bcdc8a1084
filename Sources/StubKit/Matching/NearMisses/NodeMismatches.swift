extension RequestMatcher.Node {
  /// What the request lacks, in the order in which it was asked for; empty if it matches.
  ///
  /// It runs no closure: what those said that have been run for these facts is remembered there, and what was not asked
  /// stays unknown.
  func mismatches(_ facts: inout RequestFacts, negated: Bool = false) -> [MatchReport.Mismatch] {
    switch self {
    case .criterion(let criterion): return criterion.mismatches(&facts, negated: negated)
    case .closure(let closure): return closure.mismatches(facts, negated: negated)
    case .not(let child): return child.mismatches(&facts, negated: !negated)
    case .all(let children) where children.isEmpty, .either(let children) where children.isEmpty:
      return matchesAll(negated)
        ? [] : [.init("condition", expected: negated ? "no request" : text, actual: "a request")]
    case .all(let children), .either(let children):
      return isConjunction(negated)
        ? children.flatMap { $0.mismatches(&facts, negated: negated) }
        : Self.mismatches(ofEither: children, &facts, negated: negated)
    }
  }

  /// A group under a `!` is the other kind of group of its negated members (De Morgan).
  func isConjunction(_ negated: Bool) -> Bool {
    if case .all = self { !negated } else { negated }
  }

  /// Of an empty group.
  func matchesAll(_ negated: Bool) -> Bool { isConjunction(negated) }

  /// What the nearest side lacks; sides that look at the same thing are told together.
  private static func mismatches(
    ofEither children: [Self], _ facts: inout RequestFacts, negated: Bool
  ) -> [MatchReport.Mismatch] {
    var sides: [[MatchReport.Mismatch]] = []
    var nearest: (index: Int, distance: Int)?
    for (index, child) in children.enumerated() {
      let distance = child.distance(&facts, negated: negated)
      if distance == 0 { return [] }
      sides.append(child.mismatches(&facts, negated: negated))
      if distance < nearest?.distance ?? .max { nearest = (index, distance) }
    }
    if let together = together(sides) { return [together] }
    var side = nearest.map { sides[$0.index] } ?? []
    if !side.isEmpty { side[0] = side[0].adding("nearest of \(sides.count) alternatives") }
    return side
  }

  private static func together(_ sides: [[MatchReport.Mismatch]]) -> MatchReport.Mismatch? {
    guard sides.count < 5, let first = sides[0].first,
      sides.allSatisfy({ side in
        side.count == 1 && side[0].criterion == first.criterion && side[0].actual == first.actual
          && side[0].unknown == nil
      })
    else { return nil }
    let expected = sides.map { $0[0].expected }.joined(separator: " or ")
    return MatchReport.Mismatch(first.criterion, expected: expected, actual: first.actual, note: first.note)
  }
}

extension ClosureCriterion {
  fileprivate func mismatches(_ facts: RequestFacts, negated: Bool) -> [MatchReport.Mismatch] {
    let said = facts.result(of: self)
    if said == !negated { return [] }
    let subject = text.hasPrefix("{") ? "closure \(text)" : "closure \(text.debugDescription)"
    return [
      MatchReport.Mismatch(
        subject, expected: "\(!negated)", actual: said.map { "\($0)" }, unknown: said == nil ? "not asked" : nil)
    ]
  }
}
