import Foundation
import StubKit

extension SecretFinder {
  /// Adds a value if the table of decisions says so. Returns whether that, or a rule that keeps it, decides about it.
  @discardableResult
  mutating func decide(_ text: SecretText, _ name: SecretName, _ leaf: Leaf) -> Bool {
    let value = text.string
    if name.sureness == .kept {
      table.kept.insert(value)
      return true
    }
    guard name.isSecret, !text.bytes.isEmpty else { return false }
    let isOfScheme = name.reason.name.lowercased().hasSuffix("authorization")
    if isOfScheme, searchCredentials(text, name.reason.name) { return true }
    guard name.sureness == .own || isSecret(value, name, leaf) else { return false }
    found(text, name.reason, in: leaf)
    return true
  }

  private func isSecret(_ value: String, _ name: SecretName, _ leaf: Leaf) -> Bool {
    let isSent = context.isInRequest
    guard isSent || value.utf8.count <= 8_192 else { return false }
    let kind = SecretValue(value, isNumber: leaf.isNumber)
    // What is set to a name is code, unless that is a variable of an environment, or the value looks random.
    let isCode = leaf.place == .assigned && kind != .random && !name.isVariable
    // What a variable is set to is one, as in a request.
    let isMeant = isSent || name.isVariable && name.sureness == .password
    let isInText = leaf.place.isText || isCode
    if SecretDecision.replaces(kind, below: name.sureness, isSent: isMeant, isInText: isInText) { return true }
    // What is a secret elsewhere.
    let isKnown = table[value] != nil && !value.consists(of: .digit)
    return isKnown && [.token, .password, .code, .secret].contains(name.sureness)
  }

  /// Searches the credentials after a scheme (RFC 9110, section 11.4).
  private mutating func searchCredentials(_ text: SecretText, _ name: String) -> Bool {
    guard let space = text.bytes.firstIndex(of: 0x20) else { return false }
    let rest = text[space...].trimmed()
    guard !rest.bytes.isEmpty, context.isInRequest || SecretValue(rest.string).isCredential else { return false }
    found(rest, SecretReason(kind: .carrier, rule: "credentials", name: name))
    return true
  }

  /// Decides about a word after others, as in `--token x` or `The API key is x`.
  mutating func decideWord(_ leaf: Leaf) {
    let text = leaf.value
    if leaf.name.hasSuffix("-u "), rules.isStandard, let colon = text.bytes.firstIndex(of: UInt8(ascii: ":")) {
      decide(text[(colon + 1)...], SecretName(.password, "-u"), leaf)
      return
    }
    let value = text.string
    let kind = SecretValue(value)
    guard kind == .digits || kind == .longDigits || kind.isCredential else { return }
    var words = leaf.name.split(whereSeparator: \.isWhitespace).map(String.init)
    if let last = words.last, WordList.copulas.contains(last) { words.removeLast() }
    let last = words.last ?? ""
    let isAfterColon = last.hasSuffix(":")
    var name = SecretName(.none)
    // Before a colon, other words can follow the name, as in `The API key I use: x`.
    for _ in 0..<(isAfterColon ? 4 : 1) where !words.isEmpty && !name.isSecret {
      name = self.name(words.suffix(3).joined(separator: " "), in: .word)
      words.removeLast()
    }
    // What has a name of its own is listed by that.
    if !decide(text, name, leaf), !isAfterColon { noteRandom(text, last.hasPrefix("-") ? last : "", name) }
  }

  // MARK: Beside one another

  mutating func end() {
    let (roles, isMember) = (group.roles, group.outer != nil)
    group = groups.removeLast()
    if isMember { group.index += 1 }
    guard rules.isStandard else { return }
    if let code = roles[.code] { decide(code: code, roles) }
    // An everyday word of another language is a password beside the name of a user.
    if context.isInRequest, roles[.user] != nil, let phrase = roles[.phrase] {
      decide(phrase.value, SecretName(.password, phrase.name, .name, "password beside a user"), phrase)
    }
    if let number = roles[.card], roles[.check] != nil, number.value.bytes.count > 12 {
      found(number.value, SecretReason(kind: .name, rule: "number of a card"))
    }
    // A value is what the name or the type beside it says.
    guard let value = roles[.value] else { return }
    for name in [roles[.name], roles[.type]].compactMap({ $0 }) {
      decide(value.value, self.name(name.value.string, in: value.place), value)
    }
  }

  /// OAuth's code is in a request for a token, and with its state in a redirect. In a request, six digits are a second
  /// factor, and four to eight beside a password.
  private mutating func decide(code leaf: Leaf, _ roles: [Role: Leaf]) {
    let isGranted = roles[.grant] != nil || leaf.place == .query && roles[.companion] != nil
    let lengths = roles[.password] == nil ? 6...6 : 4...8
    let code = leaf.value
    let isNumber = code.bytes.firstIndex(notIn: .code) == code.bytes.count
    if isNumber, context.isInRequest, lengths ~= code.string.utf8.count(where: \.isDigit) {
      found(code, SecretReason(kind: .oauth, rule: "second factor"))
    } else if isGranted, code.bytes.count >= 8 {
      found(code, SecretReason(kind: .oauth, rule: "OAuth's code"))
    }
  }

  // MARK: Paths

  mutating func visit(path segments: [SecretText]) {
    for (place, segment) in segments.enumerated() where segment.bytes.count > 3 {
      let isLink = rules.isStandard && segment.bytes.count > 15 && isLink(segments, place)
      let name = SecretName(isLink ? .key : .none, "", .name, "token of a path")
      if decide(segment, name, Leaf(place: .query, value: segment)) { continue }
      let isHost = place == 2 && segments[1].bytes.isEmpty
      let value = segment.decoded(.inURL)
      searchReturned(value)
      if !isHost { noteRandom(value, "path", name) }
    }
  }

  /// Whether a segment is in a link that only its receiver knows, by what is one or two segments before it.
  private func isLink(_ segments: [SecretText], _ place: Int) -> Bool {
    let isLast = segments[(place + 1)...].allSatisfy(\.bytes.isEmpty)
    return segments[..<place].dropFirst(3).suffix(isLast ? 2 : 1).contains { $0.string.isOfLink }
  }
}

extension String {
  /// Whether a link has its token after this segment, in which a word begins so.
  fileprivate var isOfLink: Bool { words.contains { word in WordList.links.words.contains(where: word.hasPrefix) } }
}
