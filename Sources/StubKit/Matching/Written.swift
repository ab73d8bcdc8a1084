/// The text of a matcher in two forms: as it was written, for printing, and canonical, for comparing and hashing.
///
/// If both are equal, they share one buffer.
struct Written: Sendable {
  let value: String
  let text: String

  /// - Parameter value: The text for comparison. It is kept in ASCII if it equals a text in ASCII.
  init(_ text: String, canonical value: String) {
    self.text = text
    self.value = value == text && text.isASCII ? text : value.canonical
  }

  init(_ text: String) {
    self.init(text, canonical: text)
  }
}

/// A name with an optional value: a query item or a form field. Without a value, it is a name without `=`.
struct NamedValue: Sendable, Hashable {
  let name: String
  let value: String?

  static func sorted(_ items: [String: String?]) -> NamedItems {
    NamedItems(items.map { NamedValue(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name })
  }
}
