import Foundation
import StubKit

extension SecretFinder {
  /// Adds a value if the table of decisions says so. Returns whether that, or a rule that keeps it, decides about it.
  @discardableResult
  mutating func decide(_ text: SecretText, _ name: SecretName, _ leaf: Leaf) -> Bool {
    let value = text.string
    if name.sureness == .kept {
      table.keep(value)
      text.decoded(.escapes) { table.keep($0.string) }
      return true
    }
    guard name.isSecret, !text.bytes.isEmpty else { return false }
    let lower = name.text.lowercased()
    // What signs a URL begins with the identifier of a key, and says then what the key is for.
    if lower.hasSuffix("credential"), let scope = text.bytes.startOfScope {
      return decide(text[0..<scope], name, leaf)
    }
    let isCarrier = lower.hasSuffix("authorization")
    let hasScheme = isCarrier || text.bytes.has("bearer ", at: 0, inAnyCase: true)
    if hasScheme, searchCredentials(text, name.text) { return true }
    guard name.sureness == .own ? leaf.kind != .literal : isSecret(value, name, leaf) else { return false }
    found(text, name.reason, isBinary: name.isBinary, in: leaf)
    return true
  }

  private func isSecret(_ value: String, _ name: SecretName, _ leaf: Leaf) -> Bool {
    let isSent = context.isInRequest
    var kind = SecretValue.other
    if value.utf8.count <= 8_192 {
      kind = SecretValue(value, isNumber: leaf.kind == .number)
    } else if !isSent {
      return false
    }
    // A count, and the name itself, as in a list of parameters.
    let isCount = name.isPlural && (SecretValue.digits ... .number).contains(kind)
    if isCount || !isSent && value.comparableName == name.text.comparableName { return false }
    // What is set to a name of a program is code, unless it is a variable of the environment or an option.
    let isOption = leaf.name.hasPrefix("--") || leaf.name.utf8.allSatisfy { !$0.isLowercase }
    let isCode = leaf.place == .assigned && name.sureness != .password && !isOption
    let isInText = leaf.place.isText || isCode && kind != .random
    if isInText, kind == .other, value.isWords { return false }
    // A postal code.
    let isSixDigits = !isSent && value.utf8.count == 6 && kind == .digits
    if isSixDigits, name.text.lowercased() == "pin" { return false }
    // What a variable is set to is one, as in a request.
    let isMeant = isSent || name.isVariable && name.sureness == .password
    if SecretDecision.replaces(kind, below: name.sureness, isSent: isMeant, isInText: isInText) { return true }
    // What is a secret elsewhere.
    let least = [.token, .password, .code, .secret].contains(name.sureness) ? SecretValue.address : .sentence
    return kind >= least && name.sureness != .cookie && table[value] != nil
  }

  /// Searches the credentials after a scheme (RFC 9110, section 11.4).
  private mutating func searchCredentials(_ text: SecretText, _ name: String) -> Bool {
    guard let space = text.bytes.firstIndex(of: 0x20), 1...24 ~= space, !text.bytes[0].isDigit else { return false }
    guard text.bytes.firstIndex(notIn: .word) == space else { return false }
    let rest = text[space...].trimmed
    guard !rest.bytes.isEmpty, context.isInRequest || SecretValue(rest.string).isCredential else { return false }
    let reason = SecretReason(kind: .carrier, rule: "credentials", name: name)
    if text.bytes.has("basic", at: 0, inAnyCase: true), let data = Data(base64OfAnyKind: rest.string),
      let password = String(validUTF8: data)?.cut(at: ":").map({ String($0.after) }), password.isUnmistakable
    {
      // The password is found elsewhere, and inside of what is replaced here.
      _ = table.add(.init(value: password, reason: reason, isAnywhere: true))
    }
    found(rest, reason)
    return true
  }

  /// Decides about a word after others, as in `--token x` or `The API key is x`.
  mutating func decideWord(_ leaf: Leaf, _ text: SecretText) {
    if leaf.name.hasSuffix("-u "), rules.isStandard, let colon = text.bytes.firstIndex(of: UInt8(ascii: ":")) {
      decide(text[(colon + 1)...], SecretName(.password, "-u"), leaf)
      return
    }
    let value = text.string
    let kind = SecretValue(value)
    let isCode = kind == .digits || kind == .longDigits
    let isLikely = kind == .other ? value.isMixed : kind.isCredential
    guard isCode || isLikely else { return }
    var words = leaf.name.split(whereSeparator: \.isWhitespace).map(String.init)
    let isSentence = words.last.map(WordList.copulas.contains) ?? false
    if isSentence { words.removeLast() }
    let last = words.last ?? ""
    let isAfterColon = last.hasSuffix(":")
    var name = SecretName(.none)
    // Before a colon, other words can follow the name, as in `The API key I use: x`.
    for _ in 0..<(isAfterColon ? 4 : 1) where !words.isEmpty && !name.isSecret {
      name = self.name(words.suffix(3).joined(separator: " "), in: .word)
      words.removeLast()
    }
    let isOfCode = isSentence && WordList.codesInSentences.contains(last.lowercased())
    if isOfCode, !name.isSecret, !WordList.otherCodes.contains(words.last?.lowercased() ?? "") {
      name = SecretName(.code, "code")
    }
    if decide(text, name, leaf) || isAfterColon { return }
    // What has a name of its own is listed by that.
    if text.bytes.firstIndex(in: .textMarks) + 2 >= text.bytes.count {
      noteRandom(text, last.hasPrefix("-") ? last : "", name)
    }
  }

  // MARK: Beside one another

  mutating func end() {
    let group = groups[groups.count - 1]
    let isWithinAnother = groups.dropLast().last?.depth == group.depth
    for (leaf, named) in group.signed {
      var name = named
      // What a body has besides it says what a `key` is for. Alone, it can be a token.
      let isAlone = leaf.name == "key" && group.index == 1 && !isWithinAnother
      if isAlone, !name.isSecret { name = SecretName(.key, "key") }
      if group.roles[.keyID] != nil { name = SecretName(.public) }
      leaf.value.decoded(leaf.escapes) { value in
        guard !value.bytes.isEmpty, search(value, name, leaf) else { return }
        read(value)
        readBase64(value)
      }
    }
    groups.removeLast()
    if group.outer != nil, !groups.isEmpty { groups[groups.count - 1].index += 1 }
    guard rules.isStandard, !group.roles.isEmpty else { return }
    let roles = group.roles
    let isOtherCode = WordList.otherCodes.contains(group.outer?.text.lowercased() ?? "")
    if !isOtherCode, let code = roles[.code] { decide(code: code, roles) }
    // An everyday word of another language is a password beside the name of a user.
    let isLogin = context.isInRequest && roles[.user] ?? roles[.password] != nil
    if isLogin, let phrase = roles[.phrase], [.member, .form].contains(phrase.place) {
      decide(phrase, SecretName(.password, phrase.name, .name, "password beside a user"))
    }
    // A bridge of lamps makes the name of its user itself, and who knows it needs nothing else.
    if let user = roles[.user], user.value.bytes.count >= 32, user.value.string.isTokenOfLink {
      found(user.value, SecretReason(kind: .name, rule: "random user"))
    }
    if let number = roles[.card], roles[.check] != nil, number.value.bytes.count > 12 {
      found(number.value, SecretReason(kind: .name, rule: "number of a card"))
    }
    // A value is what the name or the type beside it says.
    guard let value = roles[.value], value.place != .query else { return }
    for name in [roles[.name], roles[.type]].compactMap({ $0 }) {
      decide(value, self.name(name.value.string, in: value.place))
    }
  }

  private mutating func decide(_ leaf: Leaf, _ name: SecretName) {
    leaf.value.decoded(leaf.escapes) { _ = decide($0, name, leaf) }
  }

  /// OAuth's code is in a request for a token, and with its state in a redirect and where that leads. The code beside a
  /// password is the second factor, and so are six digits in a request.
  private mutating func decide(code leaf: Leaf, _ roles: [Role: Leaf]) {
    guard name("code", in: leaf.place).sureness != .kept else { return }
    let isFactor = context.isInRequest && roles[.password] != nil
    let isRedirect = leaf.place == .query && roles[.companion] != nil
    let isOfOAuth = isFactor || isRedirect || roles[.grant] != nil
    leaf.value.decoded(leaf.escapes) { code in
      let digits = code.string.utf8.count(where: \.isDigit)
      let isNumber = code.bytes.firstIndex(notIn: .code) == code.bytes.count
      let isLong = isFactor || leaf.place == .member ? 4...8 ~= digits : digits == 6
      if isNumber && context.isInRequest && isLong {
        found(code, SecretReason(kind: .oauth, rule: "second factor"))
      } else if isOfOAuth && code.bytes.count >= 8 && SecretValue(code.string).isCredential {
        found(code, SecretReason(kind: .oauth, rule: "OAuth's code"))
      }
    }
  }

  // MARK: Paths

  mutating func visit(path segments: [SecretText]) {
    for (place, whole) in segments.enumerated() {
      let segment = whole.pieces(at: .semicolon)[0]
      guard segment.bytes.count > 3 else { continue }
      segment.decoded(.inURL) { searchReturned($0) }
      let isLink = rules.isStandard && segment.bytes.count > 15 && isLink(segments, place)
      let name = SecretName(isLink ? .key : .none, "", .name, "token of a path")
      if decide(segment, name, Leaf(place: .query, value: segment)) { continue }
      let isHost = place == 2 && segments[1].bytes.isEmpty
      if !isHost { segment.decoded(.inURL) { noteRandom($0, "path", name) } }
    }
    if rules.isStandard, depth > 0 { searchEnd(of: segments) }
  }

  /// Whether a segment ends a link that only its receiver knows, by what is before it or by the link's name.
  private func isLink(_ segments: [SecretText], _ place: Int) -> Bool {
    let isLast = segments[(place + 1)...].allSatisfy(\.bytes.isEmpty)
    if place > 2, isLast, !WordList.callbacks.words.isDisjoint(with: outerWords) { return true }
    guard place > 3 else { return false }
    let before = segments[place - 1].string
    if WordList.flows.contains(before) || before.isOfLink { return true }
    let isAfterName = isLast && place > 4 && segments[place - 2].string.isOfLink
    return isAfterName && !segments[place].string.consists(of: .hexadecimal)
  }

  /// Searches the last segment of an address in a body: of a link that a person follows, and of where a stream goes.
  private mutating func searchEnd(of segments: [SecretText]) {
    guard segments.count > 3, let last = segments.last, last.bytes.count < 8_192 else { return }
    guard WordList.pictures.words.isDisjoint(with: outerWords) else { return }
    let text = last.string
    let isPage = segments[0].bytes.has("http", at: 0) && !segments[2].bytes.has("api.", at: 0)
    let isOfProgram = segments.contains { $0.bytes.count < 10 && WordList.programs.contains($0.string) }
    let isStream = segments.count > 4 && segments[0].bytes.has("rtmp", at: 0)
    guard isStream ? !text.isWords : isPage && !isOfProgram && text.isTokenOfLink else { return }
    let leaf = Leaf(place: .query, name: "token", value: last)
    found(last, SecretReason(kind: .name, rule: "end of a link"), in: leaf)
  }

}

extension String {
  /// Whether a link has its token after this segment, in which a word begins so.
  fileprivate var isOfLink: Bool { words.contains { word in WordList.links.words.contains(where: word.hasPrefix) } }

}

extension UnsafeBufferPointer<UInt8> {
  /// Where a date as a segment, and what follows it, begins: the scope of a credential (AWS, Google).
  fileprivate var startOfScope: Int? {
    guard let slash = firstIndex(of: UInt8(ascii: "/"), from: 1), slash + 9 < count else { return nil }
    let end = firstIndex(notIn: .digit, from: slash + 1)
    return end == slash + 9 && self[end] == UInt8(ascii: "/") ? slash : nil
  }
}
