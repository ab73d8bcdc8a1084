import StubKitFormats

/// What takes the place of the secrets that a walk finds.
protocol SecretPlaceholders {
  /// Whether the current text belongs to a request.
  var isInRequest: Bool { get }

  /// Returns the placeholder of a value, or `nil` if nothing is replaced now, or if the value isn't secret.
  func replacement(of value: String, _ origin: SecretOrigin) -> String?

  /// Returns the placeholder of a JSON Web Token.
  ///
  /// - Parameter head: The first two parts, as they are in the placeholder.
  func replacement(ofToken token: String, head: String) -> String?

  /// Returns the placeholder of a value that is a secret elsewhere.
  func replacement(ofWhole value: String) -> String?

  /// Whether a value can be a secret elsewhere.
  var hasWholeValues: Bool { get }
}

/// Where a secret was found.
enum SecretOrigin {
  /// Below a name in a request, or in a response.
  case name(inRequest: Bool)
  case shape
  /// A value that is replaced, although its name doesn't mean a secret.
  case place
}
