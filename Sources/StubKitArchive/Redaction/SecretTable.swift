import Foundation
import StubKitFormats

/// Why a value is a secret.
struct SecretReason: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case own = "by rules of your own"
    case carrier = "credentials and cookies"
    case name = "by name"
    case oauth = "of OAuth"
    case shape = "by shape"
    case elsewhere
  }
  let kind: Kind
  /// The rule in words, such as `name "access_token"`.
  let rule: String
}

/// The secrets of one conversation. The same value always gets the same placeholder, so that a response hands a client the
/// placeholder that a later recorded request contains.
final class SecretTable {
  struct Secret {
    let value: String
    let reason: SecretReason
    /// Whether the value is replaced wherever it stands.
    var isAnywhere: Bool
    /// Whether a response contains the value below a name, so that a client can send it back.
    var isAnswered: Bool
    var isBinary: Bool
    /// Whether a rule keeps the value, wherever it stands.
    var isKept = false
    var placeholder = ""
  }

  private(set) var secrets: [Secret] = []
  private var numbers: [String: Int] = [:]
  private var kept: Set<String> = []
  private var lastNumber = 0
  private var search = SecretSearch([:])

  /// Adds a value, and returns its number, or `nil` if it is a placeholder already.
  func add(
    _ value: String, _ reason: SecretReason, isAnywhere: Bool, isAnswered: Bool, isBinary: Bool = false
  ) -> Int? {
    guard !value.isEmpty, !value.isRedacted else { return nil }
    if let number = numbers[value] {
      secrets[number].isAnywhere = secrets[number].isAnywhere || isAnywhere
      secrets[number].isAnswered = secrets[number].isAnswered || isAnswered
      secrets[number].isBinary = secrets[number].isBinary || isBinary
      return number
    }
    numbers[value] = secrets.count
    secrets.append(
      Secret(value: value, reason: reason, isAnywhere: isAnywhere, isAnswered: isAnswered, isBinary: isBinary))
    return secrets.count - 1
  }

  /// Notes a value that a rule keeps, wherever it stands.
  func keep(_ value: String) { kept.insert(value) }

  subscript(value: String) -> Secret? { numbers[value].map { secrets[$0] } }

  /// Reserves the placeholders of a text.
  func reserve(_ text: UnsafeBufferPointer<UInt8>) { lastNumber = max(lastNumber, Redacted.highestNumber(in: text)) }

  /// Gives each secret its placeholder. No secret is added after that.
  func assign() {
    var everywhere: [Int: (value: String, placeholder: String)] = [:]
    for index in secrets.indices {
      secrets[index].isKept = kept.contains(secrets[index].value)
      guard !secrets[index].isKept else { continue }
      lastNumber += 1
      let secret = secrets[index]
      secrets[index].placeholder =
        secret.value.tokenParts.map { Redacted.token(lastNumber, $0.head, $0.signature) }
        ?? Redacted.text(lastNumber, like: secret.value, isBinary: secret.isBinary)
      if secret.isAnywhere { everywhere[index] = (secret.value, secrets[index].placeholder) }
      // A client can send what the value decodes to, and the placeholder decodes to another one.
      if secret.isAnywhere, let text = secret.value.decodedFromBase64, text.utf8.count >= 12,
        let placeholder = secrets[index].placeholder.decodedFromBase64
      {
        everywhere[-1 - index] = (text, placeholder)
      }
      // The signature is enough to recognise a token.
      if secret.isAnywhere, let signature = secret.value.tokenParts?.signature, signature.utf8.count >= 12 {
        everywhere[-1 - index] = (String(signature), Redacted.name(lastNumber))
      }
    }
    search = SecretSearch(everywhere)
  }

  /// Returns the edits that replace every secret that is one wherever it stands.
  func occurrences(in text: UnsafeBufferPointer<UInt8>) -> ByteEdits {
    var edits = ByteEdits()
    search.forEachMatch(in: text) { match in
      let secret = secrets[match.secret < 0 ? -1 - match.secret : match.secret]
      edits.replace(
        match.range, with: match.replacement,
        because: SecretReason(kind: .elsewhere, rule: "elsewhere: \(secret.reason.rule)"))
    }
    return edits
  }
}

extension String {
  /// The header and the claims of a JSON Web Token, and its signature, which can be empty.
  ///
  /// A token without a signature gets a claim, because it is the token that is secret.
  var tokenParts: (head: String, signature: Substring)? {
    guard starts(withBytesOf: "eyJ") else { return nil }
    let parts = pieces(at: ".")
    guard parts.count == 2 || parts.count == 3, parts[1].starts(withBytesOf: "ey"),
      parts.allSatisfy({ $0.utf8.allSatisfy { $0.isBase64 } })
    else { return nil }
    if parts.count == 3, !parts[2].isEmpty { return ("\(parts[0]).\(parts[1])", parts[2]) }
    guard let claims = Data(base64OfAnyKind: String(parts[1])), claims.last == UInt8(ascii: "}") else { return nil }
    let marked = claims.dropLast() + Data(#","redacted":true}"#.utf8)
    return ("\(parts[0]).\(marked.base64EncodedString().withoutPadding)", "")
  }
}
