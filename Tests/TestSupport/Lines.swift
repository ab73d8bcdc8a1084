import Testing

/// A text of several lines as an argument of a test. A run prints it on one line, with `\n` in place of each line
/// break.
public struct Lines: ExpressibleByStringLiteral, CustomTestStringConvertible, Sendable {
  public let text: String

  public init(_ text: String) { self.text = text }

  public init(stringLiteral text: String) { self.init(text) }

  public var testDescription: String { text.debugDescription }
}
