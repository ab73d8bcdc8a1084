import StubKit
import StubKitArchive

/// The items of a recorded query or form, some of which are redacted or ignored. A redacted item must exist, with any
/// value but an empty one.
final class RecordedItemsCriterion: Criterion {
  private let source: ItemsCriterion.Source
  /// The items, in the order of the recording.
  private let recorded: NamedItems
  /// The names of items that don't count.
  private let ignored: Set<String>

  init(_ source: ItemsCriterion.Source, _ recorded: NamedItems, ignoring ignored: Set<String>) {
    (self.source, self.recorded, self.ignored) = (source, recorded, ignored)
  }

  // Written as if the marks were the values themselves, because that is clearest.
  var description: String {
    "\(source == .query ? "hasExactQuery" : "hasFormBody")(\(recorded.swiftLiteral)\(exception))"
  }
  private var exception: String {
    ignored.isEmpty ? "" : ", ignoring: \(ignored.sorted().map(\.debugDescription).joined(separator: ", "))"
  }
  var subject: String { source.subject }
  var expectation: String { "exactly \(recorded.swiftLiteral)" }
  var stages: Stages { source.stages }

  func test(_ facts: inout RequestFacts, _ captures: inout Captures) -> Bool {
    (source == .form || facts.url != nil) && recorded.isMetAsRecorded(by: source.items(&facts).without(ignored))
  }

  func actual(_ facts: inout RequestFacts) -> String? { source.actual(&facts) }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    compareItems(&facts, &result, source, recorded, isComplete: true, ignoring: ignored) { wanted, there in
      wanted.isMetAsRecorded(by: there)
    }
  }

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) {
    for item in recorded {
      switch (source, item.isRedacted) {
      case (.query, false): body(RequiredValue(.queryItem, item))
      case (.query, true): body(RequiredValue(.queryName, item.name))
      case (.form, false): body(RequiredValue(.formItem, item))
      case (.form, true): break
      }
    }
  }
}

extension RequestMatcher {
  /// Each item as often as here, in any order.
  static func recordedItems(
    _ source: ItemsCriterion.Source, _ items: NamedItems, ignoring ignored: Set<String>
  ) -> RequestMatcher {
    items.contains(where: \.isRedacted) || !ignored.isEmpty
      ? RequestMatcher(RecordedItemsCriterion(source, items, ignoring: ignored))
      : RequestMatcher(ItemsCriterion(source, items, .counted))
  }
}

extension NamedItems {
  /// Returns whether each redacted item is met by one of its name, and all others by equal ones, each as often as here.
  func isMetAsRecorded(by others: NamedItems) -> Bool {
    guard others.count == count else { return false }
    var wanted: [NamedValue: Int] = [:]
    var redacted: [String: [String]] = [:]
    for item in self {
      if let value = item.value, item.isRedacted {
        redacted[item.name, default: []].append(value)
      } else {
        wanted[item, default: 0] += 1
      }
    }
    var values: [String: [String]] = [:]
    for item in others {
      if let count = wanted[item], count > 0 {
        wanted[item] = count - 1
      } else if let value = item.value, redacted[item.name] != nil {
        values[item.name, default: []].append(value)
      } else {
        return false
      }
    }
    // The numbers of items are equal, so that all of them are matched if each value has a place.
    return values.allSatisfy { name, values in values.haveOwnPlaces(in: redacted[name] ?? []) }
  }
}

extension [String] {
  /// Returns whether each value meets a redacted value that no other one takes.
  ///
  /// The longest redacted values choose first, because `REDACTED` takes any text, and `REDACTED-a` doesn't. Each chooses
  /// the value that fits the fewest others.
  fileprivate func haveOwnPlaces(in recorded: [String]) -> Bool {
    let uses = map { value in (value, recorded.count { $0.isMetAsRedacted(by: value) }) }
    var rest = uses.sorted { $0.1 < $1.1 }.map(\.0)
    for place in recorded.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      if let value = rest.firstIndex(where: place.isMetAsRedacted(by:)) { rest.remove(at: value) }
    }
    return rest.isEmpty
  }
}

extension NamedValue {
  /// Whether the value was redacted.
  var isRedacted: Bool { value?.isRedacted ?? false }
}
