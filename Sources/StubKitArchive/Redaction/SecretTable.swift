import StubKit

/// Why a value is a secret.
package struct SecretReason: Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case own = "by rules of your own"
    case carrier = "credentials and cookies"
    case name = "by name"
    case shape = "by shape"
    case elsewhere
    /// Those that look random. They are kept, unless a rule replaces them.
    case random = "by look"
    case identifier = "identifiers"
  }
  var kind: Kind
  /// The rule in words, such as `name "access_token"`.
  package let rule: String
  /// The name of the value, or the empty text if it is found without one.
  package var name = ""

  /// The name of a value that looks random and has none.
  static let noName = "a value without a name"
}

/// The secrets of one conversation. The same value always gets the same placeholder, so that a response hands a client
/// the placeholder that a later recorded request contains.
final class SecretTable {
  struct Secret {
    let value: String
    var reason: SecretReason
    /// What is in it, if it is a JSON Web Token.
    var token: WebToken?
    /// Whether the value is replaced wherever it stands.
    var isAnywhere = false
    /// Whether it is a number of JSON, and stays one.
    var isNumber = false
    /// What replaces the value, or `nil` if a rule keeps it.
    fileprivate(set) var placeholder: String?
  }

  private(set) var secrets: [Secret] = []
  private var numbers: [String: Int] = [:]
  /// The values that a rule keeps, wherever they stand.
  var kept: Set<String> = []
  /// The values of the `id` of an object in a response, and all that look random below the name of an identifier.
  var identifiers: Set<String> = [], randomIdentifiers: Set<String> = []
  private var lastNumber = 0
  /// What new placeholders must differ from: those of the archive, and the short numbers of its texts.
  var used: Set<String> = []
  /// The shapes of which all placeholders are used up, and how many dates of a month there are.
  private var usedUp: Set<String> = []
  private var dates: [String: Int] = [:]
  private var search = SecretSearch()

  /// Adds a secret, and returns its number.
  func add(_ secret: Secret) -> Int {
    guard let number = numbers[secret.value] else {
      numbers[secret.value] = secrets.count
      secrets.append(secret)
      return secrets.count - 1
    }
    let known = secrets[number]
    // Of several reasons, the look is the weakest.
    if known.reason.kind == .random { secrets[number].reason = secret.reason }
    secrets[number].isAnywhere = known.isAnywhere || secret.isAnywhere
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
    var tokens: [(index: Int, number: Int)] = []
    for (index, secret) in secrets.enumerated() where !kept.contains(secret.value) {
      if secret.reason.rule == "token of a URL", identifiers.contains(secret.value) { continue }
      // What is an identifier in one place is one in all.
      if secret.reason.kind == .random, randomIdentifiers.contains(secret.value) { continue }
      if secret.token == nil {
        secrets[index].placeholder = placeholder(of: secret)
      } else {
        lastNumber += 1
        tokens.append((index, lastNumber))
      }
      if secret.isAnywhere, secret.value.utf8.count >= 6 { search.add(index, Array(secret.value.utf8)) }
    }
    // The claims contain other secrets. A token within a token was added first.
    for (index, number) in tokens {
      secrets[index].placeholder = secrets[index].token?.replaced(number) { text, findings in edited(text, findings) }
    }
  }

  /// Returns what takes the place of a text that is a secret.
  ///
  /// - Parameter number: The secret with the text's hash.
  private func replacement(of text: String, _ number: Int) -> SecretSearch.Found? {
    let secret = secrets[number]
    guard secret.isAnywhere, let placeholder = secret.placeholder, secret.value == text else { return nil }
    let reason = SecretReason(kind: .elsewhere, rule: "elsewhere: \(secret.reason.rule)", name: secret.reason.name)
    return (placeholder, reason)
  }

  /// Returns a placeholder that is neither the value, nor a number of the archive, nor that of another value. Where all
  /// of its shape are used up, it has none, and numbers of JSON share one.
  private func placeholder(of secret: Secret) -> String {
    if secret.value.isDate { return date(like: secret.value) }
    func text(_ number: Int) -> String { PlaceholderText.text(number, like: secret.value, isNumber: secret.isNumber) }
    let shape = text(1)
    for number in usedUp.contains(shape) ? lastNumber..<lastNumber : lastNumber + 1..<lastNumber + 1_001 {
      let placeholder = text(number)
      guard placeholder != secret.value, used.insert(placeholder).inserted else { continue }
      lastNumber = number
      return placeholder
    }
    usedUp.insert(shape)
    lastNumber += 1
    return secret.isNumber ? text(lastNumber) : PlaceholderText.name(lastNumber)
  }

  /// Returns a date that is none of another value: another day of the same month, or of that of another century if
  /// there are many. Where all of these are used up, a placeholder without a shape.
  private func date(like value: String) -> String {
    while true {
      let number = dates[String(value.prefix(7)), default: 0]
      dates[String(value.prefix(7))] = number + 1
      guard let date = PlaceholderText.date(number, like: value) else { break }
      if date != value, used.insert(date).inserted { return date }
    }
    lastNumber += 1
    return PlaceholderText.name(lastNumber)
  }

  /// Returns a text with placeholders for what was found in it, and for every secret that is one wherever it stands.
  /// What is encoded in it is edited and encoded again.
  func edited(_ text: Bytes, _ findings: SecretFinder.Findings) -> EditedBytes {
    var (edits, kept, replaced) = (ByteEdits(), [SecretReason](), [String]())
    for finding in findings.secrets {
      let secret = secrets[finding.secret]
      guard let placeholder = secret.placeholder else {
        if secret.reason.kind == .random {
          kept.append(SecretReason(kind: .identifier, rule: secret.reason.rule, name: secret.reason.name))
        }
        continue
      }
      edits.replace(finding.range, of: text, with: placeholder, because: secret.reason)
      replaced.append(secret.value)
    }
    search.forEachMatch(in: text, replacement) { found, range in
      edits.replace(range, of: text, with: found.placeholder, because: found.reason)
    }
    for part in findings.encoded {
      let new = part.text.bytes.withUnsafeBufferPointer { edited($0, part.findings) }
      kept += new.kept
      replaced += new.replaced
      if new.edits.isEmpty { continue }
      edits.replace(part, of: text, with: new)
    }
    var result = edits.applied(to: text)
    result.replaced = replaced
    result.kept = kept + findings.kept.filter { !result.touches($0.range) }.map(\.reason)
    return result
  }
}
