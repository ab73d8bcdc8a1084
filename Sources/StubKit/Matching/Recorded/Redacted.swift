/// What stands in a recording in place of a secret.
enum Redacted {
  static let mark = "REDACTED"
}

extension String {
  /// Whether a part of the text, or all of it, was taken out: in a recorded request it stands for any text.
  var isRedacted: Bool { utf8.contains(Redacted.mark.utf8) }
}

extension JSONValue {
  /// Whether the value was taken out: in a recorded request it stands for any value.
  var isRedacted: Bool { if case .string(let text) = self { text.isRedacted } else { false } }

  /// Whether anything in the value was taken out.
  var hasRedactedPart: Bool {
    var isFound = false
    forEachPiece { piece in
      if case .scalar(let value) = piece, value.isRedacted { isFound = true }
    }
    return isFound
  }
}
