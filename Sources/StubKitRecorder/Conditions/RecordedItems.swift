import StubKitArchive
import StubKitFormats

/// The items of a recorded query or form with redacted values. A redacted item must exist, with any value.
///
/// All other items must be equal and equally frequent, in any order. See ``NamedItems/isCounted(_:)``.
final class RecordedItems: Sendable {
  /// The items, in the order of the recording.
  let items: NamedItems
  private let counts: [NamedValue: Int]
  /// The number of redacted items for each name.
  private let redacted: [String: Int]

  init(_ items: NamedItems) {
    self.items = items
    var counts: [NamedValue: Int] = [:]
    var redacted: [String: Int] = [:]
    for item in items {
      if item.isRedacted { redacted[item.name, default: 0] += 1 } else { counts[item, default: 0] += 1 }
    }
    (self.counts, self.redacted) = (counts, redacted)
  }

  func isMet(by others: NamedItems) -> Bool {
    guard others.count == items.count else { return false }
    var wanted = counts
    var open = redacted
    for item in others {
      if let count = wanted[item], count > 0 {
        wanted[item] = count - 1
      } else if let count = open[item.name], count > 0 {
        open[item.name] = count - 1
      } else {
        return false
      }
    }
    // The numbers of items are equal, and each item has matched another one.
    return true
  }
}

extension NamedValue {
  /// Whether the value was redacted.
  var isRedacted: Bool { value?.isRedacted ?? false }
}
