import Foundation
import StubKit
import StubKitArchive

/// The items of a recorded query or form, some of which are redacted or ignored. A redacted item must exist, with any
/// value but an empty one.
final class RecordedItemsCriterion: Criterion {
  private let source: ItemsCriterion.Source
  /// The items, in the order of the recording.
  private let recorded: NamedItems
  /// What meets those that are redacted.
  fileprivate let redacted: [NamedValue: RecordedText]
  /// The names of items that don't count.
  private let ignored: Set<String>

  init(
    _ source: ItemsCriterion.Source, _ recorded: NamedItems, ignoring ignored: Set<String>,
    _ placeholders: Placeholders
  ) {
    self.source = source
    self.recorded = recorded
    self.ignored = ignored
    redacted = recorded.reduce(into: [:]) { redacted, item in
      // Of an item without a value, the name is what was redacted.
      let text = item.value ?? item.name
      guard placeholders.occur(in: text) else { return }
      redacted[item] = RecordedText(redacted: Data(text.utf8), placeholders)
    }
  }

  // Written as if the placeholders were the values themselves, because that is clearest.
  var description: String {
    let names = ignored.sorted().map(\.debugDescription).listed
    let arguments = recorded.swiftLiteral + (names.isEmpty ? "" : ", ignoring: \(names)")
    return "\(source == .query ? "hasExactQuery" : "hasFormBody")(\(arguments))"
  }
  var subject: String { source.subject }
  var expectation: String { "exactly \(recorded.swiftLiteral)" }
  var stages: Stages { source.stages }

  func test(_ facts: inout RequestFacts) -> Bool {
    (source == .form || facts.url != nil) && isMet(recorded, by: source.items(&facts).without(ignored))
  }

  func actual(_ facts: inout RequestFacts) -> String? { source.actual(&facts) }

  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches) {
    compareItems(&facts, &result, source, recorded, isComplete: true, ignoring: ignored, isMet: isMet)
  }

  func forEachRequiredValue(_ body: (RequiredValue) -> Void) {
    for item in recorded {
      if redacted[item] == nil {
        body(source == .query ? .queryItem(item) : .formItem(item))
      } else if source == .query, item.value != nil {
        body(.queryName(item.name))
      }
    }
  }

  /// Returns whether each redacted item is met by one of its name, and all others by equal ones, each as often as
  /// wanted.
  private func isMet(_ recorded: NamedItems, by others: NamedItems) -> Bool {
    guard others.count == recorded.count else { return false }
    var wanted: [NamedValue: Int] = [:]
    // By the names, or `nil` for items without a value.
    var texts: [String?: [RecordedText]] = [:]
    for item in recorded {
      if let text = redacted[item] {
        texts[item.value == nil ? nil : item.name, default: []].append(text)
      } else {
        wanted[item, default: 0] += 1
      }
    }
    var values: [String?: [Data]] = [:]
    for item in others {
      let name = item.value == nil ? nil : item.name
      if let count = wanted[item], count > 0 {
        wanted[item] = count - 1
      } else if texts[name] != nil {
        values[name, default: []].append(Data((item.value ?? item.name).utf8))
      } else {
        return false
      }
    }
    // The numbers of items are equal, so that all of them are matched if each value has a place.
    return values.allSatisfy { name, values in values.haveOwnPlaces(in: texts[name] ?? []) }
  }
}

extension RequestMatcher {
  /// Each item as often as here, in any order.
  static func recordedItems(
    _ source: ItemsCriterion.Source, _ items: [NamedValue], ignoring ignored: Set<String>, _ placeholders: Placeholders
  ) -> RequestMatcher {
    let criterion = RecordedItemsCriterion(source, items, ignoring: ignored, placeholders)
    return criterion.redacted.isEmpty && ignored.isEmpty
      ? RequestMatcher(ItemsCriterion(source, items, .counted)) : RequestMatcher(criterion)
  }
}

extension [Data] {
  /// Returns whether each value meets a redacted value that no other one takes.
  ///
  /// The longest redacted values choose first, each the value that fits the fewest others. Whole ones take the rest.
  fileprivate func haveOwnPlaces(in recorded: [RecordedText]) -> Bool {
    let places = recorded.filter { $0.parts != [Data(), Data()] }
    let uses = map { value in (value, places.count { $0.isMet(by: value) }) }
    var rest = uses.sorted { $0.1 < $1.1 }.map(\.0)
    for place in places.sorted(by: { $0.data.count > $1.data.count }) {
      if let value = rest.firstIndex(where: place.isMet) { rest.remove(at: value) }
    }
    return rest.count == recorded.count - places.count && rest.allSatisfy { !$0.isEmpty }
  }
}
