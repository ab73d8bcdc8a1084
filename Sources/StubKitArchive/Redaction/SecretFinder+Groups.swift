import Foundation
import StubKit

/// What stands beside one another: members of an object, elements of a list, fields of a form.
extension SecretFinder {
  /// What a name says about the others beside it.
  enum Role: CaseIterable {
    case name, value, type, heading, code, grant, user, password, phrase, card, check
  }

  /// Leaves that belong together: of an object, a list, a form or a tag.
  struct Group {
    /// What the name of the object or the list says, or `nil` if it is none.
    var outer: SecretName?
    var depth = 0
    /// The name of the last member, which is empty in a list, and its index.
    var key = ""
    var index = -1
    var roles: [Role: Leaf] = [:]
    /// Whether it is a list, whether that can be a row of a table, and whether it is in braces, in which C++ and Erlang
    /// have pairs without names.
    var isList = false, isRow = false, isTuple = false
    /// The elements that are names of secrets, another one of the first two, and whether all can be names.
    var names: [Int: String] = [:], other: Leaf?, isHead = true
    /// Of a list in which a name and its value alternate: how many names there are, the last one if a rule can know it,
    /// and the values of secrets.
    var flatNames = 0, flatName: String?, flatValues: [(name: SecretName, value: Leaf)] = []
    /// The option of a command that the last element was.
    var option: String?
    /// The names of the columns of the rows that are elements of it, or of a list in it.
    var columns: [Int: String] = [:]
  }

  /// Begins an object or a list with what its name says, or another group.
  func begin(_ outer: SecretName? = nil) {
    groups.append(group)
    group = Group(outer: outer, depth: depth)
  }

  /// Notes an element of a list that can be the name of another one, or of a column.
  func noteElement(_ leaf: Leaf) {
    let value = leaf.value
    if group.isList { noteFlat(leaf) }
    guard group.index < 64 else { return }
    let canBeName = 2..<64 ~= value.bytes.count && value.bytes.firstIndex(in: .digit) == value.bytes.count
    if !canBeName { group.isHead = false }
    if canBeName, isKnown(value.bytes) {
      group.names[group.index] = value.string
    } else if group.index < 2 {
      group.other = leaf
    }
  }

  /// Notes an element of a list that can be a name, with the next element as its value.
  private func noteFlat(_ leaf: Leaf) {
    if group.index.isMultiple(of: 2) {
      group.flatName = nil
      let name = leaf.value.bytes
      guard group.flatNames == group.index / 2, name.count < 64, name.has(.startOfName, at: 0),
        name.firstIndex(notIn: .inName) == name.count
      else { return }
      group.flatNames += 1
      if isKnown(name) { group.flatName = leaf.value.string }
    } else if let text = group.flatName {
      let name = name(text, in: .member)
      if name.isSecret { group.flatValues.append((name, leaf)) }
    }
  }

  /// Notes what a leaf says about the others beside it. Returns the name of a value that another leaf names.
  func noteRole(_ leaf: Leaf) -> SecretName? {
    guard !leaf.isNumber, !leaf.value.bytes.isEmpty, !leaf.name.isEmpty else { return nil }
    var key = leaf.name
    // Of `items[0][name]`, the last part counts.
    if leaf.place == .form || leaf.place == .query, key.hasSuffix("]"),
      let start = key.utf8.lastIndex(of: UInt8(ascii: "["))
    {
      key = String(key[start...].dropFirst().dropLast())
    }
    var known = Self.roles[key.comparableName]
    if known == nil, key != leaf.name { known = Self.roles[leaf.name.comparableName] }
    // The identifier of an element is its name if it has no other one.
    if known == nil, leaf.place == .attribute, leaf.name == "id", group.roles[.name] == nil { known = .name }
    guard let role = known else { return nil }
    // In text, nothing ends a pair.
    if role == .value, leaf.place.isLoose, let name = group.roles.removeValue(forKey: .name) {
      group.index += 1
      return self.name(name.value.string, in: leaf.place.named)
    }
    group.roles[role] = leaf
    return nil
  }

  static let roles = Dictionary(
    uniqueKeysWithValues: Role.allCases.flatMap { role in
      (WordRules.roles[role] ?? []).map { ($0, role) }
    })

  /// Ends the group, and decides about what belongs together in it.
  func end() {
    let ended = group
    group = groups.removeLast()
    let roles = ended.roles
    if !ended.names.isEmpty || !roles.isEmpty && roles[.name] != nil { endTable(ended) }
    if !ended.flatValues.isEmpty { endFlat(ended) }
    guard rules.isStandard, !roles.isEmpty else { return }
    // A key alone is a token. What a body has besides it says what it is for.
    if let key = roles[.name], key.name == "key", ended.index == 0, depth == 1, group.outer == nil {
      decide(key.value, SecretName(.key, "key"), key)
    }
    // OAuth's code is in a request for a token. In a redirect, the name of the query item decides.
    func find(_ role: Role, _ rule: String, where isMeant: (String) -> Bool) {
      guard let leaf = roles[role], isMeant(leaf.value.string) else { return }
      found(leaf.value, SecretReason(kind: .name, rule: rule))
    }
    if roles[.grant] != nil { find(.code, "OAuth's code") { $0.isLine(ofAtLeast: 8) } }
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
      let said = self.name(name.value.string, in: value.place)
      if said.sureness == .public { table.randomIdentifiers.insert(value.value.string) }
      decide(value.value, said, value)
    }
  }

  /// Decides about the values of a list in which a name and a value alternate, and are more than one pair.
  private func endFlat(_ ended: Group) {
    guard ended.index > 1, ended.index == 2 * ended.flatNames - 1 else { return }
    // A list of names has no values.
    let texts = ended.flatValues.map(\.value.value.string)
    guard !texts.contains(where: { name($0, in: .member).isSecret }) else { return }
    for ((name, value), text) in zip(ended.flatValues, texts) {
      var leaf = value
      leaf.place = .bare
      // A sentence about a field has its name before it, too.
      if ![.word, .numbered, .sentence].contains(SecretValue(text)) { decide(value.value, name, leaf) }
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
}

extension String {
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
}
