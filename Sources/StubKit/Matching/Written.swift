/// A matcher's text in two forms: as it was written, for printing, and canonical, for comparing and hashing.
///
/// Where the two are equal they share one buffer.
struct Written: Sendable {
  let value: String
  let text: String

  /// - Parameter value: The canonical form. It is kept composed (NFC), so that two canonical texts that are equal as
  ///   Swift compares strings are equal byte for byte.
  init(_ text: String, canonical value: String) {
    self.text = text
    self.value = value == text && text.isASCII ? text : value.composed
  }

  init(_ text: String) {
    self.init(text, canonical: text)
  }
}

/// A name with an optional value: a query item, a form field. No value is "name without =".
struct NamedValue: Sendable, Hashable {
  let name: String
  let value: String?

  static func sorted(_ items: [String: String?]) -> [NamedValue] {
    items.map { NamedValue(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }
}
