import Foundation
import StubKitFormats

/// The secrets of one conversation, with a placeholder for each.
///
/// All texts of the conversation are read twice. First, the table collects the values that a rule finds. Then it
/// replaces them, where the rule found them and everywhere else. The same value always gets the same placeholder, so that
/// a response hands a client the placeholder that a later recorded request contains.
final class SecretTable: SecretPlaceholders {
  /// Whether secrets are replaced now, and no longer collected.
  private(set) var isReplacing = false
  var isInRequest = false

  private var numbers: [String: Int] = [:]
  private var lastNumber = 0
  /// The placeholders of texts that are replaced inside of other texts.
  private var replacements: [String: String] = [:]
  /// The placeholders of values that are replaced only if they are a whole value.
  private var wholeValues: [String: String] = [:]
  private var search = SecretSearch()

  /// Reserves the placeholders of a text.
  func reserve(_ text: UnsafeBufferPointer<UInt8>) {
    lastNumber = max(lastNumber, Redacted.highestNumber(in: text))
  }

  /// Replaces from now on what was collected.
  func beginReplacing() {
    isReplacing = true
    search = SecretSearch(replacements)
  }

  func replacement(of value: String, _ origin: SecretOrigin) -> String? {
    guard !value.isEmpty, !Redacted.isWhole(value) else { return nil }
    if isReplacing { return Redacted.text(number(of: value), like: value) }
    collect(value, origin)
    return nil
  }

  func replacement(ofToken token: String, head: String) -> String? {
    guard !Redacted.isWhole(token) else { return nil }
    let number = number(of: token)
    if isReplacing { return Redacted.token(number, head) }
    // The signature is enough to recognise it.
    let signature = token.pieces(at: ".").last.map(String.init) ?? token
    replacements[token] = Redacted.token(number, head)
    if signature.isUnmistakable { replacements[signature] = Redacted.name(number) }
    return nil
  }

  func replacement(ofWhole value: String) -> String? { isReplacing ? wholeValues[value] : nil }

  var hasWholeValues: Bool { isReplacing && !wholeValues.isEmpty }

  private func number(of value: String) -> Int {
    if let number = numbers[value] { return number }
    lastNumber += 1
    numbers[value] = lastNumber
    return lastNumber
  }

  private func collect(_ value: String, _ origin: SecretOrigin) {
    let number = number(of: value)
    let placeholder = Redacted.text(number, like: value)
    add(value, placeholder, origin)
    let decoded = value.percentDecoded
    if decoded != value { add(decoded, placeholder, origin) }
    // A client decodes the placeholder in the same way.
    if let text = value.decodedFromBase64, Redacted.text(number, like: value) != Redacted.name(number) {
      add(text, Redacted.name(number), origin)
    }
  }

  private func add(_ value: String, _ placeholder: String, _ origin: SecretOrigin) {
    if case .place = origin {
      if value.looksRandom { replacements[value] = placeholder }
      return
    }
    if value.isUnmistakable {
      replacements[value] = placeholder
    } else if case .name(let inRequest) = origin, inRequest || value.utf8.count >= 6,
      !(value.isDecimal && value.utf8.count < 4), !["true", "false", "null"].contains(value)
    {
      wholeValues[value] = placeholder
    }
  }

  /// Returns the edits that replace every collected secret in a text, whatever it is encoded in.
  func occurrences(in text: UnsafeBufferPointer<UInt8>) -> ByteEdits {
    isReplacing ? search.edits(of: text) : ByteEdits()
  }
}

extension String {
  /// Whether the text is a secret wherever it occurs: it has at least eight characters, and isn't a word.
  fileprivate var isUnmistakable: Bool {
    guard utf8.count >= SecretSearch.shortest, count >= SecretSearch.shortest else { return false }
    let rest = utf8.dropFirst()
    let isWord =
      rest.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == 0x20 || $0 == UInt8(ascii: "-") }
      && first?.isLetter == true || utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    return !isWord || utf8.count >= 24 && !utf8.contains(0x20)
  }

  /// Whether the text is hardly an ordinary value: it is long, and has letters and digits.
  fileprivate var looksRandom: Bool {
    utf8.count >= 16 && utf8.contains { $0.isDigit } && utf8.contains { $0.isAlphanumeric && !$0.isDigit }
      && !utf8.contains(0x20) && !utf8.starts(with: "http".utf8)
  }
}

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
