/// The text that replaces a secret in a recording.
enum Redacted {
  static let mark = "REDACTED"
}

extension String {
  /// Whether some or all of the text was redacted. In a recorded request, the mark matches any text.
  var isRedacted: Bool { utf8.contains(Redacted.mark.utf8) }
}

extension JSONValue {
  /// Whether the value was redacted. In a recorded request, the mark matches any value.
  var isRedacted: Bool { if case .string(let text) = self { text.isRedacted } else { false } }

  /// Whether anything in the value was redacted.
  var hasRedactedPart: Bool {
    var isFound = false
    forEachPiece { piece in
      if case .scalar(let value) = piece, value.isRedacted { isFound = true }
    }
    return isFound
  }
}
