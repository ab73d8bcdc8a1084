/// The items of a recorded query or form, of which some values were redacted: those have to be there, whatever their value.
///
/// All others have to be equal, each as often, in any order, as ``NamedItems/isCounted(_:)`` compares them.
final class RecordedItems: Sendable {
  /// In the order of the recording.
  let items: NamedItems
  private let counts: [NamedValue: Int]
  /// How many redacted items there are of each name.
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
    // As many items as wanted, and each took the place of one.
    return true
  }
}

extension NamedValue {
  /// Whether its value was taken out.
  var isRedacted: Bool { value?.isRedacted ?? false }
}
