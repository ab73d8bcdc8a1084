import Foundation
import StubKit

/// Why a value is a secret.
package struct SecretReason: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case own = "by rules of your own"
    case carrier = "credentials and cookies"
    case name = "by name"
    case oauth = "of OAuth"
    case shape = "by shape"
    case elsewhere
  }
  var kind: Kind
  /// The rule in words, such as `name "access_token"`.
  package let rule: String
  /// The name of the value, or the empty text if it is found without one.
  package var name = ""
}

/// The secrets of one conversation. The same value always gets the same placeholder, so that a response hands a client
/// the placeholder that a later recorded request contains.
final class SecretTable {
  struct Secret {
    let value: String
    let reason: SecretReason
    /// Whether the value is replaced wherever it stands.
    var isAnywhere = false
    /// Whether a response contains the value below a name, so that a client can send it back.
    var isAnswered = false
    var isBinary = false
    /// What replaces the value, or `nil` if a rule keeps it.
    var placeholder: String?
  }

  private(set) var secrets: [Secret] = []
  private var numbers: [String: Int] = [:]
  private var kept: Set<String> = []
  private var lastNumber = 0
  /// Short numbers of the texts that could be placeholders.
  private var shortNumbers: Set<String> = []
  private var search = SecretSearch([:])

  /// Adds a secret, and returns its number.
  func add(_ secret: Secret) -> Int {
    let number = numbers[secret.value] ?? secrets.count
    if number == secrets.count {
      numbers[secret.value] = number
      secrets.append(secret)
    }
    secrets[number].isAnywhere = secrets[number].isAnywhere || secret.isAnywhere
    secrets[number].isAnswered = secrets[number].isAnswered || secret.isAnswered
    secrets[number].isBinary = secrets[number].isBinary || secret.isBinary
    return number
  }

  /// Notes a value that a rule keeps, wherever it stands.
  func keep(_ value: String) { kept.insert(value) }

  subscript(value: String) -> Secret? { numbers[value].map { secrets[$0] } }

  /// Reserves what new placeholders must differ from: those of a text by their look, which it returns, and short
  /// numbers.
  func reserve(_ text: UnsafeBufferPointer<UInt8>) -> [String] {
    let placeholders = Placeholders.byLook.texts(in: text)
    placeholders.forEach(reserve)
    var position = 0
    while let start = text.firstIndex(of: UInt8(ascii: "7"), from: position) {
      position = text.firstIndex(notIn: .digit, from: start)
      if 3...8 ~= position - start { shortNumbers.insert(String(decoding: text[start..<position], as: UTF8.self)) }
    }
    return placeholders
  }

  func reserve(_ placeholder: String) {
    // So many secrets have no archive, and nothing after a number can overflow.
    let number = Redacted.number(of: placeholder)
    if number < 100_000_000 { lastNumber = max(lastNumber, number) }
  }

  /// Gives each secret its placeholder. No secret is added after that.
  func assign() {
    var everywhere: [String: (secret: Int, placeholder: String)] = [:]
    for (index, secret) in secrets.enumerated() where !kept.contains(secret.value) {
      lastNumber += 1
      let token = secret.value.tokenParts
      let placeholder =
        token.map { Redacted.token(lastNumber, $0.head, $0.signature) }
        ?? free(of: secret.value) {
          Redacted.text(lastNumber, like: secret.value, attempt: $0, isBinary: secret.isBinary)
        }
      secrets[index].placeholder = placeholder
      guard secret.isAnywhere, secret.value.utf8.count >= 6 else { continue }
      everywhere[secret.value] = (index, placeholder)
      let hex = (secret.value.hexadecimal, placeholder.hexadecimal)
      var others = [hex, (hex.0.uppercased(), hex.1.uppercased())]
      others += [(secret.value.lowercased(), placeholder), (secret.value.uppercased(), placeholder)]
      others += secret.value.inBase64(for: placeholder)
      if let text = secret.value.decodedFromBase64, let decoded = placeholder.decodedFromBase64 {
        // A client can send what the value decodes to, and the placeholder decodes to another one.
        others.append((text, decoded))
      } else if let token {
        // The signature is enough to recognise a token.
        others.append((String(token.signature), Redacted.name(lastNumber)))
      }
      for (value, placeholder) in others where value.utf8.count >= 12 && self[value] == nil {
        everywhere[value] = (index, placeholder)
      }
    }
    search = SecretSearch(everywhere)
  }

  /// Returns a placeholder that a value isn't, nor another number of the archive.
  private func free(of value: String, _ placeholder: (_ attempt: Int) -> String) -> String {
    for attempt in 0..<8 {
      let placeholder = placeholder(attempt)
      if placeholder != value, !shortNumbers.contains(placeholder) { return placeholder }
    }
    return placeholder(0)
  }

  /// Returns a placeholder that is a number, even for a value whose other placeholder isn't.
  func number(for secret: Secret) -> String? {
    guard let placeholder = secret.placeholder, !placeholder.utf8.allSatisfy(\.isDigit) else {
      return secret.placeholder
    }
    return free(of: secret.value) { Redacted.digits(1, secret.value.utf8.count, $0) }
  }

  /// Returns the edits that replace every secret that is one wherever it stands.
  func occurrences(in text: UnsafeBufferPointer<UInt8>) -> ByteEdits {
    var edits = ByteEdits()
    search.forEachMatch(in: text) { secret, range, replacement in
      let reason = SecretReason(
        kind: .elsewhere, rule: "elsewhere: \(secrets[secret].reason.rule)", name: secrets[secret].reason.name)
      edits.replace(range, with: replacement, because: reason, isEscaped: text[range].contains(UInt8(ascii: "%")))
    }
    return edits
  }
}
