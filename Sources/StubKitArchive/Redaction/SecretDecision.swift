/// What becomes of a value below the name of a secret.
enum SecretDecision: String {
  /// A value is kept, replaced in fields of requests, replaced but in text without quotation marks, or replaced
  /// wherever it stands.
  case kept, sent, fields, replaced

  /// Returns what becomes of a value, by what it is and how sure its name is.
  init(_ value: SecretValue, below name: SecretName.Sureness) {
    self =
      switch (value, name) {
      case (_, .own): .replaced
      case (_, .kept), (_, .none), (_, .public), (_, .described): .kept
      case (.constant, _): .kept
      case (.pair, .cookie), (.three, .cookie): .fields
      case (.three, .code): .fields
      case (.pair, _), (.three, _): .kept
      // Digits.
      case (.digits, .code), (.longDigits, .code): .replaced
      case (.digits, .token), (.digits, .password), (.digits, .cookie): .fields
      case (.digits, .secret): .sent
      case (.longDigits, .token), (.longDigits, .password), (.longDigits, .secret), (.longDigits, .cookie): .fields
      case (.digits, _), (.longDigits, _): .kept
      case (.number, .token), (.number, .code): .fields
      case (.number, .password): .sent
      case (.number, _): .kept
      // What programs make.
      case (.uuid, .token), (.uuid, .password), (.uuid, .secret): .replaced
      case (.uuid, .code), (.uuid, .session), (.uuid, .cookie): .fields
      case (.uuid, .key): .kept
      case (.random, .session), (.random, .key), (.random, .cookie): .fields
      case (.random, _): .replaced
      // What people write.
      case (.word, .token), (.word, .cookie): .fields
      case (.word, .password), (.word, .code), (.word, .secret): .sent
      case (.numbered, .password): .replaced
      case (.numbered, .token), (.numbered, .code), (.numbered, .cookie): .fields
      case (.numbered, .secret): .sent
      case (.sentence, .cookie): .fields
      case (.sentence, .token), (.sentence, .password), (.sentence, .code), (.sentence, .secret): .sent
      case (.passphrase, .code): .sent
      case (.passphrase, .token), (.passphrase, .password), (.passphrase, .secret), (.passphrase, .cookie): .fields
      case (.other, .password): .replaced
      case (.other, .token), (.other, .code), (.other, .secret), (.other, .cookie): .fields
      case (.word, _), (.numbered, _), (.sentence, _), (.passphrase, _), (.other, _): .kept
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
