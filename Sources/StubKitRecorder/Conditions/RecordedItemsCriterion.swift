import StubKit
import StubKitFormats

/// The items of a recorded query or form, some of which are redacted.
final class RecordedItemsCriterion: Criterion {
  private let source: ItemsCriterion.Source
  private let recorded: RecordedItems

  init(_ source: ItemsCriterion.Source, _ recorded: RecordedItems) {
    (self.source, self.recorded) = (source, recorded)
  }

  // Written as if the marks were the values themselves, because that is clearest.
  var description: String {
    "\(source == .query ? "hasExactQuery" : "hasFormBody")(\(recorded.items.swiftLiteral))"
  }
  var subject: String { source.subject }
  var expectation: String { "exactly \(recorded.items.swiftLiteral)" }
  var traits: MatcherTraits { source.traits }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    (source == .form || facts.url != nil) && recorded.isMet(by: source.items(&facts))
  }

  func actual(_ facts: inout RequestFacts) -> String? { source.actual(&facts) }

  func compare(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    compare(&facts, &result, source, recorded.items, isComplete: true) { wanted, there in
      RecordedItems(NamedItems(wanted)).isMet(by: NamedItems(there))
    }
  }

  func forEachEquality(_ body: (Equality) -> Void) {
    for item in recorded.items {
      switch (source, item.isRedacted) {
      case (.query, false): body(Equality(.queryItem, item))
      case (.query, true): body(Equality(.queryName, item.name))
      case (.form, false): body(Equality(.formItem, item))
      case (.form, true): break
      }
    }
  }
}
