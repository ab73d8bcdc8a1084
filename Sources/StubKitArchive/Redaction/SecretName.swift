import StubKit

/// What a name says about its value.
struct SecretName: Sendable {
  /// How sure a name is that its value is a secret. The decision's table says what follows from it.
  enum Sureness: String, CaseIterable, Sendable {
    case own, kept, token, password, code, secret, words, session, key, cookie
    /// Nothing, what is public or an identifier, and what only keeps a header of a request from being searched.
    case none, `public`, described
  }

  var sureness: Sureness
  var text: String
  var reason: SecretReason
  /// Whether the name is a plural, as that of a count.
  var isPlural = false
  /// Whether clients decode the value, as for `signature`.
  var isBinary = false

  init(
    _ sureness: Sureness, _ text: String = "", _ kind: SecretReason.Kind = .name, _ rule: String? = nil
  ) {
    self.sureness = sureness
    self.text = text
    reason = SecretReason(kind: kind, rule: rule ?? "name \"\(text)\"", name: text)
  }

  /// Whether a rule of the user has the name.
  var isOfUser: Bool { sureness == .own || sureness == .kept }

  /// Whether a value below the name can be a secret.
  var isSecret: Bool { ![.none, .public, .described].contains(sureness) }

  /// Whether the name is that of a variable of an environment, such as `MAILER_PW`.
  var isVariable: Bool { text.has("_") && text.utf8.allSatisfy { !$0.isLowercase } }

  /// Returns what the standard rules say of a name.
  ///
  /// - Parameter text: The name with what is before it.
  init(standard name: String, in place: Leaf.Place, isSent: Bool, _ text: String) {
    self.init(.none, text)
    let all = name.withoutAccents.words
    var words = all
    let least = ["pin", "code"].contains(words.first) ? words.count : 1
    while words.count > least, let last = words.last, WordList.qualifiers.contains(last) {
      words.removeLast()
    }
    if place == .header, words.count > 1, words[0] == "x" { words.removeFirst() }
    guard let written = words.last else { return }
    var last = written
    isPlural = last.count > 3 && last.hasSuffix("s") && !last.hasSuffix("ss")
    if isPlural { last.removeLast() }
    while last.count > 3, last.last?.isNumber == true { last.removeLast() }
    var best = 0
    for end in [written, last] {
      words[words.count - 1] = end
      let whole = words.joined()
      let keys = [whole.ends.last, whole.ends.first] + all.map { $0.ends.last }
      for entry in keys.compactMap({ Self.rules[$0] }).joined() where entry.length > best {
        guard entry.counts(in: place, isSent: isSent), entry.isEnd(of: words, whole, isPlural) || entry.isIn(whole, all)
        else { continue }
        (best, sureness) = (entry.length, entry.sureness)
      }
    }
    if sureness == .none || sureness == .key, Self.isOfCode(words) { sureness = .code }
    isBinary = ["signature", "sig", "key", "hash", "hmac", "mac"].contains(last)
  }

  // MARK: Rules

  /// A name of the rules.
  private struct Entry: Sendable {
    let text: String
    let form: Character?
    let sureness: Sureness
    let places: [Substring]
    /// Whether it consists of several words.
    let isOfWords: Bool
    /// Of several names, the longest counts.
    var length: Int { sureness == .described ? 1 : text.utf8.count + 1 }

    func counts(in place: Leaf.Place, isSent: Bool) -> Bool {
      let isSentOnly = isSent && places.contains("sent")
      return places.isEmpty || isSentOnly || places.contains("\(place)")
    }

    /// Whether a name ends so, as the entry's form says.
    func isEnd(of words: [String], _ whole: String, _ isPlural: Bool) -> Bool {
      guard whole.hasSuffix(text), form != "~" else { return false }
      // In a name of one word, nobody knows where the last one begins.
      let isOfOneWord = sureness == .public && words.count == 1 && text.utf8.count > 7
      if form == "=" { return whole == text && (isOfWords || words.count == 1) }
      // The last word alone says less than with another one before it.
      if form == "+", words.count == 1, !isPlural { return false }
      return isOfOneWord || form == "*" || words.indices.contains { words[$0...].joined() == text }
    }

    /// Whether the text is a word of a name, or begins or ends it if it is long.
    func isIn(_ whole: String, _ words: [String]) -> Bool {
      guard form == "~", !words.contains(text) else { return form == "~" }
      return text.utf8.count > 5 && (whole.hasSuffix(text) || whole.hasPrefix(text))
    }
  }

  /// The names by their last bytes, and those within a name also by their first ones.
  private static let rules = NameRules.rows.rows.reduce(into: [Int: [Entry]]()) { rules, row in
    for name in row[0].expanded {
      let text = String(name.drop { "*~=+".contains($0) }).withoutAccents.comparableName
      let entry = Entry(
        text: text, form: name.first, sureness: Sureness(rawValue: row[1]) ?? .none,
        places: row[2].split(separator: " "),
        isOfWords: name.has("_"))
      for key in entry.form == "~" ? [text.ends.last, text.ends.first] : [text.ends.last] {
        rules[key, default: []].append(entry)
      }
    }
  }

  /// Whether the name is that of a code that opens or proves something, such as `doorCode` or `codigo_sms`: a word for
  /// a code, first or last, and one that says what it is for.
  private static func isOfCode(_ words: [String]) -> Bool {
    let name = words.joined()
    let known = WordList.codes.words.filter { name.hasSuffix($0) || name.hasPrefix($0) }
    guard let code = known.max(by: { $0.utf8.count < $1.utf8.count }) else { return false }
    let rest = name.hasSuffix(code) ? name.dropLast(code.count) : name.dropFirst(code.count)
    guard !rest.isEmpty, WordList.otherCodes.words.isDisjoint(with: words) else { return false }
    return ([String(rest)] + words).contains { word in
      WordList.purposes.words.contains { word == $0 || $0.utf8.count > 4 && word.hasPrefix($0) }
    }
  }
}

extension String {
  /// The first and the last two bytes.
  fileprivate var ends: (first: Int, last: Int) {
    (-utf8.prefix(2).reduce(0) { $0 << 8 | Int($1) }, utf8.suffix(2).reduce(0) { $0 << 8 | Int($1) })
  }

  /// The names of a row: `{a b}_c` are `a_c` and `b_c`.
  var expanded: [String] {
    var (names, forms) = ([String](), [""])
    var group: [String]?
    for character in self + " " {
      switch (character, group) {
      case ("{", _): group = [""]
      case ("}", let parts?):
        forms = forms.flatMap { form in parts.map { form + $0 } }
        group = nil
      case (" ", _?): group?.append("")
      case (" ", nil):
        names += forms
        forms = [""]
      case (_, let parts?): group?[parts.count - 1].append(character)
      case (_, nil): forms = forms.map { $0 + String(character) }
      }
    }
    return names
  }

  /// The name in the form in which rules compare it: without case, hyphens, underscores and spaces.
  var comparableName: String {
    String(decoding: utf8.lazy.filter { $0 != 0x2D && $0 != 0x5F && $0 != 0x20 }.map { $0.lowercased }, as: UTF8.self)
  }

  /// The text without diacritics, in lower case if it isn't ASCII then.
  fileprivate var withoutAccents: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    let plain = folding(options: .diacriticInsensitive, locale: nil)
    return plain.utf8.allSatisfy { $0 < 0x80 } ? plain : plain.lowercased()
  }

  /// The words of a name in lower case: `X-APIKeyId2` has `x`, `api`, `key` and `id2`.
  var words: [String] {
    var (words, position) = ([String](), 0)
    withUTF8Bytes { bytes in
      while let word = bytes.word(from: position) {
        words.append(String(decoding: bytes[word].map(\.lowercased), as: UTF8.self))
        position = word.upperBound
      }
    }
    return words
  }
}
