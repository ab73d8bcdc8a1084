import StubKitFormats

/// One testable fact about a request, as data. It can be printed, compared, indexed and explained.
///
/// Each family of matchers has a criterion of its own, in the file of its matchers. A new one needs the first five
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

  /// The kind of test, and whether it captures. Defaults to `.head`.
  var traits: MatcherTraits { get }

  /// What the criterion requires under a `!`. Defaults to anything but the expectation.
  var opposite: String { get }
  /// Adds what differs in a request that doesn't pass, with its points. Defaults to the whole value, with points for the
  /// share of its text that differs.
  func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches)

  /// Calls `body` with what a request must have for the criterion to pass. Each of several equalities is necessary by
  /// itself. Defaults to none.
  func forEachEquality(_ body: (Equality) -> Void)
  /// Adds what comparing bytes verifies, or returns `false`, which is the default.
  func addPlain(to parts: inout PlainConditionParts) -> Bool
}

extension Criterion {
  package var traits: MatcherTraits { .head }
  package var opposite: String { "anything but \(expectation)" }

  package func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    let actual = actual(&facts)
    let points = actual.map { Points.scaled(Points.item, TextDifference(expectation, $0).share) } ?? Points.missingItem
    result.add(points, mismatch(actual: actual))
  }

  package func forEachEquality(_ body: (Equality) -> Void) {}
  package func addPlain(to parts: inout PlainConditionParts) -> Bool { false }
}

/// What the criteria have in common.
extension Criterion {
  /// A call as Swift source.
  func call(_ name: String, _ arguments: String...) -> String {
    "\(name)(\(arguments.map(\.debugDescription).joined(separator: ", ")))"
  }

  /// The mismatch of the value as a whole.
  ///
  /// - Parameter expected: What is required. Defaults to the expectation.
  package func mismatch(expected: String? = nil, actual: String?, note: String? = nil) -> MatchReport.Mismatch {
    .init(
      subject, expected: expected ?? expectation, actual: actual, note: note, isState: self is ScenarioDemand)
  }

  /// The mismatch of an item that is found by its name. If there is none with the name, it lists the existing names.
  func mismatch(_ facts: inout RequestFacts, _ name: String, among names: [String]) -> MatchReport.Mismatch {
    let actual = actual(&facts)
    return mismatch(actual: actual, note: actual == nil ? Names.note(Names(names).nearest(to: name)) : nil)
  }
}

extension Equality {
  /// An equality with a text.
  package init(_ dimension: Dimension, _ text: String) { self.init(dimension: dimension, hash: KeyHash.of(text)) }

  /// An equality with an item of the query, of a form, of the header, or of the cookies.
  package init(_ dimension: Dimension, _ item: NamedValue) { self.init(dimension: dimension, hash: KeyHash.of(item)) }
}
