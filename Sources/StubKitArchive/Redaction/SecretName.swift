import StubKit

/// What a name says about its value.
struct SecretName: Sendable {
  /// How sure a name is that its value is a secret. The decision's table says what follows from it.
  enum Sureness: Sendable {
    case own, kept, token, password, code, secret, session, key, cookie
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
    case .own, .kept, .token, .password, .code, .secret, .session, .key, .cookie: true
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
    while words.count > 1, let last = words.last, WordRules.qualifiers.words.contains(last) { words.removeLast() }
    var last = words.popLast() ?? ""
    while last.count > 3, last.last?.isNumber == true { last.removeLast() }
    if last.count > 3, last.hasSuffix("s"), !["ss", "us"].contains(where: last.hasSuffix) { last.removeLast() }
    // The words before a value can be secrets, which no report shows.
    self.init(.none, place == .word ? last : text)
    words.append(last)
    let rules = Self.rules(words, all).filter { rule in
      (rule.places?.contains(place) ?? true) && (isSent || !rule.isOnlyInRequests)
    }
    sureness = rules.max { $0.rank < $1.rank }?.sureness ?? .none
    if sureness == .public, rules.contains(where: { $0.sureness == .described }) { sureness = .described }
    if sureness == .none || sureness == .key, Self.isOfCode(words) { sureness = .code }
  }

  // MARK: Rules

  /// How a name is written in the rules.
  private enum Form: CaseIterable { case names, endings, words, wholes, afterWord }

  /// A rule for one of its names.
  private struct Rule {
    let sureness: Sureness
    let places: Set<Leaf.Place>?
    let isOnlyInRequests: Bool
    /// The length of the name, and the number of the rule, from the last one on.
    let rank: (Int, Int)
  }

  /// Returns the rules with the end of a name, and with a word in it.
  private static func rules(_ words: [String], _ all: [String]) -> [Rule] {
    let whole = words.joined()
    let ends = whole.indices.map { String(whole[$0...]) }
    let last = words.indices.map { words[$0...].joined() }
    // A header has the same name with and without `X-`.
    let alone = [all.joined()] + (all.count > 1 && all[0] == "x" ? [all.dropFirst().joined()] : [])
    return Form.allCases.flatMap { form in
      let names =
        switch form {
        case .names: last
        case .endings: ends
        case .words: all + ends.filter { $0.utf8.count > 5 }
        case .wholes: alone
        // The last word alone says less than with another one before it.
        case .afterWord: words.count > 1 ? last : []
        }
      return names.flatMap { known[form]?[$0] ?? [] }
    }
  }

  /// The rules by the names.
  private static let known = NameRules.all.enumerated().reduce(into: [Form: [String: [Rule]]]()) { known, row in
    let (number, rule) = row
    for form in Form.allCases {
      let names =
        switch form {
        case .names: rule.names
        case .endings: rule.endings
        case .words: rule.words
        case .wholes: rule.wholes
        case .afterWord: rule.afterWord
        }
      for name in names.map(\.withoutAccents.comparableName) {
        let length = rule.sureness == .described ? 1 : name.utf8.count
        known[form, default: [:]][name, default: []].append(
          Rule(
            sureness: rule.sureness, places: rule.places, isOnlyInRequests: rule.isOnlyInRequests,
            rank: (length, -number)))
      }
    }
  }

  /// The names of all rules, and whether each can begin within a word.
  static var allNames: [(name: String, isAnywhere: Bool)] {
    known.flatMap { form, names in
      names.keys.map { ($0, form == .endings || form == .words && $0.utf8.count > 5) }
    }
  }

  /// Whether the name is that of a code that opens or proves something, such as `doorCode` or `codigo_sms`: a word for
  /// a code, first or last, and one that says what it is for.
  private static func isOfCode(_ words: [String]) -> Bool {
    let name = words.joined()
    return WordRules.otherCodes.words.isDisjoint(with: words)
      && WordRules.codes.words.contains { code in
        guard name != code, name.hasSuffix(code) || name.hasPrefix(code) else { return false }
        let rest = name.hasSuffix(code) ? name.dropLast(code.count) : name.dropFirst(code.count)
        return (words + [String(rest)]).contains { word in
          WordRules.purposes.words.contains { word == $0 || $0.utf8.count > 4 && word.hasPrefix($0) }
        }
      }
  }
}

extension String {
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
    withUTF8Bytes { bytes in
      let words = sequence(first: 0..<0) { bytes.word(from: $0.upperBound) }.dropFirst()
      return words.map { String(utf8: bytes[$0].map(\.lowercased)) }
    }
  }
}
