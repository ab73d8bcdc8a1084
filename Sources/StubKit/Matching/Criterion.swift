import StubKitFormats

/// One testable fact about a request, as data. It can be printed, compared, indexed and explained.
///
/// Each family of matchers has a criterion of its own, in the file of its matchers. A new one needs the first six
/// requirements. The others have defaults: a criterion without equalities is found by checking every request, and one
/// that bytes can't verify goes through ``test(_:_:)``. It is an object, because conditions are copied all the time.
package protocol Criterion: AnyObject, Sendable, CustomStringConvertible {
  /// Returns whether the request passes. A body that nobody has read doesn't pass: evaluation asks for it first.
  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool

  /// The call that creates the criterion, as Swift source.
  var description: String { get }
  /// The part that the criterion compares.
  var subject: String { get }
  /// The value that the criterion requires.
  var expectation: String { get }
  /// Returns the value in the request, or `nil` if there is none.
  func actual(_ facts: inout RequestFacts) -> String?

  /// The kinds of test, and whether it captures. Defaults to `.head`.
  var stages: Stages { get }
  /// A Boolean value that indicates whether the test compares a few bytes and captures nothing. Such tests run first.
  /// Defaults to `false`.
  var isCheap: Bool { get }
  /// A Boolean value that indicates whether a rough distance leaves the test out. Defaults to whether it reads the body.
  var isSlow: Bool { get }
  /// The part of the URL that the criterion names, or `nil`, which is the default.
  var place: CriterionPlace? { get }
  /// A Boolean value that indicates whether the value is a state, which isn't part of the request. Defaults to `false`.
  var isOfState: Bool { get }

  /// What the criterion requires under a `!`. Defaults to anything but the expectation.
  var opposite: String { get }
  /// Returns what a request that doesn't pass lacks. Defaults to the whole value.
  func differences(_ facts: inout RequestFacts) -> [MatchReport.Mismatch]
  /// Returns the distance of a request that doesn't pass, in `Points`. Defaults to that of the texts of the values.
  ///
  /// - Parameter roughly: Whether a lower bound, from what is quick to compare, is enough.
  func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int

  /// Calls `body` with what a request must have for the criterion to pass. Each of several equalities is necessary by
  /// itself. Defaults to none.
  func forEachEquality(_ body: (Equality) -> Void)
  /// Adds what comparing bytes verifies, or returns `false`, which is the default.
  func addPlain(to parts: inout PlainConditionParts) -> Bool
}

/// The part of the URL that a criterion names.
package enum CriterionPlace: Sendable {
  case host
  case path
  /// Several parts, each with a criterion of its own.
  case parts([any Criterion])
}

extension Criterion {
  package var stages: Stages { .head }
  package var isCheap: Bool { false }
  package var isSlow: Bool { stages.contains(.body) }
  package var place: CriterionPlace? { nil }
  package var isOfState: Bool { false }
  package var opposite: String { "anything but \(expectation)" }

  package func differences(_ facts: inout RequestFacts) -> [MatchReport.Mismatch] { [whole(actual: actual(&facts))] }

  package func distance(_ facts: inout RequestFacts, roughly: Bool) -> Int {
    guard let actual = actual(&facts) else { return Points.missingItem }
    let difference = TextDifference(expectation, actual)
    return Points.scaled(Points.item, roughly ? difference.leastShare : difference.share)
  }

  package func forEachEquality(_ body: (Equality) -> Void) {}
  package func addPlain(to parts: inout PlainConditionParts) -> Bool { false }
}

extension Criterion {
  /// Returns what the request lacks. Empty if it passes. This doesn't read a body that nobody has read.
  func mismatches(_ facts: inout RequestFacts, negated: Bool) -> [MatchReport.Mismatch] {
    if stages.contains(.body) && facts.bodyIsUnread {
      return [.init("body", expected: expectation, actual: nil, unknown: "not read")]
    }
    var captures = Captures()
    guard test(&facts, &captures) == negated else { return [] }
    guard negated || isOfState else { return differences(&facts) }
    return [
      .init(subject, expected: negated ? opposite : expectation, actual: actual(&facts), isState: isOfState)
    ]
  }

  /// Returns the distance of the request from passing, or under a `!` from not passing.
  func distance(_ facts: inout RequestFacts, negated: Bool, roughly: Bool) -> Int {
    if roughly && isSlow { return 0 }
    if stages.contains(.body) && facts.bodyIsUnread { return Points.unknown }
    var captures = Captures()
    if test(&facts, &captures) { return negated ? Points.negation : 0 }
    return negated ? 0 : distance(&facts, roughly: roughly)
  }
}

/// What the criteria have in common.
extension Criterion {
  /// A call as Swift source.
  func call(_ name: String, _ arguments: String...) -> String {
    "\(name)(\(arguments.map(\.debugDescription).joined(separator: ", ")))"
  }

  /// The mismatch of the value as a whole.
  package func whole(actual: String?, note: String? = nil) -> MatchReport.Mismatch {
    .init(subject, expected: expectation, actual: actual, note: note)
  }

  /// The mismatch of an item that is found by its name. If there is none with the name, it lists the existing names.
  func whole(_ facts: inout RequestFacts, names: [String], _ name: String) -> MatchReport.Mismatch {
    let actual = actual(&facts)
    return whole(actual: actual, note: actual == nil ? Names.note(Names(names).nearest(to: name)) : nil)
  }

  /// Returns the points for a text that differs from the wanted one.
  func points(_ range: (least: Int, most: Int), _ wanted: String, _ actual: String, roughly: Bool) -> Int {
    let difference = TextDifference(wanted, actual)
    return Points.scaled(range, roughly ? difference.leastShare : difference.share)
  }
}

extension Equality {
  /// An equality with a text.
  package init(_ dimension: Dimension, _ text: String) { self.init(dimension: dimension, hash: KeyHash.of(text)) }

  /// An equality with an item of the query, of a form, of the header, or of the cookies.
  package init(_ dimension: Dimension, _ item: NamedValue) { self.init(dimension: dimension, hash: KeyHash.of(item)) }
}
