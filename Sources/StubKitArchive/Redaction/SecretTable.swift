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
    /// Whether it is a number of JSON, and stays one.
    var isNumber = false
    /// Whether it was found only as the `token` or the end of a URL.
    var isTokenOfURL = false
    /// What replaces the value, or `nil` if a rule keeps it.
    var placeholder: String?
    /// Whether the value is replaced in every text, and so are its forms.
    var isSearched: Bool { isAnywhere && value.utf8.count >= 6 && placeholder != nil }
  }

  private(set) var secrets: [Secret] = []
  private var numbers: [String: Int] = [:]
  private var kept: Set<String> = []
  private var identifiers: Set<String> = []
  private var lastNumber = 0
  /// The placeholders, and the short numbers of the texts that could be some.
  private var used: Set<String> = []
  private var search = SecretSearch()

  /// Adds a secret, and returns its number.
  func add(_ secret: Secret) -> Int {
    let number = numbers[secret.value] ?? secrets.count
    if number == secrets.count {
      numbers[secret.value] = number
      secrets.append(secret)
    }
    let known = secrets[number]
    secrets[number].isAnywhere = known.isAnywhere || secret.isAnywhere
    secrets[number].isAnswered = known.isAnswered || secret.isAnswered
    secrets[number].isNumber = known.isNumber || secret.isNumber
    secrets[number].isTokenOfURL = known.isTokenOfURL && secret.isTokenOfURL
    return number
  }

  /// Notes the `id` of an object in a response.
  func noteIdentifier(_ value: String) { identifiers.insert(value) }

  /// Notes a value that a rule keeps, wherever it stands.
  func keep(_ value: String) { kept.insert(value) }

  subscript(value: String) -> Secret? { numbers[value].map { secrets[$0] } }

  /// Reserves what new placeholders must differ from: those of a text by their look, which it returns, and short
  /// numbers.
  func reserve(_ text: UnsafeBufferPointer<UInt8>) -> [String] {
    let placeholders = Placeholders.byLook.texts(in: text)
    reserve(placeholders)
    var position = 0
    while let start = text.firstIndex(of: UInt8(ascii: "7"), from: position) {
      position = text.firstIndex(notIn: .digit, from: start)
      if 3...8 ~= position - start { used.insert(String(decoding: text[start..<position], as: UTF8.self)) }
    }
    return placeholders
  }

  func reserve(_ placeholders: some Sequence<String>) { used.formUnion(placeholders) }

  /// Gives each secret its placeholder. No secret is added after that.
  func assign() {
    for (index, secret) in secrets.enumerated() where !kept.contains(secret.value) {
      if secret.isTokenOfURL && identifiers.contains(secret.value) { continue }
      secrets[index].placeholder = placeholder(of: secret)
      guard secrets[index].isSearched else { continue }
      let bytes = Array(secret.value.utf8)
      search.add(index, bytes)
      for form in Digits.all.map({ $0.encoded(bytes) }) where form.count >= 12 { search.add(index, form) }
    }
  }

  /// Returns a placeholder that is neither the value, nor a number of the archive, nor that of another value.
  private func placeholder(of secret: Secret) -> String {
    let first = lastNumber + 1
    func text(_ number: Int) -> String {
      PlaceholderText.text(
        number, like: secret.value, isAddress: secret.reason.kind == .own, isNumber: secret.isNumber)
    }
    for number in first..<first + 1_000 {
      let placeholder = text(number)
      guard placeholder != secret.value, used.insert(placeholder).inserted else { continue }
      lastNumber = number
      return placeholder
    }
    // There are more numbers of three digits than placeholders.
    return secret.isNumber ? text(first) : PlaceholderText.name(first)
  }

  /// Adds the edits that replace every secret that is one wherever it stands.
  func replaceOccurrences(in text: UnsafeBufferPointer<UInt8>, _ edits: inout ByteEdits) {
    search.forEachMatch(in: text, replacement) { found, range in
      let reason = secrets[found.secret].reason
      edits.replace(
        range, of: text, with: found.placeholder,
        because: SecretReason(kind: .elsewhere, rule: "elsewhere: \(reason.rule)", name: reason.name))
    }
  }

  /// Returns the secret that a text is or that it is a form of, and what takes its place.
  ///
  /// - Parameter number: The secret with a form of the text's hash.
  private func replacement(of text: String, _ number: Int) -> SecretSearch.Found? {
    let secret = secrets[numbers[text] ?? number]
    guard secret.isSearched, let placeholder = secret.placeholder else { return nil }
    if let number = numbers[text] { return (number, placeholder) }
    let bytes = Array(secret.value.utf8)
    let digits = Digits.all.first { $0.encoded(bytes).elementsEqual(text.utf8) }
    return digits.map { digits in
      let others = digits.bytes(of: placeholder, inPlaceOf: bytes.count)
      return (number, String(decoding: digits.encoded(others), as: UTF8.self))
    }
  }
}
