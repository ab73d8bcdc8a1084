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
    /// Whether it is a list, and whether it is in braces, in which C++ and Erlang have pairs without names.
    var isList = false, isTuple = false
    /// The first of two elements, if it is the name of a secret, and the second one.
    var nameOfPair: String?, valueOfPair: Leaf?
  }

  /// Begins an object or a list with what its name says, or another group.
  func begin(_ outer: SecretName? = nil) {
    groups.append(group)
    group = Group(outer: outer, depth: depth)
  }

  /// Notes an element of a list, which can be a pair.
  func noteElement(_ leaf: Leaf) {
    if group.index == 0, 2..<64 ~= leaf.value.bytes.count, isKnown(leaf.value.bytes) {
      group.nameOfPair = leaf.value.string
    } else if group.index == 1 {
      group.valueOfPair = leaf
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
    if ended.index == 1, let name = ended.nameOfPair, let value = ended.valueOfPair {
      decide(value.value, rules.name(name, in: .member, isSent: isInRequest), value)
    }
    guard rules.isStandard, !roles.isEmpty else { return }
    // A key alone is a token. What a body has besides it says what it is for.
    if let key = roles[.name], key.name == "key", ended.index == 0, depth == 1, group.outer == nil {
      decide(key.value, SecretName(.weak, "key"), key)
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
