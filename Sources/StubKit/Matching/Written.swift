/// The text of a matcher in two forms: as it was written, for printing, and canonical, for comparing and hashing.
///
/// If both are equal, they share one buffer.
package struct Written: Sendable {
  package let value: String
  package let text: String

  /// - Parameter value: The text for comparison. It is kept in ASCII if it equals a text in ASCII.
  package init(_ text: String, canonical value: String) {
    self.text = text
    self.value = value == text && text.isASCII ? text : value.canonical
  }

  package init(_ text: String) {
    self.init(text, canonical: text)
  }
}
