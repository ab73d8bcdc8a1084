import StubKitFormats

extension RequestMatcher {
  /// Returns the distance of the request from meeting the condition: 0 if it meets it. ``NearMiss`` describes how the
  /// distance is measured.
  ///
  /// This runs no closure and reads no body.
  ///
  /// - Parameter roughly: Whether a lower bound of the distance, from what is quick to compare, is enough.
  func distance(_ facts: inout RequestFacts, roughly: Bool = false) -> Int {
    node.distance(&facts, negated: false, roughly: roughly)
  }
}

/// The points of a criterion that is not met, in hundredths.
package enum Points {
  package static let usedUp = 1_00
  package static let unknown = 4_00
  package static let method = 10_00
  package static let scenario = 8_00
  package static let closure = 10_00
  package static let negation = 10_00
  package static let path = (least: 5_00, most: 40_00)
  package static let pathOfOtherForm = 25_00
  package static let host = (least: 15_00, most: 60_00)
  package static let url = (least: 5_00, most: 60_00)
  package static let place = 15_00
  package static let item = (least: 4_00, most: 10_00)
  package static let missingItem = 12_00
  package static let items = 24_00
  package static let body = (least: 5_00, most: 25_00)
  package static let otherBody = 28_00
  package static let impossible = 60_00

  /// - Parameter share: 0 to 100.
  package static func scaled(_ range: (least: Int, most: Int), _ share: Int) -> Int {
    range.least + (range.most - range.least) * share / 100
  }
}

extension RequestMatcher.Node {
  func distance(_ facts: inout RequestFacts, negated: Bool, roughly: Bool = false) -> Int {
    switch self {
    case .criterion(let criterion): return criterion.distance(&facts, negated: negated, roughly: roughly)
    case .closure(let closure):
      guard !roughly else { return 0 }
      guard let said = facts.result(of: closure) else { return Points.unknown }
      return said == !negated ? 0 : Points.closure
    case .not(let child): return child.distance(&facts, negated: !negated, roughly: roughly)
    case .all(let children, _) where children.isEmpty, .either(let children, _) where children.isEmpty:
      return matchesAll(negated) ? 0 : Points.impossible
    case .all(let children, _), .either(let children, _):
      guard isConjunction(negated) else {
        var nearest = Int.max
        for child in children where nearest > 0 {
          nearest = min(nearest, child.distance(&facts, negated: negated, roughly: roughly))
        }
        return nearest
      }
      var sum = 0
      for child in children { sum += child.distance(&facts, negated: negated, roughly: roughly) }
      return sum
    }
  }
}
