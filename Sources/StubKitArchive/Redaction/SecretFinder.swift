import Foundation
import StubKit

/// Finds the secrets in one text after another, and puts them into a table.
///
/// It looks for names in headers, cookies, URLs, forms, multipart bodies and JSON, and in these in one another. In all
/// other text it looks only for URLs, for names with a value in quotation marks or a random one, and for shapes.
struct SecretFinder {
  /// A secret in a text.
  ///
  /// A number of JSON stays one.
  typealias Finding = (range: Range<Int>, secret: Int, isNumber: Bool)

  /// Where a text stands.
  struct Context {
    var isInRequest = false
    /// The placeholders of its entry, which are no secrets any more.
    var placeholders = Placeholders.none
    /// How many texts of other kinds there are around it.
    var depth = 0
    /// Whether it is what Base64 with a placeholder encodes, in which dots fill the place of a longer secret.
    fileprivate(set) var isFilled = false
    /// Whether the file says elsewhere what it says.
    var isCopy = false
    /// Whether it is a number of JSON.
    var isNumber = false
    /// Whether it is an address that a server calls, by its name.
    fileprivate(set) var isCallback = false
    /// Whether it is the address of a picture, by its name.
    fileprivate(set) var isPicture = false
    /// What the last segment of the request's path says of it, if it is the body of a response.
    fileprivate(set) var resource = SecretName(.none)
    /// Whether it is the `token` of a URL or the end of one, which can be the identifier of an order.
    var isTokenOfURL = false

    /// The context of a text in the text, or `nil` if there are too many around it.
    var inner: Context? {
      var inner = self
      inner.depth += 1
      return depth < 6 ? inner : nil
    }
  }

  /// What a text is.
  enum Kind {
    case text, url
    case body(type: String)
    case header(String)
    case value(String, SecretPlace)
  }

  let rules: RedactionRules
  let table: SecretTable
  private var findings: [Finding] = []
  /// The values of the last text that look random and were kept, with their names.
  private(set) var kept: [(range: Range<Int>, name: String)] = []
  /// Whether the last text has a part in which no names are searched, because it is binary.
  var isBinary = false
  private var names: [SecretPlace: [String: SecretName]] = [:]
  /// What the last segment of the path of the last request says.
  private var resource = SecretName(.none)

  init(_ rules: RedactionRules, _ table: SecretTable) { (self.rules, self.table) = (rules, table) }

  /// Returns the secrets of a text, with those that a shape or a pattern shows.
  mutating func findings(in text: UnsafeBufferPointer<UInt8>, _ kind: Kind, _ context: Context) -> [Finding] {
    findings = []
    kept = []
    isBinary = false
    let whole = SecretText(text)
    switch kind {
    case .text: search(whole, context)
    case .url: searchLink(whole, context)
    case .body(let type):
      var context = context
      if !context.isInRequest { context.resource = resource }
      searchBody(whole, type, context)
    case .header(let name): searchHeader(whole, named: name, context)
    case .value(let name, .cookie): searchCookie(whole, named: name, context)
    case .value(let name, let place): searchValue(whole, self.name(name, in: place), context)
    }
    searchBeside(whole, context)
    searchShapes(whole, context)
    return findings
  }

  private mutating func searchShapes(_ whole: SecretText, _ context: Context) {
    whole.forEachLevel { level in
      for shape in rules.isStandard ? SecretShapes(text: level.bytes).findings : [] {
        found(level[shape.range], SecretReason(kind: .shape, rule: shape.name), context)
      }
      for pattern in rules.patterns {
        for match in pattern.matches(in: Data(level.bytes)) {
          let reason = SecretReason(kind: .own, rule: "text(\(pattern.source))")
          add(level[match.range], .init(value: match.text, reason: reason, isAnywhere: true), context)
        }
      }
    }
  }

  /// Adds the words of a text that are secrets of members in the same text, such as a password in the sentence about
  /// it. Those that are replaced everywhere aren't searched, and of many only some.
  private mutating func searchBeside(_ whole: SecretText, _ context: Context) {
    for number in Set(findings.map(\.secret)).sorted().prefix(16) {
      let (secret, value) = (table.secrets[number], table.secrets[number].value)
      let isOther = value.utf8.count >= 6 && value.contains(anyOf: .digit) && value.couldBeCredential
      var position = 0
      while isOther, !secret.isAnywhere, let start = whole.bytes.firstIndex(of: value, from: position) {
        position = start + value.utf8.count
        let isEnd = position == whole.bytes.count || !whole.bytes[position].isAlphanumeric
        if isEnd, !whole.bytes.isLetter(before: start) { findings.append((start..<position, number, false)) }
      }
    }
  }

  private mutating func add(_ text: SecretText, _ secret: SecretTable.Secret, _ context: Context) {
    guard !text.bytes.isEmpty, !context.placeholders.isWhole(secret.value),
      !context.isFilled || !Placeholders.byLook.occur(in: secret.value)
    else { return }
    findings.append((text.origins(0..<text.bytes.count), table.add(secret), context.isNumber))
  }

  mutating func found(_ text: SecretText, _ reason: SecretReason, _ context: Context, isBinary: Bool = false) {
    let value = text.string
    var secret = SecretTable.Secret(value: value, reason: reason, isBinary: isBinary)
    // A client can send back what a response contains.
    secret.isAnswered = !context.isInRequest && reason.kind != .carrier && value.utf8.count > 3 && !value.isWords
    // A cookie can be a setting such as a language.
    let isSetting = reason.rule.hasPrefix("cookie ") && !value.looksRandom(atLeast: 12) && !value.isUUID
    secret.isTokenOfURL = context.isTokenOfURL
    secret.isAnywhere = value.isUnmistakable && (!isSetting || value.tokenParts != nil)
    add(text, secret, context)
  }

  /// Notes what the path of a request says about its response, as `/recovery-codes` does.
  mutating func noteResource(of url: String) {
    let segments = url.prefix { !"?#".contains($0) }.pieces(at: "/").suffix(2).map(String.init)
    let name = name(segments.last ?? "", in: .json)
    let isLogin = segments.contains { Self.logins.contains($0.comparableName) }
    resource = [.weak, .strong].contains(name.kind) ? name : SecretName(isLogin ? .weak : .none, "login")
  }

  /// Returns what the URL says of a text, if that is the whole body of a response.
  func resource(in context: Context) -> SecretName { context.depth < 2 ? context.resource : SecretName(.none) }

  mutating func name(_ name: String, in place: SecretPlace) -> SecretName {
    if let known = names[place]?[name] { return known }
    let result = rules.name(name, in: place)
    if names[place]?.count ?? 0 < 10_000 { names[place, default: [:]][name] = result }
    return result
  }

  /// Returns what a name in a text says. Most names say nothing, and their last letters show it.
  mutating func name(_ text: UnsafeBufferPointer<UInt8>, in place: SecretPlace) -> SecretName? {
    rules.knows(text) ? name(String(decoding: text, as: UTF8.self), in: place) : nil
  }

  /// Searches a value below a name: for itself, for what a response has contained, and for names in it.
  mutating func searchValue(_ text: SecretText, _ name: SecretName, _ context: Context) {
    if text.bytes.isEmpty || decide(text, name, context) { return }
    searchReturned(text, context)
    if context.isNumber { return }
    noteRandom(text, name.text, context)
    var inner = context
    let words = name.text.words
    inner.isCallback = !Self.callbacks.isDisjoint(with: words)
    inner.isPicture = !Self.pictures.isDisjoint(with: words)
    search(text, inner)
    searchEncoded(text, context)
  }

  private static let logins = Set(SecretName.names("auth login signin register signup"))
  private static let pictures = Set(SecretName.names("picture avatar image img photo icon logo thumbnail cover"))
  /// Words of the names of addresses that a server calls.
  private static let callbacks = Set(
    SecretName.names(
      "hook cloudhook webhook callback call target notify endpoint push invite invitation reset cancel share"))

  /// Notes a value that looks random and is no secret by its name.
  mutating func noteRandom(_ text: SecretText, _ name: String, _ context: Context) {
    guard rules.isStandard, 16...512 ~= text.bytes.count,
      text.bytes.firstIndex(notIn: .random) == text.bytes.count
    else { return }
    let value = text.string
    guard value.looksRandom(), !context.placeholders.occur(in: value) else { return }
    kept.append((text.origins(0..<text.bytes.count), name))
  }

  /// Searches what a value encodes in Base64, if that is JSON, PEM or other text. The secrets in it are replaced there
  /// as elsewhere.
  private mutating func searchEncoded(_ text: SecretText, _ context: Context) {
    let isContainer = ["ey", "ew", "W3", "LS0t"].contains { text.bytes.has($0, at: 0) }
    let isText = 20...8_192 ~= text.bytes.count && text.string.decodedFromBase64 != nil
    guard isContainer && text.bytes.count >= 24 || isText,
      var inner = context.inner, var decoded = Data(base64OfAnyKind: text.string).flatMap({ String(validUTF8: $0) })
    else { return }
    inner.isFilled = context.placeholders.occur(in: text.string)
    let (count, keptCount) = (findings.count, kept.count)
    decoded.withUTF8 { utf8 in
      search(SecretText(utf8), inner)
      searchShapes(SecretText(utf8), inner)
    }
    let isLeft = findings[count...].contains { !table.secrets[$0.secret].isAnywhere }
    findings.removeSubrange(count...)
    kept.removeSubrange(keptCount...)
    if isLeft { found(text, SecretReason(kind: .name, rule: "in Base64"), context) }
  }

  /// Adds a short value of a response that a client sends back as a whole, a copy of a secret, and a part of a cookie,
  /// such as a token before its signature.
  mutating func searchReturned(_ text: SecretText, _ context: Context) {
    guard context.isInRequest, 4..<512 ~= text.bytes.count else { return }
    let value = text.string
    if let secret = table[value] {
      let isPassword = SecretName(standard: secret.reason.name, in: .json, "").isPassword && value.utf8.count > 7
      let isCopied = isPassword || context.isCopy && (!value.isWords || value.isPassphrase)
      if secret.isAnswered && value.utf8.count < 64 || isCopied { add(text, secret, context) }
    } else if table.isPartOfCookie(value) {
      found(text, SecretReason(kind: .carrier, rule: "part of a cookie"), context)
    }
  }

  /// Adds a value if what its name says makes it a secret. Returns whether that, or a rule that keeps it, decides about
  /// it.
  @discardableResult
  mutating func decide(_ text: SecretText, _ name: SecretName, _ context: Context) -> Bool {
    guard name.kind != .none else { return false }
    let value = text.string
    let isDigits = value.consists(of: .digit)
    if name.kind == .kept {
      table.keep(value)
      text.decoded(.escapes) { table.keep($0.string) }
      return true
    }
    // What signs a URL begins with the identifier of a key, and says then what the key is for.
    if name.text.lowercased().hasSuffix("credential"), let scope = text.bytes.startOfScope {
      return decide(text[0..<scope], name, context)
    }
    let isCarrier = name.text.lowercased().hasSuffix("authorization")
    let hasScheme = isCarrier || ["bearer ", "basic "].contains(where: value.lowercased().hasPrefix)
    if hasScheme, searchCredentials(text, name.text, context) { return true }
    if isCarrier && Self.schemes.contains(value.lowercased()) || name.kind != .own && value.isPublic { return false }
    let isSecret =
      switch name.kind {
      case .own: true
      case .lenient: value != "true" && value != "false" && (context.isInRequest || !value.has(" "))
      // Digits are a count, a place or another number, unless the name is one of a number or they are many. A postal
      // code can be a pin, too.
      case .strong where isDigits && (name.isPlural || !context.isInRequest):
        !name.isPlural && value.utf8.count >= name.fewestDigits(isNumber: context.isNumber)
          && !(name.text.lowercased().hasSuffix("pin") && [3, 6].contains(value.utf8.count))
      case .strong where context.isInRequest:
        !value.isConstant && !value.isDate && (name.isToken || !value.isVersion)
          && (value.utf8.count > 3 || name.isNumber || !isDigits)
      case .strong where name.isToken:
        value.couldBeToken && value.comparableName != name.text.comparableName
          || table[value] != nil && !value.isConstant
      case .strong:
        value.couldBeCredential || value.isPassphrase || name.isNumber && value.isNumbered
          || table[value] != nil && !value.isConstant
          || name.isPassword && value.couldBePassword && (name.isVariable || value.contains(anyOf: .inPassword))
          || name.isPassword && value.isOfAllKinds
      case .weak:
        value.hasRandomPart() && value.couldBeCredential && (context.isInRequest || !isCarrier)
          || name.isNumber && context.isInRequest && isDigits && 4...8 ~= value.utf8.count
          || name.isOfSession && value.isUUID || table[value] != nil && !value.isConstant && !value.isWords
      case .none, .kept: false
      }
    let isNumeric =
      name.kind == .own || (name.isNumber || name.isToken) && 3...19 ~= value.utf8.count && isDigits
    guard isSecret, !context.isNumber || isNumeric else { return false }
    found(text, name.reason, context, isBinary: name.isBinary)
    return true
  }
}

extension String {
  /// Whether the text is a name or a key that is public: of a resource of AWS, or of a server that sends push messages.
  fileprivate var isPublic: Bool { hasPrefix("arn:aws") || isPublicKey }
}

extension UnsafeBufferPointer<UInt8> {
  /// Where a date as a segment, and what follows it, begins: the scope of a credential (AWS, Google).
  fileprivate var startOfScope: Int? {
    guard let slash = firstIndex(of: UInt8(ascii: "/"), from: 1), slash + 9 < count else { return nil }
    let end = firstIndex(notIn: .digit, from: slash + 1)
    return end == slash + 9 && self[end] == UInt8(ascii: "/") ? slash : nil
  }
}
