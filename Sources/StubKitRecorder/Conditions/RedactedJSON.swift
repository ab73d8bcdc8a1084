import StubKitArchive
import StubKitFormats

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
