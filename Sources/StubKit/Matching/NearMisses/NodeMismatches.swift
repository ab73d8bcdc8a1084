extension RequestMatcher.Node {
  /// Returns what the request lacks, in the order of the condition. Empty if it matches.
  ///
  /// This runs no closure. The facts remember the results of closures that have run, and what was not asked stays
  /// unknown.
  func mismatches(_ facts: inout RequestFacts, negated: Bool = false) -> [MatchReport.Mismatch] {
    switch self {
    case .criterion(let criterion): return criterion.mismatches(&facts, negated: negated)
    case .closure(let closure): return closure.mismatches(&facts, negated: negated)
    case .not(let child): return child.mismatches(&facts, negated: !negated)
    case .all(let children, _) where children.isEmpty, .either(let children, _) where children.isEmpty:
      return matchesAll(negated)
        ? [] : [.init("condition", expected: negated ? "no request" : text, actual: "a request")]
    case .all(let children, _), .either(let children, _):
      return isConjunction(negated)
        ? children.flatMap { $0.mismatches(&facts, negated: negated) }
        : Self.mismatches(ofEither: children, &facts, negated: negated)
    }
  }

  /// A group under a `!` is the other kind of group of its negated members (De Morgan).
  func isConjunction(_ negated: Bool) -> Bool {
    if case .all = self { !negated } else { negated }
  }

  /// Returns whether an empty group matches.
  func matchesAll(_ negated: Bool) -> Bool { isConjunction(negated) }

  /// Returns what the nearest side lacks. Sides that compare the same part are reported together.
  private static func mismatches(
    ofEither children: [Self], _ facts: inout RequestFacts, negated: Bool
  ) -> [MatchReport.Mismatch] {
    var sides: [Lack] = []
    for child in children {
      let lack = child.lack(&facts, negated: negated)
      if lack.distance == 0 { return [] }
      sides.append(lack)
    }
    return nearest(sides).mismatches
  }

  /// What the request lacks, and its distance from a match. One pass computes both, so that nested groups aren't
  /// visited again and again.
  private struct Lack {
    var distance: Int
    var mismatches: [MatchReport.Mismatch]
  }

  private func lack(_ facts: inout RequestFacts, negated: Bool) -> Lack {
    switch self {
    case .not(let child): return child.lack(&facts, negated: !negated)
    case .all(let children, _) where !children.isEmpty, .either(let children, _) where !children.isEmpty:
      var lacks: [Lack] = []
      for child in children {
        let lack = child.lack(&facts, negated: negated)
        if lack.distance == 0, !isConjunction(negated) { return Lack(distance: 0, mismatches: []) }
        lacks.append(lack)
      }
      guard isConjunction(negated) else { return Self.nearest(lacks) }
      return Lack(distance: lacks.reduce(0) { $0 + $1.distance }, mismatches: lacks.flatMap(\.mismatches))
    default:
      return Lack(
        distance: distance(&facts, negated: negated), mismatches: mismatches(&facts, negated: negated))
    }
  }

  /// - Parameter sides: One or more sides, none of which is met.
  private static func nearest(_ sides: [Lack]) -> Lack {
    var nearest = sides.min { $0.distance < $1.distance } ?? Lack(distance: 0, mismatches: [])
    if let together = together(sides.map(\.mismatches)) {
      nearest.mismatches = [together]
    } else if !nearest.mismatches.isEmpty {
      nearest.mismatches[0] = nearest.mismatches[0].adding("nearest of \(sides.count) alternatives")
    }
    return nearest
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
  fileprivate func mismatches(_ facts: inout RequestFacts, negated: Bool) -> [MatchReport.Mismatch] {
    let said = facts.result(of: self)
    if said == !negated { return [] }
    if let decoding { return [mismatch(of: decoding, &facts, negated: negated, isAsked: said != nil)] }
    let subject = text.hasPrefix("{") ? "closure \(text)" : "closure \(text.debugDescription)"
    return [
      MatchReport.Mismatch(
        subject, expected: "\(!negated)", actual: said.map { "\($0)" }, unknown: said == nil ? "not asked" : nil)
    ]
  }

  private func mismatch(
    of decoding: Decoding, _ facts: inout RequestFacts, negated: Bool, isAsked: Bool
  ) -> MatchReport.Mismatch {
    guard isAsked else { return .init(text, expected: "\(!negated)", actual: nil, unknown: "not asked") }
    let body = facts.request.stubBody
    return .init(
      "body", expected: "\(negated ? "no" : "a") \(decoding.expectation)", actual: body?.excerpt,
      note: body.flatMap(decoding.problem))
  }
}
