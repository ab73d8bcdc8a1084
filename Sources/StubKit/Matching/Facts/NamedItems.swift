/// Items in order: those of a query, a form or a Cookie header.
///
/// A few items are searched one by one. Many have a table, so that comparing two lists takes time in proportion to
/// their lengths.
struct NamedItems: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private let items: [NamedValue]
  private let table: Table?

  private struct Table: Sendable {
    var places: [String: [Int]] = [:]
    var counts: [NamedValue: Int] = [:]
  }

  private static let fewest = 16

  init(_ items: [NamedValue]) {
    self.items = items
    guard items.count > Self.fewest else {
      table = nil
      return
    }
    var table = Table()
    for (place, item) in items.enumerated() {
      table.places[item.name, default: []].append(place)
      table.counts[item, default: 0] += 1
    }
    self.table = table
  }

  init(arrayLiteral elements: NamedValue...) { self.init(elements) }

  var startIndex: Int { 0 }
  var endIndex: Int { items.count }
  subscript(position: Int) -> NamedValue { items[position] }

  func contains(_ item: NamedValue) -> Bool {
    if let table { table.counts[item] != nil } else { items.contains(item) }
  }

  func contains(name: String) -> Bool {
    if let table { table.places[name] != nil } else { items.contains { $0.name == name } }
  }

  /// Returns the items with a name, in order.
  func named(_ name: String) -> [NamedValue] {
    if let table { (table.places[name] ?? []).map { items[$0] } } else { items.filter { $0.name == name } }
  }

  /// The names, each once, in the order of their first items.
  var names: [String] {
    var seen: Set<String> = []
    return items.map(\.name).filter { seen.insert($0).inserted }
  }

  /// Returns whether every item is wanted, including each occurrence of a repeated name, and every wanted name
  /// exists.
  func isExactly(_ wanted: NamedItems) -> Bool {
    items.allSatisfy(wanted.contains) && wanted.items.allSatisfy(contains)
  }

  /// Returns whether the items are the wanted ones, each as often, in any order.
  func isCounted(_ wanted: NamedItems) -> Bool { items.count == wanted.items.count && counts == wanted.counts }

  private var counts: [NamedValue: Int] {
    table?.counts ?? items.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}
