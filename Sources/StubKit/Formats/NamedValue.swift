import Foundation

/// A name with an optional value: a query item or a form field. Without a value, it is a name without `=`.
package struct NamedValue: Sendable, Hashable {
  package let name: String
  package let value: String?

  package init(name: String, value: String? = nil) {
    self.name = name
    self.value = value
  }

  package static func == (left: NamedValue, right: NamedValue) -> Bool {
    guard left.name.isSame(as: right.name) else { return false }
    guard let value = left.value, let other = right.value else { return left.value == right.value }
    return value.isSame(as: other)
  }

  /// The name as a key: two of them are equal if their Unicode scalars are.
  var nameAlone: NamedValue { NamedValue(name: name) }

  package static func sorted(_ items: [String: String?]) -> NamedItems {
    items.map { NamedValue(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }

  /// Parses the query of a URL: items between `&`, names and values split at the first `=`, percent-decoded, with `+`
  /// kept (RFC 3986).
  package static func query(_ query: String) -> NamedItems { items(query) { String($0).percentDecoded } }

  /// Parses a form: the same, with `+` for a space (WHATWG URL, application/x-www-form-urlencoded).
  package static func form(_ form: String) -> NamedItems { items(form) { $0.formDecoded } }

  private static func items(_ text: String, decode: (Substring) -> String) -> NamedItems {
    text.utf8.split(separator: UInt8(ascii: "&")).map { item in
      let item = Substring(item)
      guard let (name, value) = item.cut(at: "=") else { return NamedValue(name: decode(item)) }
      return NamedValue(name: decode(name), value: decode(value))
    }
  }

  /// Parses a Cookie header: pairs between semicolons, without surrounding white space, with quotes kept.
  package static func cookies(_ header: String) -> NamedItems {
    header.pieces(at: ";").compactMap { pair in
      guard let (name, value) = pair.cut(at: "=") else { return nil }
      return NamedValue(name: String(name.withoutOuterSpace), value: String(value.withoutOuterSpace))
    }
  }
}

/// Items in order: those of a query, a form or a Cookie header.
package typealias NamedItems = [NamedValue]

extension NamedItems {
  package func contains(name: String) -> Bool { contains { $0.name.isSame(as: name) } }

  /// Returns the items with a name, in order.
  package func named(_ name: String) -> NamedItems { filter { $0.name.isSame(as: name) } }

  /// Returns the items that have none of these names.
  package func without(_ ignored: Set<String>) -> NamedItems { filter { !ignored.has($0.name) } }

  var urlQueryItems: [URLQueryItem] { map { URLQueryItem(name: $0.name, value: $0.value) } }

  /// The names, each once, in the order of their first items.
  package var names: [String] { map(\.nameAlone).unique.map(\.name) }

  /// Returns whether every wanted item is there. A few are searched one by one, which allocates nothing. Many take time
  /// in proportion to the lengths of both lists.
  func containsAll(_ wanted: NamedItems) -> Bool {
    count <= 16 ? wanted.allSatisfy(contains) : Set(self).isSuperset(of: wanted)
  }

  /// Returns whether every wanted item is there, at least as often.
  func containsEach(of wanted: NamedItems) -> Bool {
    let counts = counts
    return wanted.counts.allSatisfy { counts[$0.key, default: 0] >= $0.value }
  }

  /// Returns whether every item is wanted, as often as it occurs, and every wanted name exists.
  func isExactly(_ wanted: NamedItems) -> Bool { wanted.containsAll(self) && containsAll(wanted) }

  /// Returns whether the items are the wanted ones, each as often, in any order.
  func isCounted(_ wanted: NamedItems) -> Bool { count == wanted.count && counts == wanted.counts }

  private var counts: [NamedValue: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
