/// A name with an optional value: a query item or a form field. Without a value, it is a name without `=`.
package struct NamedValue: Sendable, Hashable {
  package let name: String
  package let value: String?

  package init(name: String, value: String?) {
    self.name = name
    self.value = value
  }

  package static func sorted(_ items: [String: String?]) -> NamedItems {
    NamedItems(items.map { NamedValue(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name })
  }
}

/// Items in order: those of a query, a form or a Cookie header.
///
/// A few items are searched one by one. Many have a table, so that comparing two lists takes time in proportion to
/// their lengths.
package struct NamedItems: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private let items: [NamedValue]
  private let table: Table?

  private struct Table: Sendable {
    var places: [String: [Int]] = [:]
    var counts: [NamedValue: Int] = [:]
  }

  private static let fewest = 16

  package init(_ items: [NamedValue]) {
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

  package init(arrayLiteral elements: NamedValue...) { self.init(elements) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { items.count }
  package subscript(position: Int) -> NamedValue { items[position] }

  package func contains(_ item: NamedValue) -> Bool {
    if let table { table.counts[item] != nil } else { items.contains(item) }
  }

  package func contains(name: String) -> Bool {
    if let table { table.places[name] != nil } else { items.contains { $0.name == name } }
  }

  /// Returns the items with a name, in order.
  package func named(_ name: String) -> [NamedValue] {
    if let table { (table.places[name] ?? []).map { items[$0] } } else { items.filter { $0.name == name } }
  }

  /// Returns the items that have none of these names.
  package func without(_ ignored: Set<String>) -> NamedItems {
    ignored.isEmpty ? self : NamedItems(items.filter { !ignored.contains($0.name) })
  }

  /// The names, each once, in the order of their first items.
  package var names: [String] {
    var seen: Set<String> = []
    return items.map(\.name).filter { seen.insert($0).inserted }
  }

  /// Returns whether every item is wanted, including each occurrence of a repeated name, and every wanted name
  /// exists.
  package func isExactly(_ wanted: NamedItems) -> Bool {
    items.allSatisfy(wanted.contains) && wanted.items.allSatisfy(contains)
  }

  /// Returns whether the items are the wanted ones, each as often, in any order.
  package func isCounted(_ wanted: NamedItems) -> Bool { items.count == wanted.items.count && counts == wanted.counts }

  private var counts: [NamedValue: Int] {
    table?.counts ?? items.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

extension NamedValue {
  /// Parses the query of a URL: items between `&`, names and values split at the first `=`, percent-decoded, with `+`
  /// kept (RFC 3986).
  package static func query(_ query: String) -> NamedItems {
    items(query) { String($0).percentDecoded }
  }

  /// Parses a form: the same, with `+` for a space (WHATWG URL, application/x-www-form-urlencoded).
  package static func form(_ form: String) -> NamedItems {
    items(form) { $0.formDecoded }
  }

  private static func items(_ text: String, decode: (Substring) -> String) -> NamedItems {
    let items = text.utf8.split(separator: UInt8(ascii: "&")).map { item in
      let item = Substring(item)
      guard let (name, value) = item.cut(at: "=") else { return NamedValue(name: decode(item), value: nil) }
      return NamedValue(name: decode(name), value: decode(value))
    }
    return NamedItems(items)
  }

  /// Parses a Cookie header: pairs between semicolons, without surrounding white space, with quotes kept.
  package static func cookies(_ header: String) -> NamedItems {
    let cookies: [NamedValue] = header.pieces(at: ";").compactMap { pair in
      guard let (name, value) = pair.cut(at: "=") else { return nil }
      return NamedValue(name: String(name.withoutOuterSpace), value: String(value.withoutOuterSpace))
    }
    return NamedItems(cookies)
  }
}
