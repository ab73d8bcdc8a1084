import Foundation
import StubKitFormats

/// Walks through a text and every container in it, and finds the secrets by their names and shapes.
///
/// It knows lists of headers, cookies, URLs, forms, multipart bodies, JSON, server-sent events, XML and HTML, one in
/// another: JSON in a form, a form in a JSON string, a page with a script.
struct SecretWalk {
  let rules: SecretRules
  let placeholders: any SecretPlaceholders

  /// The containers in one another that are searched.
  static let deepest = 6

  init(_ rules: SecretRules, _ placeholders: any SecretPlaceholders) {
    self.rules = rules
    self.placeholders = placeholders
  }

  // MARK: Texts

  /// Returns the edits of a body.
  func edits(ofBody body: UnsafeBufferPointer<UInt8>, contentType: String) -> ByteEdits {
    var search = ContainerSearch(walk: self, text: body, depth: 0)
    search.searchBody(contentType: contentType)
    return search.edits
  }

  /// Returns a text of any kind without its secrets.
  func redacted(_ text: String) -> String { redacted(text, depth: 0) ?? text }

  /// Returns the value of a header field without its secrets.
  func redacted(header name: String, _ value: String) -> String {
    switch name.lowercased() {
    case "cookie": redactedCookies(value)
    case "set-cookie": redactedSetCookie(value)
    case _ where !rules.isSecret(name, in: .header): redacted(value)
    case let name where name.hasSuffix("authorization"): redacted(authorization: value) ?? value
    default: secret(value) ?? value
    }
  }

  /// Returns a value without its secrets, given the name before it.
  func redacted(_ value: String, named name: String, in place: SecretRules.Place) -> String {
    if rules.isSecret(name, in: place) || place == .cookie && rules.redactsCookie(name) {
      return secret(value) ?? value
    }
    return redacted(value, depth: 0) ?? value
  }

  /// Returns `nil` if nothing was replaced.
  func redacted(_ text: String, depth: Int) -> String? {
    guard depth <= Self.deepest else { return nil }
    var text = text
    let edited = text.withUTF8 { utf8 -> EditedBytes? in
      var search = ContainerSearch(walk: self, text: utf8, depth: depth)
      search.searchText()
      return search.edits.isEmpty ? nil : search.edits.applied(to: utf8)
    }
    return edited?.text
  }

  // MARK: Values

  /// Returns the placeholder of a value that is a secret wherever it is, or `nil` if it isn't replaced now.
  func replacement(of value: String) -> String? { placeholders.replacement(of: value, .shape) }

  /// Returns the placeholder of a value with a secret name, or `nil` if it isn't replaced now.
  ///
  /// A scheme of authentication stays, and so does what surrounds a token or a key that is recognisable.
  func secret(_ value: String) -> String? {
    if let (scheme, _) = value.authorization, scheme.lowercased() == "bearer" { return redacted(authorization: value) }
    if let token = redacted(token: value) { return token }
    if value.isToken { return nil }
    if value.starts(withBytesOf: "-----BEGIN ") { return redacted(value, depth: Self.deepest) }
    return placeholders.replacement(of: value, .name(inRequest: placeholders.isInRequest))
  }

  /// Returns the placeholder of a JSON Web Token, with its header and its claims, or `nil` for another value.
  func redacted(token value: String) -> String? {
    guard value.isToken else { return nil }
    let parts = value.pieces(at: ".")
    var claims = String(parts[1])
    if let data = Data(base64OfAnyKind: claims), let text = String(validUTF8: data),
      let redacted = redacted(text, depth: Self.deepest - 1)
    {
      claims = Data(redacted.utf8).base64EncodedString().withoutPadding
        .replacing("+", with: "-").replacing("/", with: "_")
    }
    return placeholders.replacement(ofToken: value, head: "\(parts[0]).\(claims)")
  }

  /// Returns the value of `Authorization`. The scheme stays.
  private func redacted(authorization value: String) -> String? {
    guard let (scheme, credentials) = value.authorization else { return secretWithoutScheme(value) }
    if scheme.lowercased() == "basic", let data = Data(base64OfAnyKind: credentials),
      let (user, password) = String(validUTF8: data).flatMap({ $0.cut(at: ":") })
    {
      return redactedBasic(scheme, String(user), String(password))
    }
    return secretWithoutScheme(credentials).map { "\(scheme) \($0)" }
  }

  private func secretWithoutScheme(_ value: String) -> String? {
    if let token = redacted(token: value) { return token }
    if value.isToken { return nil }
    return placeholders.replacement(of: value, .name(inRequest: placeholders.isInRequest))
  }

  private func redactedBasic(_ scheme: String, _ user: String, _ password: String) -> String? {
    // An API key can be in either place.
    let newUser =
      placeholders.replacement(of: user, password.isEmpty ? .name(inRequest: true) : .place)
      ?? (Redacted.isWhole(user) ? user : nil)
    let newPassword = secretWithoutScheme(password) ?? (Redacted.isWhole(password) ? password : nil)
    guard newUser != nil && newUser != user || newPassword != nil && newPassword != password else { return nil }
    let credentials = Data("\(newUser ?? user):\(newPassword ?? password)".utf8).base64EncodedString()
    return "\(scheme) \(credentials)"
  }

  // MARK: Cookies

  /// Redacts a `Cookie` field such as `a=1; b=2`.
  private func redactedCookies(_ field: String) -> String {
    field.pieces(at: ";").map { pair in
      guard let (name, value) = pair.cut(at: "="), let redacted = redactedCookie(name, value) else {
        return String(pair)
      }
      return "\(name)=\(redacted)"
    }.joined(separator: ";")
  }

  /// Redacts a `Set-Cookie` field such as `a=1; Path=/`, or several that Foundation has joined with commas.
  private func redactedSetCookie(_ field: String) -> String {
    var cookies: [String] = []
    for piece in field.pieces(at: ",") {
      if cookies.isEmpty || piece.beginsCookie {
        cookies.append(String(piece))
      } else {
        cookies[cookies.count - 1] += "," + piece
      }
    }
    return cookies.map { cookie in
      let end = cookie.utf8.firstIndex(of: UInt8(ascii: ";")) ?? cookie.endIndex
      guard let (name, value) = cookie[..<end].cut(at: "="), let redacted = redactedCookie(name, value) else {
        return cookie
      }
      return "\(name)=\(redacted)\(cookie[end...])"
    }.joined(separator: ",")
  }

  private func redactedCookie(_ name: Substring, _ value: Substring) -> String? {
    let (name, value) = (String(name.withoutOuterSpace), String(value.withoutOuterSpace))
    if rules.isSecret(name, in: .cookie) { return secret(value) }
    if rules.redactsAllCookies {
      return redacted(token: value) ?? placeholders.replacement(of: value, .place)
    }
    return redacted(value, depth: 1)
  }
}

extension String {
  /// Whether the whole text is a JSON Web Token.
  var isToken: Bool {
    guard starts(withBytesOf: "eyJ") else { return false }
    var text = self
    return text.withUTF8 { utf8 in
      SecretShapes(utf8).findings.first.map { $0.isToken && $0.range == utf8.startIndex..<utf8.endIndex } ?? false
    }
  }
}

extension String {
  /// The scheme and the credentials of a value such as `Bearer x` (RFC 9110, section 11.4), or `nil` without a scheme.
  fileprivate var authorization: (scheme: String, credentials: String)? {
    guard let (scheme, rest) = cut(at: " "), !scheme.isEmpty, scheme.utf8.count <= 24,
      scheme.utf8.first.map({ $0.isAlphanumeric && !$0.isDigit }) == true,
      scheme.utf8.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "-") })
    else { return nil }
    let credentials = String(rest.withoutOuterSpace)
    return credentials.isEmpty ? nil : (String(scheme), credentials)
  }
}

extension Substring {
  /// Whether the text begins with a cookie's name and value. The part of a date after its comma doesn't.
  fileprivate var beginsCookie: Bool {
    guard let name = pieces(at: ";")[0].cut(at: "=")?.before.withoutOuterSpace else { return false }
    return !name.isEmpty && !name.has(" ")
  }
}
