import Testing

/// A text of several lines as an argument of a test. A run prints it on one line, with `\n` in place of each line
/// break.
package struct Lines: ExpressibleByStringLiteral, CustomTestStringConvertible, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package init(stringLiteral text: String) { self.init(text) }

  package var testDescription: String { text.debugDescription }
}
