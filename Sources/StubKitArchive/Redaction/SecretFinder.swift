import Foundation
import StubKit

/// Finds the secrets in one text after another, and puts them into a table.
///
/// Readers of formats yield the leaves of a text. What the rules say of a leaf's name, and what its value is, decides
/// about it.
struct SecretFinder {
  /// A secret in a text, by its number.
  typealias Finding = (range: Range<Int>, secret: Int)
  /// A value that looks random and was kept, with its name.
  typealias Kept = (range: Range<Int>, reason: SecretReason)

  /// What a text is.
  enum Kind {
    case text, url
    case body(type: String)
    case value(String, Leaf.Place)
  }

  /// What a name says about the others beside it.
  enum Role: String, CaseIterable {
    case name, value, type, code, grant, companion, user, password, phrase, card, check
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
  }

  let rules: RedactionRules
  let table: SecretTable
  /// Whether a text is in a request.
  var isInRequest = false
  /// The placeholders of its entry, which are no secrets any more.
  var placeholders = Placeholders.none
  /// Whether the file says elsewhere what it says.
  var isCopy = false
  var findings: [Finding] = []
  var kept: [Kept] = []
  /// Whether the last text has a part in which no names are searched, because it is binary.
  var isBinary = false
  /// How many texts of other kinds there are around the current one.
  var depth = 0
  /// What the current leaf belongs to, and the groups around that.
  var group = Group()
  var groups: [Group] = []
  var names: [[String: SecretName]] = Array(repeating: [:], count: 2 * Leaf.Place.allCases.count)
  /// Whether the text is what Base64 with a placeholder encodes, in which dots fill the place of a longer secret.
  var isFilled = false

  /// Returns the secrets of a text, with those that a shape or a pattern shows.
  mutating func findings(in text: Bytes, _ kind: Kind) -> [Finding] {
    (findings, kept, isBinary, depth) = ([], [], false, 0)
    begin(SecretName(.none))
    let whole = SecretText(text)
    switch kind {
    case .text: read(whole)
    case .url: readURL(whole)
    case .body(let type): readBody(whole, type)
    case .value(let name, .header): readHeader(whole, named: name)
    case .value(let name, let place): take(Leaf(place: place, name: name, value: whole))
    }
    end()
    searchShapes(whole)
    return findings
  }

  // MARK: Leaves

  /// Takes a leaf. Returns whether something can be read in its value.
  mutating func visit(_ leaf: Leaf) -> Bool {
    let name = note(leaf)
    if decide(leaf.value, name, leaf) { return false }
    searchReturned(leaf.value)
    if leaf.isNumber { return false }
    noteRandom(leaf.value, leaf.name, name)
    return true
  }

  /// Notes a value that looks random and is no secret by its name.
  mutating func noteRandom(_ text: SecretText, _ name: String, _ secret: SecretName) {
    guard rules.isStandard, text.bytes.count <= 512 else { return }
    let value = text.string
    guard value.looksRandom(), !placeholders.occur(in: value) else { return }
    let range = text.origins(0..<text.bytes.count)
    // The word that a value is has no other name.
    if kept.last?.range != range {
      let isIdentifier = [.public, .described].contains(secret.sureness)
      let name = name.isEmpty ? "a value without a name" : name
      kept.append((range, SecretReason(kind: isIdentifier ? .identifier : .random, rule: "looks random", name: name)))
    }
  }

  // MARK: Names

  mutating func name(_ name: String, in place: Leaf.Place) -> SecretName {
    let number = 2 * place.rawValue + (isInRequest ? 1 : 0)
    if let known = names[number][name] { return known }
    let result = rules.name(name, in: place, isSent: isInRequest)
    names[number][name] = result
    return result
  }

  /// Notes a leaf beside the others of its group, and returns what its name says.
  private mutating func note(_ leaf: Leaf) -> SecretName {
    if !leaf.isNumber, !leaf.value.bytes.isEmpty, let role = Self.roles[leaf.name.comparableName] {
      // In text, nothing ends a pair.
      if role == .value, leaf.place.isLoose, let name = group.roles.removeValue(forKey: .name) {
        return self.name(name.value.string, in: leaf.place)
      }
      group.roles[role] = leaf
    }
    guard leaf.place == .member else { return name(leaf.name, in: leaf.place) }
    let name = memberName(leaf.name)
    if leaf.name == "id", !isInRequest, !name.isSecret { table.identifiers.insert(leaf.value.string) }
    return name
  }

  static let roles = Dictionary(
    uniqueKeysWithValues: Role.allCases.flatMap { role in
      (WordRules.lists["role \(role)"] ?? []).map { ($0, role) }
    })

  /// Begins an object or a list with what its name says, or another group.
  mutating func begin(_ outer: SecretName? = nil) {
    groups.append(group)
    group = Group(outer: outer, depth: depth)
  }

  /// Returns what names and paths say of the next member of the innermost object or list.
  mutating func memberName(_ key: String) -> SecretName {
    group.index += 1
    guard group.depth == depth, let outer = group.outer else { return SecretName(.none) }
    if outer.sureness == .kept { return outer }
    for path in rules.jsonPaths {
      let around = (groups + [group]).filter { $0.depth == depth && $0.outer != nil }
      let isHere =
        path.steps.count == around.count
        && zip(path.steps, around).allSatisfy { step, group in
          step == .key(group.key) || group.key.isEmpty && step.position == group.index
        }
      if isHere { return SecretName(.own, "", .own, "json(at: \(path.text))") }
    }
    if key.isEmpty { return outer }
    let name = name(key, in: .member)
    if name.isSecret { return name }
    if outer.sureness == .own { return WordList.descriptions.words.contains(key.comparableName) ? name : outer }
    return outer.isSecret && WordList.members.words.contains(key.lowercased()) ? outer : name
  }

  // MARK: Secrets

  mutating func add(_ text: SecretText, _ secret: SecretTable.Secret) {
    let isPlaceholder = isFilled && PlaceholderText.marks.contains(where: secret.value.contains)
    guard !text.bytes.isEmpty, !isPlaceholder, !placeholders.isWhole(secret.value) else { return }
    findings.append((text.origins(0..<text.bytes.count), table.add(secret)))
  }

  mutating func found(_ text: SecretText, _ reason: SecretReason, in leaf: Leaf? = nil) {
    let value = text.string
    add(
      text,
      SecretTable.Secret(
        value: value, reason: reason, isAnywhere: value.isUnmistakable,
        isAnswered: !isInRequest, isNumber: leaf?.isNumber == true))
  }

  /// Adds a secret that a client sends back as a whole, or a copy of one.
  mutating func searchReturned(_ text: SecretText) {
    guard isInRequest, 4..<512 ~= text.bytes.count else { return }
    let value = text.string
    guard let secret = table[value] else { return }
    if isCopy || secret.isAnswered && !value.isWords { add(text, secret) }
  }

  /// Reads what a value encodes in Base64, if that is JSON, PEM or other text.
  mutating func readBase64(_ value: SecretText) {
    guard 20...1_048_576 ~= value.bytes.count, let text = value.string.decodedFromBase64 else { return }
    let (count, keptCount) = (findings.count, kept.count)
    let wasFilled = isFilled
    isFilled = wasFilled || placeholders.occur(in: value.string)
    text.withUTF8Bytes { bytes in
      read(SecretText(bytes))
      searchShapes(SecretText(bytes))
    }
    isFilled = wasFilled
    // The secrets in it are replaced there as elsewhere, or else the whole value is.
    let isLeft = findings[count...].contains { !table.secrets[$0.secret].isAnywhere }
    findings.removeSubrange(count...)
    let range = value.origins(0..<value.bytes.count)
    for index in keptCount..<kept.count { kept[index].range = range }
    if isLeft { found(value, SecretReason(kind: .name, rule: "in Base64")) }
  }

  private mutating func searchShapes(_ whole: SecretText) {
    for level in whole.levels() {
      for shape in rules.isStandard ? SecretShapes.findings(in: level.bytes) : [] {
        found(level[shape.range], SecretReason(kind: .shape, rule: shape.name))
      }
      for pattern in rules.patterns {
        for match in pattern.ranges(in: level.bytes).map({ level[$0] }) {
          let reason = SecretReason(kind: .own, rule: "text(\(pattern.source))")
          add(match, .init(value: match.string, reason: reason, isAnywhere: true))
        }
      }
    }
  }
}
