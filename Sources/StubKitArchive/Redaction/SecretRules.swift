import StubKitFormats

/// The rules that say which values are secrets: by the names before them, and by their shapes.
struct SecretRules: Sendable {
  /// What a name belongs to.
  enum Place: Sendable {
    case header, query, form, json, cookie
    /// An element or an attribute of XML or HTML, or a pair of a name and a value in another container.
    case other
  }

  /// Whether the names count that mean a secret nearly everywhere.
  var usesStandardNames = false
  /// Whether values count that look like a secret.
  var usesShapes = false
  var redactsAllCookies = false
  var redactsUserInfo = false
  var jsonPaths: [JSONPath] = []
  /// The names of single rules, in the form in which they are compared.
  private var names: [Place: Set<String>] = [:]

  mutating func add(_ name: String, in place: Place) {
    names[place, default: []].insert(name.comparableName)
  }

  /// Returns whether the value after a name is a secret.
  ///
  /// - Parameter name: The decoded name. For `user[password]` and `user.password`, the last part counts too.
  func isSecret(_ name: String, in place: Place) -> Bool {
    guard name.utf8.count <= Self.longestName else { return false }
    let whole = name.comparableName
    if isSecret(comparable: whole, in: place) { return true }
    // `X-JWT`
    if place == .header, whole.utf8.first == UInt8(ascii: "x"),
      isSecret(comparable: String(whole.dropFirst()), in: place)
    {
      return true
    }
    guard name.utf8.contains(where: { "[]:./".utf8.contains($0) }),
      let last = name.utf8.split(whereSeparator: { "[]:./".utf8.contains($0) }).last
    else { return false }
    return isSecret(comparable: String(decoding: last, as: UTF8.self).comparableName, in: place)
  }

  static let longestName = 256

  private func isSecret(comparable name: String, in place: Place) -> Bool {
    if place == .other {
      if names.values.contains(where: { $0.contains(name) }) { return true }
    } else if names[place]?.contains(name) == true {
      return true
    }
    return usesStandardNames && SecretNames.isSecret(name)
  }

  /// Whether the cookie's value is replaced.
  func redactsCookie(_ name: String) -> Bool { redactsAllCookies || isSecret(name, in: .cookie) }
}

/// The names that mean a secret nearly everywhere, in the form in which names are compared.
enum SecretNames {
  private static let suffixes = [
    "token", "secret", "password", "passwd", "passphrase", "apikey", "signature", "credential", "credentials",
    "privatekey", "secretkey", "accesskey", "sessionid", "authorization", "subscriptionkey", "authkey",
    "clientassertion",
    "secretaccesskey", "sharedkey", "signingkey", "encryptionkey", "passcode",
  ]
  private static let whole: Set<String> = [
    "jwt", "otp", "totp", "sig", "pwd", "pin", "samlresponse", "ticket", "csrf", "xsrf", "codeverifier",
    "passwordconfirmation", "apisecretkey", "signaturevalue", "phpsessid", "csrfmiddlewaretoken", "assertion",
    "devicecode", "usercode",
  ]
  /// Names that end like a secret, but whose values are places in a list or descriptions.
  private static let ordinary = [
    "pagetoken", "nexttoken", "previoustoken", "prevtoken", "continuationtoken", "synctoken", "cursortoken",
    "marktoken",
    "starttoken", "endtoken", "separatortoken", "cancellationtoken",
  ]

  static func isSecret(_ name: String) -> Bool {
    if whole.contains(name) { return true }
    guard let last = name.utf8.last, endings.contains(last), suffixes.contains(where: { name.hasSuffix($0) }) else {
      return false
    }
    return !ordinary.contains { name.hasSuffix($0) }
  }

  private static let endings = Set(suffixes.compactMap(\.utf8.last))

  /// Names of OAuth 2.0 (RFC 6749). Beside one of them, `code` is an authorization code.
  static let ofOAuth: Set<String> = [
    "state", "granttype", "redirecturi", "clientid", "codeverifier", "iss", "sessionstate", "scope", "codechallenge",
  ]

  /// Names below a secret name whose values describe the secret.
  static let ofDescriptions: Set<String> = [
    "type", "tokentype", "typ", "kind", "alg", "algorithm", "scope", "scopes", "status", "state", "provider", "issuer",
    "format", "method", "realm", "granttype",
  ]
}

extension String {
  /// The name in the form in which rules compare it: without case, hyphens, underscores and spaces.
  var comparableName: String {
    var bytes: [UInt8] = []
    for byte in utf8 where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") && byte != 0x20 {
      bytes.append(0x41...0x5A ~= byte ? byte | 0x20 : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
