import Foundation
import StubKit

extension SecretFinder {
  /// Adds a value if the table of decisions says so. Returns whether that, or a rule that keeps it, decides about it.
  @discardableResult
  mutating func decide(_ text: SecretText, _ name: SecretName, _ leaf: Leaf) -> Bool {
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
    let kind = SecretValue(value, isNumber: leaf.isNumber)
    // What is set to a name is code, unless that is a variable of an environment, or the value looks random.
    let isCode = leaf.place == .assigned && kind != .random && !name.isVariable
    // What a variable is set to is one, as in a request.
    let isSent = isInRequest || name.isVariable && name.sureness == .password
    let isKnown = table[value] != nil && !value.consists(of: .digit)
    let isElsewhere = isKnown && [.token, .password, .code, .secret].contains(name.sureness)
    let isInText = leaf.place.isText || isCode
    guard isElsewhere || SecretDecision.replaces(kind, below: name.sureness, isSent: isSent, isInText: isInText)
    else { return false }
    found(text, name.reason, in: leaf)
    return true
  }

  /// Decides about a word after others, as in `--token x` or `The API key is x`.
  mutating func decideWord(_ leaf: Leaf) {
    if leaf.name.hasSuffix("-u "), rules.isStandard, let colon = leaf.value.bytes.firstIndex(of: UInt8(ascii: ":")) {
      decide(leaf.value[(colon + 1)...], SecretName(.password, "-u"), leaf)
      return
    }
    let words = leaf.name.split(whereSeparator: \.isWhitespace).map(String.init)
    let last = words.last ?? ""
    // Before a colon, other words can follow the name, as in `The API key I use: x`.
    let names = (0..<(last.hasSuffix(":") ? 4 : 1)).map { count in
      self.name(words.dropLast(count).suffix(3).joined(separator: " "), in: .word)
    }
    let name = names.first(where: \.isSecret) ?? names[0]
    // What has a name of its own is listed by that.
    if decide(leaf.value, name, leaf) || last.hasSuffix(":") { return }
    noteRandom(leaf.value, last.hasPrefix("-") ? last : "", name)
  }

  // MARK: Beside one another

  /// Ends the group, and decides about what belongs together in it.
  mutating func end() {
    let roles = group.roles
    group = groups.removeLast()
    guard rules.isStandard, !roles.isEmpty else { return }
    // OAuth's code is in a request for a token, and with its state in a redirect.
    let isGranted = roles[.grant] != nil || roles[.companion]?.place == .query
    let digits = roles[.password] == nil ? "6" : "4,8"
    for (role, pattern, rule, isMeant) in [
      (Role.code, "^.{8}", "OAuth's code", isGranted),
      (.code, "^([0-9][ -]?){\(digits)}$", "second factor", isInRequest),
      (.card, "^.{13}", "number of a card", roles[.check] != nil),
      // An everyday word of another language.
      (.phrase, "^.{4}", "password beside a user", isInRequest && roles[.user] != nil),
    ] where isMeant {
      guard let leaf = roles[role], leaf.value.string.range(of: pattern, options: .regularExpression) != nil
      else { continue }
      found(leaf.value, SecretReason(kind: .name, rule: rule))
    }
    // A value is what the name or the type beside it says.
    guard let value = roles[.value] else { return }
    for name in [roles[.name], roles[.type]].compactMap({ $0 }) {
      decide(value.value, self.name(name.value.string, in: value.place), value)
    }
  }

  // MARK: Paths

  /// Takes the segments of a URL's path, with the scheme and the host as the first ones, if there are any.
  mutating func visit(path segments: [SecretText]) {
    let isWhole = segments.count > 2 && segments[1].bytes.isEmpty
    let path = segments.dropFirst(isWhole ? 3 : 0)
    let isOfService = isWhole && WordList.addresses.words.contains(where: segments[2].string.hasSuffix)
    for (place, segment) in zip(path.indices, path) where segment.bytes.count > 3 {
      let isLast = path[(place + 1)...].allSatisfy(\.bytes.isEmpty)
      let isLink = path[..<place].suffix(isLast ? 2 : 1).contains { $0.string.isOfLink }
      let sureness: SecretName.Sureness = isLast && isOfService ? .secret : isLink ? .key : .none
      let name = SecretName(rules.isStandard ? sureness : .none, "", .name, "token of a path")
      if decide(segment, name, Leaf(place: .query, value: segment)) { continue }
      let value = segment.decoded(.inURL)
      searchReturned(value)
      noteRandom(value, "path", name)
      read(value)
    }
  }
}

extension String {
  /// Whether a link has its token after this segment, in which a word begins so.
  fileprivate var isOfLink: Bool { words.contains { word in WordList.links.words.contains(where: word.hasPrefix) } }
}
