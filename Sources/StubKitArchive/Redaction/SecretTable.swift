import StubKit

/// Why a value is a secret.
package struct SecretReason: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case own = "by rules of your own"
    case carrier = "credentials and cookies"
    case name = "by name"
    case shape = "by shape"
    case elsewhere
    /// Those that are kept, though they look random.
    case random, identifier
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
    /// Whether it is a number of JSON, and stays one.
    var isNumber = false
    /// What replaces the value, or `nil` if a rule keeps it.
    fileprivate(set) var placeholder: String?
  }

  private(set) var secrets: [Secret] = []
  private var numbers: [String: Int] = [:]
  /// The values that a rule keeps, wherever they stand, and those of the `id` of an object in a response.
  var kept: Set<String> = []
  var identifiers: Set<String> = []
  private var lastNumber = 0
  /// What new placeholders must differ from: those of the archive, and the short numbers of its texts.
  var used: Set<String> = []
  private var search = SecretSearch()

  /// Adds a secret, and returns its number.
  func add(_ secret: Secret) -> Int {
    guard let number = numbers[secret.value] else {
      numbers[secret.value] = secrets.count
      secrets.append(secret)
      return secrets.count - 1
    }
    let known = secrets[number]
    secrets[number].isAnywhere = known.isAnywhere || secret.isAnywhere
    secrets[number].isAnswered = known.isAnswered || secret.isAnswered
    secrets[number].isNumber = known.isNumber || secret.isNumber
    return number
  }

  subscript(value: String) -> Secret? { numbers[value].map { secrets[$0] } }

  /// Reserves the short numbers of a text, and what looks like a placeholder in it.
  func reserve(_ text: Bytes) {
    used.formUnion(Placeholders.byLook.texts(in: text))
    var position = 0
    while let start = text.firstIndex(of: UInt8(ascii: "7"), from: position) {
      position = text.firstIndex(notIn: .digit, from: start)
      if 3...8 ~= position - start { used.insert(String(utf8: text[start..<position])) }
    }
  }

  /// Gives each secret its placeholder. No secret is added after that.
  func assign() {
    for (index, secret) in secrets.enumerated() where !kept.contains(secret.value) {
      if secret.reason.rule == "token of a URL", identifiers.contains(secret.value) { continue }
      secrets[index].placeholder = placeholder(of: secret)
      guard secret.isAnywhere, secret.value.utf8.count >= 6 else { continue }
      let bytes = Array(secret.value.utf8)
      search.add(index, bytes)
      for form in Digits.all.map({ $0.encoded(bytes) }) where form.count >= 12 { search.add(index, form) }
    }
  }

  /// Returns what takes the place of a text that is a secret or a form of one.
  ///
  /// - Parameter number: The secret with a form of the text's hash.
  private func replacement(of text: String, _ number: Int) -> SecretSearch.Found? {
    // What is a secret itself has its own placeholder.
    let secret = secrets[numbers[text] ?? number]
    guard secret.isAnywhere, let placeholder = secret.placeholder else { return nil }
    let reason = SecretReason(kind: .elsewhere, rule: "elsewhere: \(secret.reason.rule)", name: secret.reason.name)
    let bytes = Array(secret.value.utf8)
    if bytes.elementsEqual(text.utf8) { return (placeholder, reason) }
    let digits = Digits.all.first { $0.encoded(bytes).elementsEqual(text.utf8) }
    return digits.map { ($0.encoded(placeholder, inPlaceOf: bytes.count), reason) }
  }

  /// Returns a placeholder that is neither the value, nor a number of the archive, nor that of another value. Where all
  /// of its shape are used up, it has none, and numbers of JSON share one.
  private func placeholder(of secret: Secret) -> String {
    func text(_ number: Int) -> String { PlaceholderText.text(number, like: secret.value, isNumber: secret.isNumber) }
    for number in lastNumber + 1...lastNumber + 1_000 {
      let placeholder = text(number)
      guard placeholder != secret.value, used.insert(placeholder).inserted else { continue }
      lastNumber = number
      return placeholder
    }
    lastNumber += 1
    return secret.isNumber ? text(lastNumber) : PlaceholderText.name(lastNumber)
  }

  /// Returns a text with placeholders for what was found in it, and for every secret that is one wherever it stands.
  func edited(_ text: Bytes, _ findings: [SecretFinder.Finding]) -> EditedBytes {
    var edits = ByteEdits()
    for finding in findings {
      let secret = secrets[finding.secret]
      guard let placeholder = secret.placeholder else { continue }
      edits.replace(finding.range, of: text, with: placeholder, because: secret.reason)
    }
    search.forEachMatch(in: text, replacement) { found, range in
      edits.replace(range, of: text, with: found.placeholder, because: found.reason)
    }
    return edits.applied(to: text)
  }
}
