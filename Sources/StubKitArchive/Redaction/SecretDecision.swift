/// What becomes of a value below the name of a secret.
enum SecretDecision: String {
  /// A value is kept, replaced in fields of requests, replaced but in text without quotation marks, or replaced
  /// wherever it stands.
  case kept, sent, fields, replaced

  /// Returns what becomes of a value, by what it is and how sure its name is.
  init(_ value: SecretValue, below name: SecretName.Sureness) {
    self =
      switch (name, value) {
      case (.own, _): .replaced
      case (.sure, .random), (.sure, .digits): .replaced
      case (.sure, .other), (.sure, .number): .fields
      case (.sure, .words): .sent
      case (.weak, .random): .fields
      case (.sure, _), (.weak, _), (.kept, _), (.none, _), (.public, _), (.described, _): .kept
      }
  }

  /// Whether a value is replaced.
  ///
  /// - Parameter isInText: Whether it is in text without quotation marks.
  func replaces(isSent: Bool, isInText: Bool) -> Bool {
    switch self {
    case .kept: false
    case .sent: isSent && !isInText
    case .fields: !isInText
    case .replaced: true
    }
  }
}
