import StubKitFormats

/// The items of a recorded query or form with redacted values. A redacted item must exist, with any value but an empty
/// one.
///
/// All other items must be equal and equally frequent, in any order. See ``NamedItems/isCounted(_:)``.
final class RecordedItems: Sendable {
  /// The items, in the order of the recording.
  let items: NamedItems
  private let counts: [NamedValue: Int]
  /// The redacted values for each name.
  private let redacted: [String: [String]]

  init(_ items: NamedItems) {
    self.items = items
    var counts: [NamedValue: Int] = [:]
    var redacted: [String: [String]] = [:]
    for item in items {
      if let value = item.value, item.isRedacted {
        redacted[item.name, default: []].append(value)
      } else {
        counts[item, default: 0] += 1
      }
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
      } else if let value = item.value,
        let place = open[item.name]?.firstIndex(where: { $0.isMetAsRedacted(by: value) })
      {
        open[item.name]?.remove(at: place)
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
