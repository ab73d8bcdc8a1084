/// The text that replaces a secret in a recording.
package enum Redacted {
  package static let mark = "REDACTED"
}

extension String {
  /// Whether some or all of the text was redacted. In a recorded request, the mark matches any text.
  package var isRedacted: Bool { utf8.contains(Redacted.mark.utf8) }
}
