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
    /// Whether it is a number of JSON, and stays one.
    var isNumber = false
    /// Whether it was found only as the `token` or the end of a URL.
    var isTokenOfURL = false
    /// The number of its placeholder.
    var number = 0
    /// What replaces the value, or `nil` if a rule keeps it.
    var placeholder: String?
    /// Whether the value is replaced in every text, and so are its forms.
    var isSearched: Bool { isAnywhere && value.utf8.count >= 6 && placeholder != nil }
  }

  private(set) var secrets: [Secret] = []
  private var numbers: [String: Int] = [:]
  private var kept: Set<String> = []
  private var partsOfCookies: Set<String> = []
  private var identifiers: Set<String> = []
  private var lastNumber = 0
  /// Short numbers of the texts that could be placeholders.
  private var shortNumbers: Set<String> = []
  private var used: Set<String> = []
  /// How many placeholders of a number of digits have been tried.
  private var attempts: [Int: Int] = [:]
  private var search = SecretSearch()
  /// The forms that were found to begin and end like a text, and what takes their place.
  private var forms: [String: (secret: Int, placeholder: String)] = [:]
  private var searchedKeys: Set<UInt64> = []

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
    secrets[number].isNumber = secrets[number].isNumber || secret.isNumber
    secrets[number].isTokenOfURL = secrets[number].isTokenOfURL && secret.isTokenOfURL
    return number
  }

  /// Notes the `id` of an object in a response.
  func noteIdentifier(_ value: String) { if value.utf8.count >= 6 { identifiers.insert(value) } }

  /// Notes a random part of a cookie, which a client can send alone.
  func notePart(_ part: String) { partsOfCookies.insert(part) }

  func isPartOfCookie(_ value: String) -> Bool { partsOfCookies.contains(value) }

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
    used.insert(placeholder)
    // So many secrets have no archive, and nothing after a number can overflow.
    let number = PlaceholderText.number(of: placeholder)
    if number < 100_000_000 { lastNumber = max(lastNumber, number) }
  }

  /// Gives each secret its placeholder. No secret is added after that.
  func assign() {
    for (index, secret) in secrets.enumerated() where !kept.contains(secret.value) {
      if secret.isTokenOfURL && identifiers.contains(secret.value) { continue }
      lastNumber += 1
      secrets[index].number = lastNumber
      secrets[index].placeholder = placeholder(of: secret)
      if secrets[index].isSearched { search.add(index, secret.value) }
    }
    search.sort()
  }

  /// Returns the forms in which a secret is replaced, too, each with what takes its place.
  private func forms(of secret: Secret) -> [(value: String, placeholder: String)] {
    guard let placeholder = secret.placeholder else { return [] }
    let (value, bytes) = (secret.value, Array(secret.value.utf8))
    var forms = [(value.lowercased(), placeholder), (value.uppercased(), placeholder)]
    for digits in Digits.all {
      let others = digits.bytes(of: placeholder, inPlaceOf: bytes.count)
      forms += digits.alphabets.map { (digits.encoded(bytes, $0), digits.encoded(others, $0)) }
    }
    if let text = value.decodedFromBase64, let decoded = placeholder.decodedFromBase64 {
      // A client can send what the value decodes to, and the placeholder decodes to another one.
      forms.append((text, decoded))
    } else if let token = value.tokenParts {
      // The signature is enough to recognise a token.
      forms.append((String(token.signature), PlaceholderText.name(secret.number)))
    }
    return forms
  }

  /// Returns a placeholder that is neither the value, nor a number of the archive, nor that of another value.
  private func placeholder(of secret: Secret) -> String {
    let value = secret.value
    if let token = value.tokenParts { return PlaceholderText.token(lastNumber, token.head, token.signature) }
    let first = attempts[value.utf8.count] ?? 0
    func text(_ attempt: Int) -> String {
      PlaceholderText.text(
        lastNumber, like: value, attempt: attempt, isAddress: secret.reason.kind == .own, isBinary: secret.isBinary,
        isNumber: secret.isNumber)
    }
    for attempt in first..<first + 1_000 {
      let placeholder = text(attempt)
      guard placeholder != value, !shortNumbers.contains(placeholder), used.insert(placeholder).inserted else {
        continue
      }
      if placeholder.consists(of: .digit) { attempts[value.utf8.count] = attempt + 1 }
      return placeholder
    }
    // More numbers of three digits than there are placeholders.
    guard secret.isNumber else { return PlaceholderText.name(lastNumber) }
    return text(first) == value ? text(first + 1) : text(first)
  }

  /// Adds the edits that replace every secret that is one wherever it stands.
  func replaceOccurrences(in text: UnsafeBufferPointer<UInt8>, _ edits: inout ByteEdits) {
    search.forEachMatch(in: text, replacement) { found, range in
      let reason = secrets[found.secret].reason
      edits.replace(
        range, with: found.placeholder,
        because: SecretReason(kind: .elsewhere, rule: "elsewhere: \(reason.rule)", name: reason.name),
        isEscaped: text[range].contains(UInt8(ascii: "%")))
    }
  }

  /// Returns the secret that a text is or that it is a form of, and what takes its place.
  ///
  /// - Parameter key: What the text begins and ends with. Forms are made where they are needed, because most secrets
  ///   stand in a conversation only as they are.
  private func replacement(of text: String, _ key: UInt64) -> SecretSearch.Found? {
    if let number = numbers[text] {
      return secrets[number].isSearched ? secrets[number].placeholder.map { (number, $0) } : nil
    }
    for number in searchedKeys.insert(key).inserted ? search.candidates[key] ?? [] : [] {
      for (form, placeholder) in forms(of: secrets[number])
      where form.utf8.count >= 12 && numbers[form] == nil && forms[form]?.secret ?? 0 <= number {
        forms[form] = (number, placeholder)
      }
    }
    return forms[text]
  }
}
