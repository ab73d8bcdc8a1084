import Foundation
import StubKit

extension SecretFinder {
  /// Adds a value if the table of decisions says so. Returns whether that, or a rule that keeps it, decides about it.
  @discardableResult
  func decide(_ text: SecretText, _ name: SecretName, _ leaf: Leaf) -> Bool {
    var (text, name) = (text, name)
    if name.sureness == .kept {
      table.kept.insert(text.string)
      return true
    }
    guard name.isSecret else { return false }
    // Credentials follow a scheme (RFC 9110, section 11.4).
    let field = name.reason.name
    if field.lowercased().hasSuffix("authorization"), let space = text.bytes.firstIndex(of: 0x20) {
      text = text[space...].trimmed()
      name = SecretName(name.sureness == .own ? .own : .secret, field, .carrier, "credentials")
    }
    let value = text.string
    // A value that is its name is none.
    if !isInRequest, name.sureness != .own, value.comparableName == field.comparableName { return false }
    let kind = SecretValue(value, isNumber: leaf.isNumber)
    // What a variable is set to is one, as in a request.
    let isSent = isInRequest || name.isVariable && name.sureness == .password
    let isKnown = table[value] != nil && !value.consists(of: .digit)
    let isElsewhere = isKnown && [.token, .password, .code, .secret].contains(name.sureness)
    // Code names members of members.
    if leaf.place.isOfText, !name.isVariable, value.isPathOfMembers { return false }
    let isInText = !leaf.isNumber && !leaf.place.isField(kind, value, isVariable: name.isVariable)
    guard isElsewhere || SecretDecision(kind, below: name.sureness).replaces(isSent: isSent, isInText: isInText)
    else { return false }
    found(text, name.reason, in: leaf)
    return true
  }

  /// Decides about a word after others, as in `--token x` or `The API key is x`. Returns whether it is a secret.
  @discardableResult
  func decideWord(_ leaf: Leaf, after before: SecretText) -> Bool {
    let line = before.lastStatement
    let isUser = line.bytes.has("-u ", at: line.bytes.count - 3) || line.bytes.has("--user ", at: line.bytes.count - 7)
    if isUser, rules.isStandard,
      let colon = leaf.value.bytes.firstIndex(of: UInt8(ascii: ":"))
    {
      return decide(leaf.value[(colon + 1)...], SecretName(.password, "-u"), leaf)
    }
    let end = line.bytes.startIndex(of: .space, before: line.bytes.count)
    let last = line[line.bytes.startIndex(of: .notSpace, before: end)..<end]
    if last.bytes.isEmpty {
      noteRandom(leaf.value, Leaf(place: .word, value: leaf.value), SecretName.nothing)
      return false
    }
    let isAfterColon = last.bytes.has(":", at: last.bytes.count - 1)
    // A path of a request has no value after it.
    if !isAfterColon, last.bytes.has("/", at: 0), last.bytes.firstIndex(in: .slash, from: 1) < last.bytes.count {
      noteRandom(leaf.value, leaf, SecretName.nothing)
      return false
    }
    // Before a colon, other words can follow the name, as in `The API key I use: x`.
    let words = line.lastWords(isAfterColon ? 6 : 3)
    var name = SecretName.nothing
    // Most words have nothing before them that a rule knows.
    let hasName = isKnown(in: line.bytes.part(0..<end), after: words[0].lowerBound)
    for count in 0..<min(isAfterColon ? 4 : 1, words.count) {
      let (first, last) = (words[max(0, words.count - count - 3)], words[words.count - 1 - count])
      let said = line.bytes.part(first.lowerBound..<last.upperBound)
      guard hasName || KnownNames.all.startsWithCode(said), isKnown(said) else { continue }
      let text = words.dropLast(count).suffix(3).map { line[$0].string }.joined(separator: " ")
      let known = self.name(text, in: .word)
      if known.isSecret || count == 0 { name = known }
      if known.isSecret { break }
    }
    // What has a name of its own is listed by that.
    if name.isSecret, decide(leaf.value, name, leaf) { return true }
    if isAfterColon { return false }
    var kept = Leaf(place: .word, value: leaf.value)
    if last.bytes.has("-", at: 0) { kept.name = last.string }
    noteRandom(leaf.value, kept, name)
    return false
  }

  // MARK: Beside one another

  /// Ends the group, and decides about what belongs together in it.
  func end() {
    let ended = group
    group = groups.removeLast()
    let roles = ended.roles
    if !ended.names.isEmpty || roles[.name] != nil { endTable(ended) }
    guard rules.isStandard, !roles.isEmpty else { return }
    // A key alone is a token. What a body has besides it says what it is for.
    if let key = roles[.name], key.name == "key", ended.index == 0, depth == 1, group.outer == nil {
      decide(key.value, SecretName(.key, "key"), key)
    }
    // OAuth's code is in a request for a token, and with its state in a redirect.
    let isGranted = roles[.grant] != nil || roles[.companion]?.place == .query
    func find(_ role: Role, _ rule: String, where isMeant: (String) -> Bool) {
      guard let leaf = roles[role], isMeant(leaf.value.string) else { return }
      found(leaf.value, SecretReason(kind: .name, rule: rule))
    }
    if isGranted { find(.code, "OAuth's code") { $0.isLine(ofAtLeast: 8) } }
    if isInRequest {
      let digits = roles[.password] == nil ? 6...6 : 4...8
      find(.code, "second factor") { $0.isCode(ofDigits: digits) }
    }
    if roles[.check] != nil { find(.card, "number of a card") { $0.isLine(ofAtLeast: 13) } }
    // An everyday word of another language.
    if isInRequest, roles[.user] != nil { find(.phrase, "password beside a user") { $0.isLine(ofAtLeast: 4) } }
    // A value is what the name or the type beside it says.
    guard let value = roles[.value] else { return }
    for name in [roles[.name], roles[.type], roles[.heading]].compactMap({ $0 }) {
      decide(value.value, self.name(name.value.string, in: value.place), value)
    }
  }

  /// Decides about the second element of a pair, and notes the names of columns.
  private func endTable(_ ended: Group) {
    if ended.isList || ended.isTuple, ended.index == 1, let name = ended.names[0], let value = ended.other {
      decide(value.value, rules.name(name, in: .member, isSent: isInRequest), value)
    } else if ended.isList, ended.index > 0, ended.isHead, group.columns.isEmpty {
      group.columns = ended.names
    } else if !ended.isList, group.isList, let name = ended.roles[.name], ended.roles[.value] == nil, group.index < 64,
      isKnown(name.value.bytes)
    {
      group.names[group.index] = name.value.string
    }
  }

  // MARK: Paths

  /// Takes the segments of a URL's path, with the scheme and the host as the first ones, if there are any.
  func visit(path segments: [SecretText]) {
    let isWhole = segments.count > 2 && segments[1].bytes.count == 0
    let first = isWhole ? 3 : 0
    var last = segments.count - 1
    while last > first, segments[last].bytes.count == 0 { last -= 1 }
    let isOfService = isWhole && WordRules.addresses.words.contains(where: segments[2].string.hasSuffix)
    var place = first
    while place <= last {
      defer { place += 1 }
      let segment = segments[place]
      if segment.bytes.count < 4 { continue }
      let isLast = place == last
      // Who knows where a stream goes can send one.
      let isStream = isWhole && place > first && segments[0].bytes.has("rtmp", at: 0)
      let isSecret = isLast && (isOfService || isStream)
      var name = SecretName.nothing
      if rules.isStandard, isSecret || isAfterLink(place, in: segments, from: first, isLast: isLast) {
        name = SecretName(isSecret ? .secret : .key, "", .name, "token of a path")
      }
      if decide(segment, name, Leaf(place: .query, value: segment)) { continue }
      let value = segment.decoded(.inURL)
      searchReturned(value)
      noteRandom(value, Leaf(place: .query, name: "path", value: value), name)
      if !readEncoded(value) { read(value) }
    }
  }

  /// Whether a segment can be the token of a link. Only one that looks random is, and those are long.
  private func isAfterLink(_ place: Int, in segments: [SecretText], from first: Int, isLast: Bool) -> Bool {
    guard segments[place].bytes.count >= 16 else { return false }
    if isLast, isCallback || place - 2 >= first && segments[place - 2].string.isOfLink { return true }
    return place > first && segments[place - 1].string.isOfLink
  }
}

extension Leaf.Place {
  /// Whether a value is one of a text, which can be code.
  fileprivate var isOfText: Bool { self == .text || self == .word || self == .line || self == .assigned }

  /// Whether a value is that of a field, and not a part of a text, in which a name can stand before anything.
  fileprivate func isField(_ kind: SecretValue, _ value: String, isVariable: Bool) -> Bool {
    switch self {
    case .text, .word: return false
    // What is set to a name is code, unless that is a variable of an environment, or the value looks random.
    case .assigned: return kind == .random || isVariable || value.isPlain(kind)
    case .bare: return !value.isNumberedWords && value.isPlain(kind)
    case .line: return isVariable || value.isPlain(kind)
    default: return true
    }
  }
}

extension String {
  /// Whether the text without quotation marks is a value as no code and no sentence has it.
  fileprivate func isPlain(_ kind: SecretValue) -> Bool {
    [.other, .random, .uuid, .numbered].contains(kind) && utf8.count > 5 && contains(anyOf: .digit)
      && consists(of: .plain)
  }

  /// Whether the text has at least so many characters before the end of its first line.
  fileprivate func isLine(ofAtLeast count: Int) -> Bool {
    let start = unicodeScalars.prefix(count)
    return start.count == count && !start.contains(where: CharacterSet.newlines.contains)
  }

  /// Whether the text is a number of digits, each of which a space or a hyphen can follow.
  fileprivate func isCode(ofDigits counts: ClosedRange<Int>) -> Bool {
    let bytes = utf8.last == .newline ? utf8.dropLast() : utf8[...]
    var (count, isAfterDigit) = (0, false)
    for byte in bytes {
      if byte.isDigit {
        count += 1
      } else if !isAfterDigit || byte != UInt8(ascii: " ") && byte != UInt8(ascii: "-") {
        return false
      }
      isAfterDigit = byte.isDigit
    }
    return counts.contains(count)
  }

  /// Whether a link has its token after this segment, in which a word begins so.
  fileprivate var isOfLink: Bool { words.contains { word in WordRules.links.words.contains(where: word.hasPrefix) } }
}
