import Foundation

/// The calls of a stub that nobody has taken, in the order of their requests.
struct CallQueue {
  private var entries: [JournalEntry] = []
  private var takenCount = 0

  var isEmpty: Bool { takenCount == entries.count }

  /// Those that nobody has taken.
  var waiting: ArraySlice<JournalEntry> { entries[takenCount...] }

  mutating func insert(_ entry: JournalEntry) {
    // Calls usually begin in the order of the requests.
    let index = entries[takenCount...].lastIndex { $0.number < entry.number }.map { $0 + 1 } ?? takenCount
    entries.insert(entry, at: index)
  }

  mutating func takeFirst() -> JournalEntry? {
    guard !isEmpty else { return nil }
    let entry = entries[takenCount]
    takenCount += 1
    if takenCount > entries.count / 2 {
      entries.removeFirst(takenCount)
      takenCount = 0
    }
    return entry
  }
}
