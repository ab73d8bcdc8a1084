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
    let scheme = text.bytes.firstIndex(in: .space)
    if field.lowercased().hasSuffix("authorization"), scheme < text.bytes.count {
      text = text[scheme...].trimmed()
      name = SecretName(name.sureness == .own ? .own : .sure, field, .carrier, "credentials")
    }
    let value = text.string
    // A value that is its name is none.
    if !isInRequest, name.sureness != .own, value.comparableName == field.comparableName { return false }
    let kind = SecretValue(value, isNumber: leaf.isNumber)
    // What a variable is set to is one, as in a request.
    let isSent = isInRequest || name.isVariable && name.sureness == .sure
    let isElsewhere = name.sureness == .sure && table[value] != nil && !value.consists(of: .digit)
    // The values of cookies and of user information are nothing else.
    let isCarried = name.sureness == .sure && (leaf.place == .cookie || leaf.place == .user) && kind != .constant
    // What is counted has a plural, and a status has three digits.
    let isCount = leaf.name.utf8.last.map { $0 | 0x20 == UInt8(ascii: "s") } == true || !isSent && value.utf8.count < 4
    if name.sureness == .sure, isCount, kind == .number || kind == .digits && leaf.place == .header { return false }
    // Code names members of members.
    if leaf.place.isOfText, !name.isVariable, value.isPathOfMembers { return false }
    let isInText = !leaf.isNumber && !leaf.place.isField(kind, value, isVariable: name.isVariable)
    guard
      isElsewhere || isCarried
        || SecretDecision(kind, below: name.sureness).replaces(isSent: isSent, isInText: isInText)
    else { return false }
    found(text, name.reason, in: leaf)
    return true
  }

  /// Decides about a word after others, as in `--token x` or `The API key is x`. Returns whether it is a secret.
  @discardableResult
  func decideWord(_ leaf: Leaf, after before: SecretText) -> Bool {
    let line = before.lastStatement
    let isUser = line.bytes.has("-u ", at: line.bytes.count - 3) || line.bytes.has("-user ", at: line.bytes.count - 6)
    if isUser || leaf.value.bytes.has("-u", at: 0) && leaf.value.bytes.has(.alphanumeric, at: 2),
      let isSecret = decidePassword(of: leaf.value)
    {
      return isSecret
    }
    let end = line.bytes.startIndex(of: .space, before: line.bytes.count)
    let last = line[line.bytes.startIndex(of: .notSpace, before: end)..<end]
    if last.bytes.isEmpty {
      noteRandom(leaf.value, Leaf(place: .word, value: leaf.value), SecretName.nothing)
      return false
    }
    let isAfterColon = last.bytes.has(":", at: last.bytes.count - 1)
    // A path of a request has no value after it. A runner of tests prints `PASS` before the name of a file.
    let isPath = last.bytes.has("/", at: 0) && last.bytes.firstIndex(in: .slash, from: 1) < last.bytes.count
    if !isAfterColon, isPath || last.string == "PASS" && leaf.value.bytes.hasExtension {
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
    // What has a name of its own is listed by that. In `token:revoke9x`, nothing says that a value follows.
    var said = leaf
    if !line.bytes.has(.space, at: line.bytes.count - 1) { said.place = .text }
    if name.isSecret, decide(leaf.value, name, said) { return true }
    if isAfterColon, last.bytes.firstIndex(in: .alphabetic) < last.bytes.count { return false }
    var kept = Leaf(place: .word, value: leaf.value)
    if last.bytes.has("-", at: 0) { kept.name = last.string }
    noteRandom(leaf.value, kept, name)
    return false
  }

  /// Decides about the value of an option such as `--user=name:password`. Returns whether it has a password.
  func decideUser(_ leaf: Leaf) -> Bool {
    guard ["-user", "-u", "-U"].contains(where: leaf.name.hasSuffix), let option = leaf.name.pieces(at: " ").last,
      ["--user", "--proxy-user", "-u", "-U"].contains(option)
    else { return false }
    return decidePassword(of: leaf.value) == true
  }

  /// Decides about what follows the colon in the value of curl's option for a user. Returns whether it is a secret, or
  /// `nil` without a colon.
  private func decidePassword(of user: SecretText) -> Bool? {
    guard rules.isStandard, let colon = user.bytes.firstIndex(of: UInt8(ascii: ":"), from: 0) else { return nil }
    let password = user[(colon + 1)...]
    return decide(password, SecretName(.sure, "-u"), Leaf(place: .user, value: password))
  }

  // MARK: Paths

  /// Takes the segments of a URL's path, with the scheme and the host as the first ones, if there are any.
  func visit(path segments: [SecretText]) {
    let isWhole = segments.count > 2 && segments[1].bytes.count == 0
    let first = isWhole ? 3 : 0
    var last = segments.count - 1
    while last > first, segments[last].bytes.count == 0 { last -= 1 }
    let isOfService = isWhole && WordRules.addresses.contains(where: segments[2].string.hasSuffix)
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
        name = SecretName(isSecret ? .sure : .weak, "", .name, "token of a path")
      }
      if name.isSecret || rules.hasNames { name = self.name(before: place, in: segments, from: first, or: name) }
      if decide(segment, name, Leaf(place: .path, value: segment)) { continue }
      let value = segment.decoded(.inURL)
      searchCopy(value)
      noteRandom(value, Leaf(place: .path, name: "path", value: value), name)
      if !readEncoded(value) { read(value) }
    }
  }

  /// What the segment before says, by which rules of the user know the token of a link, or what the place says.
  private func name(
    before place: Int, in segments: [SecretText], from first: Int, or said: SecretName
  ) -> SecretName {
    guard place > first else { return said }
    let name = segments[place - 1].string
    let own = rules.ownName(name)
    if let own { return own }
    return SecretName(said.sureness, name, .name, said.reason.rule)
  }

  /// Whether a segment can be the token of a link. Only one that looks random is, and those are long.
  private func isAfterLink(_ place: Int, in segments: [SecretText], from first: Int, isLast: Bool) -> Bool {
    guard segments[place].bytes.count >= 16 else { return false }
    if isLast, isCallback || place - 2 >= first && segments[place - 2].string.isOfLink { return true }
    // The segment can have the word itself, as in `bot123:x` and `private-x`.
    let end = segments[place].bytes.firstIndex(notIn: .alphabetic)
    if segments[place][0..<end].string.isOfLink { return true }
    guard place > first else { return false }
    let before = segments[place - 1]
    return before.string.isOfLink || isKnown(before.bytes) && name(before.string, in: .path).isSecret
  }
}

extension Leaf.Place {
  /// Whether a value is one of a text, which can be code.
  fileprivate var isOfText: Bool { self == .text || self == .word || self == .line || self == .assigned }

  /// Whether a value is that of a field, and not a part of a text, in which a name can stand before anything.
  fileprivate func isField(_ kind: SecretValue, _ value: String, isVariable: Bool) -> Bool {
    switch self {
    case .text: return false
    case .word: return kind == .other && value.isPlain(kind) && !value.isNumberedWords
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
    // A question mark can end it, as no path and query do.
    (kind == .other || kind == .random) && utf8.count > 5 && contains(anyOf: .digit)
      && (hasSuffix("?") ? String(dropLast()) : self).consists(of: .plain)
  }

  /// Whether a link has its token after this segment, in which a word begins so.
  fileprivate var isOfLink: Bool { words.contains { word in WordRules.links.contains(where: word.hasPrefix) } }
}
