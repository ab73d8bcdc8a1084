import Foundation
import StubKit

/// Finds the secrets in one text after another, and puts them into a table.
///
/// Readers of formats yield the leaves of a text. What the rules say of a leaf's name, and what its value is, decides
/// about it.
final class SecretFinder {
  /// What was found in a text, and in what is encoded in it.
  struct Findings {
    /// The secrets, by their numbers.
    var secrets: [(range: Range<Int>, secret: Int)] = []
    /// The values that look random and were kept, with their names.
    var kept: [(range: Range<Int>, reason: SecretReason)] = []
    var encoded: [EncodedFindings] = []

    /// Whether there are secrets, also in what is encoded.
    var hasSecrets: Bool { !secrets.isEmpty || encoded.contains { $0.findings.hasSecrets } }
  }

  /// What was found in what is encoded as a whole.
  struct EncodedFindings {
    let range: Range<Int>
    let text: EncodedText
    let findings: Findings
  }

  /// What a text is.
  enum Kind {
    case text, url
    case body(type: String)
    case value(String, Leaf.Place)
  }

  let rules: RedactionRules
  let table: SecretTable
  /// Whether a text is in a request.
  var isInRequest = false
  /// The placeholders of its entry, which are no secrets any more.
  var placeholders = Placeholders.none
  /// Whether the file says elsewhere what it says.
  var isCopy = false
  /// Whether the value that is read is an address that a server calls, by its name.
  private(set) var isCallback = false
  var findings = Findings()
  /// Whether the last text has a part in which no names are searched, because it is binary, one that is compressed, one
  /// that is too deep, and one of PHP's `serialize`.
  var isBinary = false, isCompressed = false, isCutShort = false, isSerialized = false
  /// What the name of the last leaf says, and whether the value that is read is one of an identifier, such as
  /// `W/"33a64df5"` of an `ETag`.
  private var visited = SecretName.Sureness.none, isIdentifier = false
  /// The place of the last value that looked random.
  var lastRandom: Range<Int>?
  /// How many texts of other kinds there are around the current one, and how many bytes of such can still be read.
  var depth = 0, work = 0
  /// What the current leaf belongs to, and the groups around that.
  var group = Group()
  var groups: [Group] = []
  var names: [[String: SecretName]] = Array(repeating: [:], count: 2 * Leaf.Place.allCases.count)

  /// Whether the user's rules have names or paths.
  private let hasNames: Bool, hasPaths: Bool

  init(rules: RedactionRules, table: SecretTable) {
    (self.rules, self.table) = (rules, table)
    (hasNames, hasPaths) = (rules.hasNames, !rules.jsonPaths.isEmpty)
  }

  /// Returns what is found in a text, with the secrets that a shape or a pattern shows.
  func findings(in text: Bytes, _ kind: Kind) -> Findings {
    (findings, isBinary, isCompressed, isCutShort, isSerialized) = (Findings(), false, false, false, false)
    lastRandom = nil
    // To read each byte in this many texts within one another is enough.
    (depth, work) = (0, 24 * text.count + 65_536)
    begin(SecretName.nothing)
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

  /// Returns a leaf whose name is only a string if a rule can know it.
  func leaf(_ place: Leaf.Place, _ name: SecretText?, _ value: SecretText) -> Leaf {
    var leaf = Leaf(place: place, value: value)
    guard let name, !name.bytes.isEmpty else { return leaf }
    if isNeeded(name) { leaf.name = name.string } else { leaf.unknownName = name }
    return leaf
  }

  private func isNeeded(_ name: SecretText) -> Bool {
    hasPaths || group.outer?.isSecret == true || isKnown(name.bytes)
  }

  /// Whether a rule can know a name. Most names are none of those, and looking them up would take long.
  func isKnown(_ name: Bytes) -> Bool { hasNames || KnownNames.all.contain(name) }

  /// Whether a name that a rule can know ends in a text after a place.
  func isKnown(in text: Bytes, after start: Int) -> Bool {
    hasNames || KnownNames.all.end(in: text, after: start)
  }

  /// Takes a leaf. Returns whether something can be read in its value.
  func visit(_ leaf: Leaf) -> Bool {
    let name = note(leaf)
    visited = name.sureness
    if name.isSecret, decide(leaf.value, name, leaf) { return false }
    if let last = leaf.name.utf8.last, ByteSet.endsUser[last], decideUser(leaf) { return false }
    searchCopy(leaf.value)
    if leaf.isNumber { return false }
    noteRandom(leaf.value, leaf, name)
    return true
  }

  /// Takes a leaf, and reads its value.
  func take(_ leaf: Leaf) {
    guard visit(leaf) else { return }
    isCallback =
      leaf.value.bytes.firstIndex(of: UInt8(ascii: "/"), from: 0) != nil
      && !WordRules.callbacks.isDisjoint(with: leaf.name.words)
    readValue(leaf.value)
    isCallback = false
  }

  /// Takes the text of an element, and reads it.
  func take(element leaf: Leaf) { if visit(element: leaf) { readValue(leaf.value) } }

  /// Reads the value of the last leaf.
  private func readValue(_ value: SecretText) {
    let wasIdentifier = isIdentifier
    isIdentifier = visited == .public || visited == .described
    if !readEncoded(value) { read(value) }
    isIdentifier = wasIdentifier
  }

  /// Visits the text of an element, which belongs to what is around that.
  private func visit(element leaf: Leaf) -> Bool {
    let own = group
    group = groups.removeLast()
    var name = own.outer ?? SecretName.nothing
    if let pair = noteRole(leaf), pair.isSecret || !name.isSecret { name = pair }
    groups.append(group)
    group = own
    visited = name.sureness
    if name.isSecret, decide(leaf.value, name, leaf) { return false }
    searchCopy(leaf.value)
    noteRandom(leaf.value, leaf, name)
    return true
  }

  /// Notes a value that looks random and is no secret by its name.
  func noteRandom(_ text: SecretText, _ leaf: Leaf, _ secret: SecretName) {
    let random = rules.random
    guard text.bytes.count >= 16, rules.isStandard || random != .none,
      text.bytes.firstIndex(notIn: .random) == text.bytes.count
    else { return }
    let value = text.string
    let isUUID = random != .none && value.isUUID
    // What is longer is the content of a file.
    let isLong = value.utf8.count > Self.longestRandom
    guard isUUID || (isLong ? String(value.prefix(Self.longestRandom)) : value).looksRandom(),
      !placeholders.occur(in: value), random == .none || !encodesText(text)
    else { return }
    let range = text.origins(0..<text.bytes.count)
    // The word that a value is has no other name.
    if lastRandom == range { return }
    lastRandom = range
    let known = leaf.unknownName?.string ?? leaf.name
    let isNamed =
      secret.sureness == .public || secret.sureness == .described
      || isIdentifier && (known.isEmpty || leaf.place.isLoose)
    let isIdentifier =
      isNamed || leaf.place == .path || leaf.place == .key || value.isFileName || value.isPublicKey
      || leaf.place == .word && value.isGitObject
    if isNamed { table.randomIdentifiers.insert(value) }
    let reason = SecretReason(
      kind: isIdentifier ? .identifier : .random, rule: "looks random",
      name: known.isEmpty ? SecretReason.noName : known)
    if !isLong, random == .all || random == .unknown && !isIdentifier { return found(text, reason) }
    if !isUUID { findings.kept.append((range, reason)) }
  }

  private static let longestRandom = 8_192

  /// Takes the name of a member, which can be a secret itself, as in `{"tokens": {"k7Rw2xQ9Zt4Vb8Nm": true}}`.
  ///
  /// - Parameter isOfGroup: Whether its value is an object or a list, which it identifies.
  func visit(memberName name: SecretText, isOfGroup: Bool) {
    guard name.bytes.count >= 6, let outer = group.outer, group.depth == depth else { return }
    let leaf = Leaf(place: isOfGroup ? .key : .member, name: outer.reason.name, value: name)
    if outer.isSecret, !name.bytes.isEmpty, !isKnown(name.bytes) {
      let kind = SecretValue(name.string)
      // Words are what members are called.
      if kind != .words, !name.string.isNumberedWords, decide(name, outer, leaf) { return }
    }
    noteRandom(name, leaf, outer)
  }

  // MARK: Names

  func name(_ name: String, in place: Leaf.Place) -> SecretName {
    let number = 2 * place.rawValue + (isInRequest ? 1 : 0)
    if let known = names[number][name] { return known }
    let result = rules.name(name, in: place, isSent: isInRequest)
    names[number][name] = result
    return result
  }

  /// Notes a leaf beside the others of its group, and returns what its name says.
  private func note(_ leaf: Leaf) -> SecretName {
    if let pair = noteRole(leaf) { return pair }
    switch leaf.place {
    case .header, .cookie, .user, .query, .form, .part: return name(leaf.name, in: leaf.place)
    default: break
    }
    let name = memberName(leaf.name, in: leaf.place, isUnknown: leaf.unknownName != nil)
    if leaf.name == "id", leaf.place == .member, !isInRequest, !name.isSecret {
      table.identifiers.insert(leaf.value.string)
    }
    let hasNoName = leaf.name.isEmpty && leaf.unknownName == nil
    if group.isList || group.isTuple, hasNoName, !leaf.isNumber { noteElement(leaf) }
    return name
  }

  /// Returns what names and paths say of a group that begins as the next member of the innermost one.
  ///
  /// - Parameter name: The name, or `nil` in a list.
  func memberName(of name: SecretText?) -> SecretName {
    guard let name else { return memberName("", in: .member) }
    return isNeeded(name) ? memberName(name.string, in: .member) : memberName("", in: .member, isUnknown: true)
  }

  /// Returns what is below a name that only its place shows, which says nothing about what is in it.
  func weakName() -> SecretName {
    group.index += 1
    return SecretName.nothing
  }

  /// Returns what the name of an element says about its text and the elements in it.
  func elementName(_ name: SecretText, tag: String) -> SecretName {
    // A value beside a name.
    if let pair = group.roles[.name], Self.roles[tag] == .value, isKnown(pair.value.bytes) {
      let said = self.name(pair.value.string, in: .element)
      if said.isSecret { return said }
    }
    let said = memberName(of: name)
    guard let outer = group.outer, outer.isSecret else { return said }
    return WordRules.valueTags.contains(tag) ? outer : said
  }

  /// Returns what names and paths say of the next member of the innermost object or list.
  private func memberName(_ key: String, in place: Leaf.Place, isUnknown: Bool = false) -> SecretName {
    group.index += 1
    group.key = key
    guard group.depth == depth, let outer = group.outer else {
      return isUnknown || key.isEmpty ? SecretName.nothing : name(key, in: place.named)
    }
    if outer.sureness == .kept { return outer }
    if hasPaths, let path = rules.jsonPaths.first(where: isHere) {
      return SecretName(.own, "", .own, "json(at: \(path.text))")
    }
    if isUnknown { return SecretName.nothing }
    if key.isEmpty { return outer }
    let name = name(key, in: place.named)
    if name.isSecret { return name }
    if outer.sureness == .own { return WordRules.descriptions.contains(key.comparableName) ? name : outer }
    let isBelow = WordRules.members.contains(key.lowercased()) || key.consists(of: .digit)
    return isBelow && (outer.isSecret || outer.sureness == .public && name.sureness == .none) ? outer : name
  }

  /// Whether a path leads to the current member.
  private func isHere(_ path: JSONPath) -> Bool {
    var step = path.steps.count - 1
    func meets(_ group: Group) -> Bool {
      // A member without a name is an element, but for one in braces, whose name is empty.
      if group.key.isEmpty, !group.isTuple { return path.steps[step].position == group.index }
      return path.steps[step] == .key(group.key)
    }
    guard step >= 0, meets(group) else { return false }
    step -= 1
    // From the innermost group outwards, of those that are in the same text.
    for around in groups.reversed() {
      guard around.depth == depth, around.outer != nil else { break }
      if step < 0 { return false }
      if !meets(around) { return false }
      step -= 1
    }
    return step < 0
  }

  // MARK: Secrets

  func add(_ text: SecretText, _ secret: SecretTable.Secret) {
    guard !text.bytes.isEmpty, !placeholders.isWhole(secret.value) else { return }
    var secret = secret
    if table[secret.value] == nil { secret.token = webToken(secret.value) }
    findings.secrets.append((text.origins(0..<text.bytes.count), table.add(secret)))
  }

  func found(_ text: SecretText, _ reason: SecretReason, in leaf: Leaf? = nil) {
    let value = text.string
    add(
      text,
      SecretTable.Secret(
        value: value, reason: reason, isAnywhere: value.isUnmistakable, isNumber: leaf?.isNumber == true))
  }

  /// Adds a secret that the file has for a second time, in a copy of another text.
  func searchCopy(_ text: SecretText) {
    guard isCopy, isInRequest, text.bytes.count >= 4, text.bytes.count < 512 else { return }
    if let secret = table[text.string] { add(text, secret) }
  }

  func searchShapes(_ whole: SecretText) {
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
