import Foundation
import StubKit
import StubKitArchive
import StubKitFormats

extension JSONValue {
  /// Whether some or all of a string was redacted, or whether a number was.
  var isRedacted: Bool {
    switch self {
    case .string(let text): text.isRedacted
    case .number(let number): Redacted.isWhole("\(number)")
    default: false
    }
  }

  /// Returns whether a recorded value that was redacted is met by another one, or `nil` for a value that wasn't redacted.
  static func isRedacted(_ recorded: JSONValue, meeting actual: JSONValue) -> Bool? {
    guard recorded.isRedacted else { return nil }
    return switch (recorded, actual) {
    case (.string(let recorded), .string(let actual)): recorded.isMetAsRedacted(by: actual)
    case (.number, .number): true
    default: false
    }
  }

  /// The number of redacted values in this value.
  var redactedCount: Int { inner.reduce(isRedacted ? 1 : 0) { $0 + $1.redactedCount } }

  /// The value, with the same placeholder for every secret of a kind.
  var withoutSecrets: JSONValue {
    switch self {
    case .string(let text): .string(text.withoutSecrets)
    case .number: isRedacted ? .number(JSONNumber(Redacted.anyNumber)) : self
    case .array(let elements): .array(elements.map(\.withoutSecrets))
    case .object(let members): .object(members.mapValues(\.withoutSecrets))
    case .null, .bool: self
    }
  }
}

extension String {
  /// The text with the mark in place of each placeholder.
  var withoutSecrets: String {
    let pieces = betweenPlaceholders
    return pieces.count == 1 ? self : pieces.joined(separator: Redacted.mark)
  }

  /// Returns whether this text, which has placeholders, is met by another one that has any text in their places, but not
  /// none.
  func isMetAsRedacted(by other: String) -> Bool {
    RecordedText(redacted: Data(utf8)).isMet(by: Data(other.utf8))
  }
}
