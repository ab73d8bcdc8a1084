import StubKit

extension Bytes {
  /// The text of a range with small letters in place of the capital ones of ASCII.
  fileprivate func lowercased(_ range: Range<Int>) -> String {
    String(unsafeUninitializedCapacity: range.count) { text in
      var index = 0
      while index < range.count {
        let byte = self[range.lowerBound + index]
        text[index] = ByteSet.uppercase[byte] ? byte | 0x20 : byte
        index += 1
      }
      return index
    }
  }
}

/// What a name says about its value.
struct SecretName: Sendable {
  /// How sure a name is that its value is a secret.
  enum Sureness: Sendable {
    /// By a rule of the user, which replaces or keeps it.
    case own, kept
    /// The value is one if it can be one, or only if it looks random.
    case sure, weak
    /// Nothing, what is public or an identifier, and what only keeps a header of a request from being searched.
    case none, `public`, described
  }

  /// What a name says that no rule knows.
  static let nothing = SecretName(.none)

  var sureness: Sureness
  var reason: SecretReason

  init(
    _ sureness: Sureness, _ text: String = "", _ kind: SecretReason.Kind = .name, _ rule: String? = nil
  ) {
    self.sureness = sureness
    reason = SecretReason(kind: kind, rule: rule ?? "name \"\(text)\"", name: text)
  }

  /// Whether a value below the name can be a secret.
  var isSecret: Bool {
    switch sureness {
    case .none, .public, .described: false
    case .own, .kept, .sure, .weak: true
    }
  }

  /// Whether the name is that of a variable of an environment, such as `MAILER_PW`.
  var isVariable: Bool { reason.name.has("_") && reason.name == reason.name.uppercased() }

  /// Returns what the standard rules say of a name.
  ///
  /// - Parameter text: The name with what is before it.
  init(standard name: String, in place: Leaf.Place, isSent: Bool, _ text: String) {
    let all = name.withoutAccents.words
    var words = all
    while words.count > 1, let last = words.last,
      WordRules.qualifiers.contains(last) || WordRules.copulas.contains(last)
    {
      words.removeLast()
    }
    var last = words.popLast() ?? ""
    last = last.withoutNumber
    if last.utf8.last == UInt8(ascii: "s"), last.count > 3, !last.hasSuffix("ss"), !last.hasSuffix("us") {
      last.removeLast()
    }
    // The words before a value can be secrets, which no report shows.
    self.init(.none, place == .word ? last : text)
    words.append(last)
    var rules = Self.rules(words, all, in: place, isSent: isSent)
    // `quickXorHash` is a hash, and `passwordHash` a password.
    if rules.isEmpty, all.count > words.count { rules = Self.rules(all, all, in: place, isSent: isSent) }
    sureness = rules.max { $0.rank < $1.rank }?.sureness ?? .none
    if sureness == .public, rules.contains(where: { $0.sureness == .described }) { sureness = .described }
    if sureness == .none || sureness == .weak, Self.isOfCode(words) { sureness = .sure }
    // In a sentence such as `Your code is 493817`.
    let isSaid = place == .word && all.last.map(WordRules.copulas.contains) == true
    if isSaid, sureness == .none, WordRules.codes.contains(last),
      WordRules.otherCodes.isDisjoint(with: words)
    {
      sureness = .sure
    }
  }

  private static func rules(
    _ words: [String], _ all: [String], in place: Leaf.Place, isSent: Bool
  ) -> [KnownNames.Name] {
    KnownNames.all.rules(words, all).filter { rule in
      (rule.places?.contains(place) ?? true) && (isSent || !rule.isOnlyInRequests)
    }
  }

  /// The first and the last bytes of words for a code.
  private static let codeStarts = ByteSet("") { byte in WordRules.codes.contains { $0.utf8.first == byte } }
  private static let codeEnds = ByteSet("") { byte in WordRules.codes.contains { $0.utf8.last == byte } }

  /// Whether the name is that of a code that opens or proves something, such as `doorCode` or `codigo_sms`: a word for
  /// a code, first or last, and one that says what it is for.
  private static func isOfCode(_ words: [String]) -> Bool {
    let name = words.joined()
    guard let first = name.utf8.first, let last = name.utf8.last, codeStarts[first] || codeEnds[last] else {
      return false
    }
    return WordRules.codes.contains { code in
      guard name != code, name.hasSuffix(code) || name.hasPrefix(code) else { return false }
      guard WordRules.otherCodes.isDisjoint(with: words) else { return false }
      let rest = name.hasSuffix(code) ? name.dropLast(code.count) : name.dropFirst(code.count)
      return (words + [String(rest)]).contains { word in
        WordRules.purposes.contains { word == $0 || $0.utf8.count > 4 && word.hasPrefix($0) }
      }
    }
  }
}

extension String {
  /// The name in the form in which rules compare it: without case, hyphens, underscores and spaces.
  var comparableName: String {
    if consists(of: .comparable) { return self }
    return withUTF8Bytes { bytes in
      String(unsafeUninitializedCapacity: bytes.count) { name in
        var (index, count) = (0, 0)
        while index < bytes.count {
          let byte = bytes[index]
          index += 1
          if byte == 0x2D || byte == 0x5F || byte == 0x20 { continue }
          name[count] = ByteSet.uppercase[byte] ? byte | 0x20 : byte
          count += 1
        }
        return count
      }
    }
  }

  /// A word without the number at its end, of which three characters stay.
  fileprivate var withoutNumber: String {
    var word = self[...]
    while let last = word.utf8.last, last.isDigit || last >= 0x80, word.count > 3, word.last?.isNumber == true {
      word.removeLast()
    }
    return String(word)
  }

  /// The text without diacritics, in lower case if it isn't ASCII then.
  var withoutAccents: String {
    if !contains(anyOf: .notASCII) { return self }
    let plain = folding(options: .diacriticInsensitive, locale: nil)
    return plain.contains(anyOf: .notASCII) ? plain.lowercased() : plain
  }

  /// The words of a name in lower case: `X-APIKeyId2` has `x`, `api`, `key` and `id2`.
  var words: [String] {
    withUTF8Bytes { bytes in
      var (words, next) = ([String](), bytes.word(from: 0))
      while let range = next {
        words.append(bytes.lowercased(range))
        next = bytes.word(from: range.upperBound)
      }
      return words
    }
  }
}
