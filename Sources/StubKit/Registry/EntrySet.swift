/// Requests in no order. Each knows its place, so that none is looked for.
struct EntrySet {
  private(set) var values: [JournalEntry] = []

  var isEmpty: Bool { values.isEmpty }
  var count: Int { values.count }

  mutating func insert(_ entry: JournalEntry) {
    entry.state.place = values.count
    values.append(entry)
  }

  /// Removes a request, if it is among them. The last one takes its place.
  mutating func remove(_ entry: JournalEntry) {
    let place = entry.state.place
    guard place < values.count, values[place] === entry else { return }
    let last = values.removeLast()
    guard last !== entry else { return }
    last.state.place = place
    values[place] = last
  }
}
