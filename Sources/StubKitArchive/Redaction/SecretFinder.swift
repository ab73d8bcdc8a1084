import Foundation
import StubKitFormats

/// Finds the secrets in one text after another, and puts them into a table.
///
/// It looks for names in headers, cookies, URLs, forms, multipart bodies and JSON, and in these in one another. In all other
/// text it looks only for URLs, for names with a value in quotation marks or a random one, and for shapes.
struct SecretFinder {
  /// A secret in a text.
  struct Finding {
    let range: Range<Int>
    let secret: Int
    /// Whether the text escapes what isn't a letter or a digit.
    let isPercentEncoded: Bool
    /// Whether the value is a number of JSON, and stays one.
    let isNumber: Bool
  }

  let rules: SecretRules
  let patterns: [Pattern]
  let table: SecretTable
  /// Whether the texts belong to a request.
  var isInRequest = false
  private var findings: [Finding] = []
  private var names: [String: SecretName?] = [:]
  private var depth = 0
  private var isPercentEncoded = false
  private var isNumber = false

  init(_ rules: SecretRules, _ patterns: [Pattern], _ table: SecretTable) {
    (self.rules, self.patterns, self.table) = (rules, patterns, table)
  }

  // MARK: Whole texts

  /// Returns the secrets of a text that a closure looks for, with those that a shape or a pattern shows.
  private mutating func findings(
    in text: UnsafeBufferPointer<UInt8>, _ find: (inout SecretFinder, SecretText) -> Void
  ) -> [Finding] {
    findings = []
    table.reserve(text)
    find(&self, SecretText(text))
    var covered = IndexSet()
    for finding in findings { covered.insert(integersIn: finding.range) }
    SecretText(text).forEachLevel { level in
      if rules.usesShapes {
        for finding in SecretShapes(level.bytes).findings
        where !covered.intersects(integersIn: level.origins(finding.range)) {
          covered.insert(integersIn: level.origins(finding.range))
          let value = String(decoding: level.bytes[finding.range], as: UTF8.self)
          found(level[finding.range], value, SecretReason(kind: .shape, rule: finding.name))
        }
      }
      for pattern in patterns {
        for match in pattern.matches(in: Data(level.bytes)) {
          add(
            level.origins(match.range), match.text, SecretReason(kind: .own, rule: "text(\(pattern.source))"),
            isAnywhere: true)
        }
      }
    }
    defer { findings = [] }
    return findings
  }

  mutating func findings(inBody body: UnsafeBufferPointer<UInt8>, type: String) -> [Finding] {
    findings(in: body) { $0.searchBody($1, type) }
  }

  mutating func findings(in text: String) -> [Finding] {
    var text = text
    return text.withUTF8 { findings(in: $0) { $0.search($1) } }
  }

  mutating func findings(inURL url: String) -> [Finding] {
    var url = url
    return url.withUTF8 { findings(in: $0) { $0.searchURL($1) } }
  }

  mutating func findings(inHeader name: String, _ value: String) -> [Finding] {
    var value = value
    return value.withUTF8 { findings(in: $0) { $0.searchHeader(name, $1) } }
  }

  mutating func findings(in value: String, named name: String, _ place: SecretPlace) -> [Finding] {
    var value = value
    return value.withUTF8 { findings(in: $0) { $0.searchValue($1, named: name, place) } }
  }

  // MARK: Values

  private mutating func add(
    _ range: Range<Int>, _ value: String, _ reason: SecretReason, isAnywhere: Bool, isBinary: Bool = false
  ) {
    let isAnswered = !isInRequest && reason.kind != .carrier && value.utf8.count > 3 && !value.isWords
    guard !range.isEmpty,
      let secret = table.add(value, reason, isAnywhere: isAnywhere, isAnswered: isAnswered, isBinary: isBinary)
    else { return }
    findings.append(Finding(range: range, secret: secret, isPercentEncoded: isPercentEncoded, isNumber: isNumber))
  }

  private mutating func found(
    _ text: SecretText, _ value: String, _ reason: SecretReason, isBinary: Bool = false, isCookie: Bool = false
  ) {
    // A cookie can be a setting such as a language.
    let isAnywhere =
      value.isUnmistakable && (!isCookie || value.looksRandom(atLeast: 12) || value.isUUID || value.tokenParts != nil)
    add(text.origins(0..<text.bytes.count), value, reason, isAnywhere: isAnywhere, isBinary: isBinary)
  }

  private mutating func name(_ name: String, in place: SecretPlace) -> SecretName? {
    guard !rules.isEmpty else { return SecretName(.none) }
    let key = "\(place)\(name)"
    if let known = names[key] { return known }
    let result = rules.name(name, in: place)
    if names.count < 10_000 { names[key] = .some(result) }
    return result
  }

  /// Searches a value below a name.
  private mutating func searchValue(_ text: SecretText, named name: String, _ place: SecretPlace) {
    guard !text.bytes.isEmpty else { return }
    guard let secret = self.name(name, in: place) else { return keep(text) }
    if !decide(text, secret, name) { search(text) }
  }

  private mutating func keep(_ text: SecretText) {
    table.keep(text.string)
    text.decoded(.all) { table.keep($0.string) }
  }

  /// Adds a value if what its name says makes it a secret. Returns whether it is one.
  private mutating func decide(_ text: SecretText, _ secret: SecretName, _ name: String, isQuoted: Bool = true) -> Bool
  {
    guard secret.kind != .none else { return false }
    let value = text.string
    let isCarrier = name.lowercased().hasSuffix("authorization")
    if isCarrier || ["bearer ", "basic "].contains(where: value.lowercased().hasPrefix), searchCredentials(text) {
      return true
    }
    let isSecret =
      switch secret.kind {
      case .own: true
      case .lenient: value.utf8.count >= 6 && !value.has(" ") && !value.isConstant || isInRequest
      case .strong where isInRequest:
        !value.isConstant && !value.isDate && !value.contains("://")
          && (value.utf8.count > 3 || secret.isNumber || !value.utf8.allSatisfy(\.isDigit))
      case .strong:
        value.couldBeCredential || table[value] != nil && !value.isConstant
          || secret.isNumber && 4...10 ~= value.utf8.count && value.utf8.allSatisfy(\.isDigit)
      case .weak: value.looksRandom()
      case .none: false
      }
    let isNumber =
      secret.kind == .own || secret.isNumber && 3...10 ~= value.utf8.count && value.utf8.allSatisfy(\.isDigit)
    guard isSecret, isQuoted || isNumber else { return false }
    // Elsewhere than in a header, an authorization without a scheme is that of a payment.
    if isCarrier, secret.kind == .strong, !isInRequest, value.tokenParts == nil { return false }
    let reason = SecretReason(kind: secret.kind == .own ? .own : .name, rule: "name \"\(name)\"")
    found(text, value, reason, isBinary: secret.isBinary)
    return true
  }

  /// Adds a short value of a response that a client sends back as a whole.
  private mutating func searchReturned(_ text: SecretText) {
    guard isInRequest, text.bytes.count > 3, text.bytes.count < 64, let secret = table[text.string], secret.isAnswered
    else { return }
    add(text.origins(0..<text.bytes.count), secret.value, secret.reason, isAnywhere: secret.isAnywhere)
  }

  // MARK: Headers

  private mutating func searchHeader(_ name: String, _ text: SecretText) {
    switch name.lowercased() {
    case "cookie", "set-cookie": searchCookies(text, isSetting: name.utf8.count > 6)
    case "location", "referer", "content-location": searchURL(text)
    case let name where name.hasSuffix("authorization"):
      guard let secret = self.name(name, in: .header) else { return keep(text) }
      guard secret.kind != .none, !searchCredentials(text), isInRequest || text.string.couldBeCredential else { return }
      found(text, text.string, SecretReason(kind: .carrier, rule: "credentials"))
    default:
      searchValue(text, named: name, .header)
      searchReturned(text)
    }
  }

  /// Searches the credentials after a scheme (RFC 9110, section 11.4).
  private mutating func searchCredentials(_ text: SecretText) -> Bool {
    guard let start = text.string.authorization else { return false }
    let rest = text[start..<text.bytes.count]
    guard isInRequest || rest.string.couldBeCredential else { return false }
    let reason = SecretReason(kind: .carrier, rule: "credentials")
    if text.bytes[..<start].lazy.map(\.lowercased).starts(with: "basic".utf8),
      let data = Data(base64OfAnyKind: rest.string),
      let pair = String(validUTF8: data)?.cut(at: ":")
    {
      // The parts are found elsewhere, and inside of what is replaced here.
      for part in [String(pair.before), String(pair.after)]
      where part.looksRandom(atLeast: 12) || part == pair.after && part.isUnmistakable {
        _ = table.add(part, reason, isAnywhere: true, isAnswered: false)
      }
    }
    found(rest, rest.string, reason)
    return true
  }

  /// Searches the values of `a=1; b=2`, or of `a=1; Path=/`.
  private mutating func searchCookies(_ text: SecretText, isSetting: Bool) {
    // Foundation joins the fields with commas.
    for field in isSetting ? text.pieces(at: UInt8(ascii: ",")) : [text] {
      for pair in field.pieces(at: UInt8(ascii: ";")).prefix(isSetting ? 1 : .max) {
        guard let equals = pair.bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let name = pair[0..<equals].trimmed.string
        let value = pair[equals + 1..<pair.bytes.count].trimmed
        guard let secret = self.name(name, in: .cookie) else { keep(value); continue }
        if value.bytes.isEmpty || decide(value, secret, name) { continue }
        if rules.redactsAllCookies, value.string != "true", value.string != "false" {
          found(value, value.string, SecretReason(kind: .carrier, rule: "cookie \(name)"), isCookie: true)
        } else {
          search(value)
        }
      }
    }
  }

  // MARK: URLs and forms

  /// Searches user information, query and fragment of a URL, and the parameters and segments of its path.
  private mutating func searchURL(_ text: SecretText) {
    let outer = isPercentEncoded
    isPercentEncoded = true
    defer { isPercentEncoded = outer }
    let bytes = text.bytes
    var path = 0
    if let scheme = bytes.firstRange(of: Array("://".utf8)) {
      path = bytes[scheme.upperBound...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
      if rules.redactsUserInfo, let at = bytes[scheme.upperBound..<path].lastIndex(of: UInt8(ascii: "@")) {
        searchUserInfo(text[scheme.upperBound..<at])
      }
    }
    let end = bytes[path...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
    for segment in text[path..<end].pieces(at: UInt8(ascii: "/")) where !segment.bytes.isEmpty {
      segment.decoded(.percent) { searchReturned($0) }
      for parameter in segment.pieces(at: UInt8(ascii: ";")).dropFirst() { searchItems(parameter, .query) }
    }
    var rest = end
    while rest < bytes.count {
      let next = bytes[(rest + 1)...].firstIndex { "#?".utf8.contains($0) } ?? bytes.count
      if bytes[rest..<next].contains(UInt8(ascii: "=")) { searchItems(text[rest + 1..<next], .query) }
      rest = next
    }
  }

  private mutating func searchUserInfo(_ text: SecretText) {
    let colon = text.bytes.firstIndex(of: UInt8(ascii: ":"))
    let (user, password) = (text[0..<(colon ?? text.bytes.count)], colon.map { text[$0 + 1..<text.bytes.count] })
    for part in [user, password].compactMap(\.self) where !part.bytes.isEmpty {
      part.decoded(.percent) { part in
        let value = part.string
        let isPassword = part.origin(0) > user.origin(0)
        guard
          isPassword
            ? isInRequest || value.couldBeCredential || table[value] != nil
            : value.couldBeCredential && value.utf8.count > 15
        else { return }
        found(part, value, SecretReason(kind: .carrier, rule: "user information of a URL"))
      }
    }
  }

  /// Searches items between `&` or `;`.
  private mutating func searchItems(_ text: SecretText, _ place: SecretPlace) {
    let outer = isPercentEncoded
    isPercentEncoded = isPercentEncoded || place == .form
    defer { isPercentEncoded = outer }
    let escapes: SecretText.Escapes = place == .form ? [.percent, .plus] : .percent
    let items = text.pieces(at: UInt8(ascii: "&")).flatMap {
      $0.bytes.contains(UInt8(ascii: "<")) ? [$0] : $0.pieces(at: UInt8(ascii: ";"))
    }
    let pairs: [(name: String, value: SecretText)] = items.compactMap { item in
      guard let equals = item.bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      var name = item[0..<equals].decoded(escapes) { $0.string }
      // What is left of an escaped ampersand.
      if name.hasPrefix("amp;") { name.removeFirst(4) }
      return (name, item[equals + 1..<item.bytes.count])
    }
    let names = Set(pairs.map { $0.name.comparableName })
    // OAuth's code is in a request for a token, and with its state in a redirect and where that leads.
    let isOAuth =
      rules.usesStandardNames
      && (names.contains("granttype")
        || place == .query && names.contains("code")
          && !names.isDisjoint(with: ["state", "iss", "sessionstate", "scope"]))
    for (name, value) in pairs where !value.bytes.isEmpty {
      value.decoded(escapes) { decoded in
        if isOAuth, name == "code", decoded.bytes.count >= 8, decoded.string.couldBeCredential,
          self.name(name, in: place) != nil
        {
          return found(decoded, decoded.string, SecretReason(kind: .oauth, rule: "OAuth's code"))
        }
        searchValue(decoded, named: name, place)
        searchReturned(decoded)
      }
    }
  }

  // MARK: Bodies

  private mutating func searchBody(_ text: SecretText, _ type: String) {
    if let boundary = MultipartBody.boundary(ofContentType: type) ?? text.bytes.boundary {
      return searchMultipart(text, boundary)
    }
    let isForm = type.lowercased().starts(withBytesOf: "application/x-www-form-urlencoded")
    if isForm, text.bytes.startOfJSON == nil { searchItems(text, .form) } else { search(text) }
  }

  /// Searches a text of an unknown kind.
  private mutating func search(_ text: SecretText) {
    // Names and values don't fit into less, and have one of these characters between them.
    guard text.bytes.count > 7, depth < 6, text.bytes.contains(where: { "=:>".utf8.contains($0) }) else { return }
    depth += 1
    defer { depth -= 1 }
    if let start = text.bytes.startOfJSON {
      searchJSON(text[start..<text.bytes.count])
    } else if text.bytes.isForm {
      searchItems(text, .form)
    } else if text.bytes.isURL {
      searchURL(text)
      // A link in a link.
      if text.bytes.contains(UInt8(ascii: "%")) {
        text.decoded(.percent) { if $0.bytes.count < text.bytes.count { search($0) } }
      }
    } else {
      searchText(text)
    }
  }

  private mutating func searchMultipart(_ text: SecretText, _ boundary: String) {
    let body = Data(text.bytes)
    for part in MultipartBody(parsing: body, boundary: boundary).parts {
      let start = part.body.startIndex - body.startIndex
      let content = text[start..<start + part.body.count]
      if let name = part.name, let secret = name.isEmpty ? nil : self.name(name, in: .form) {
        if String(validUTF8: part.body) != nil, decide(content, secret, name) { continue }
        searchReturned(content)
      } else if part.name != nil {
        keep(content)
      }
      searchBody(content, part.contentType)
    }
  }

  // MARK: Text

  /// Searches text: for URLs, and for names with a value in quotation marks or an element, or with one that looks random.
  private mutating func searchText(_ text: SecretText) {
    let bytes = text.bytes
    // The name of a pair of attributes, such as `name="a" value="b"`.
    var (pair, pairValue) = (nil as String?, nil as SecretText?)
    for mark in bytes.indices where ":=>".utf8.contains(bytes[mark]) {
      if bytes[mark] == UInt8(ascii: ":"), bytes[(mark + 1)...].starts(with: "//".utf8) {
        let start = bytes[..<mark].lastIndex { !($0.isAlphanumeric || "+-.".utf8.contains($0)) }.map { $0 + 1 } ?? 0
        let end = bytes[mark...].firstIndex { $0 <= 0x20 || "\"'<>\\`".utf8.contains($0) } ?? bytes.count
        searchURL(text[start..<end])
        continue
      }
      let isElement = bytes[mark] == UInt8(ascii: ">")
      guard var name = bytes.name(before: mark) else { continue }
      let isClosing = isElement && bytes[..<mark].dropLast(name.utf8.count).last == UInt8(ascii: "/")
      if isClosing { continue }
      var start = mark + 1
      while start < bytes.count, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
      let quote = isElement ? [UInt8(ascii: "<")] : bytes.quotationMark(at: start)
      if !isElement { start += quote?.count ?? 0 }
      let end = bytes[start...].firstIndex { $0 <= 0x20 || "\"'<>&;,`\\(){}".utf8.contains($0) } ?? bytes.count
      let value = text[start..<end]
      if Self.pairNames.contains(name.lowercased()) {
        pair = value.string
        if let before = pairValue, let secret = self.name(value.string, in: .other) {
          _ = decide(before, secret, value.string)
        }
      }
      pairValue = Self.pairValues.contains(name.lowercased()) ? value : nil
      if let known = pair, isElement ? name == "string" : Self.pairValues.contains(name.lowercased()) { name = known }
      // A pair ends with its element, except for the `key` of a property list.
      if isElement, name != "key" { pair = nil }
      guard let secret = self.name(name, in: .other) else { keep(value); continue }
      guard secret.kind == .strong || secret.kind == .own else { continue }
      let isEnclosed = quote.map { end == bytes.count || bytes[end...].starts(with: $0) } ?? false
      let string = value.string
      if isEnclosed && (isInRequest || string.couldBeCredential) || string.looksRandom(atLeast: 12) {
        _ = decide(value, secret, name)
      }
    }
  }

  private static let pairNames: Set = ["name", "key", "field", "header", "param", "parameter", "k", "property"]
  private static let pairValues: Set = ["value", "v", "val", "content"]

  // MARK: JSON

  /// Searches one or more consecutive JSON texts. What is none is searched as text.
  private mutating func searchJSON(_ text: SecretText) {
    var start = 0
    while start < text.bytes.count {
      let end = searchFirstJSON(text[start..<text.bytes.count])
      if end.isProblem { return searchText(text[max(start, start + end.position - 100)..<text.bytes.count]) }
      start += max(1, end.position)
    }
  }

  /// An object or an array around a value.
  private struct Level {
    /// The last key, or `nil` in an array.
    var key: String?
    var index = 0
    /// What the last key says, or `nil` if a rule keeps its value.
    var name: SecretName? = SecretName(.none)
    /// What the name of the object or array says.
    let outer: SecretName?
    let outerKey: String
    /// The members of a pair such as `name` and `value`.
    var pairName: String?
    var pairValue: SecretText?
    /// The member `code`, and whether another one says that it is OAuth's.
    var code: SecretText?
    var isGrant = false
  }

  /// Searches one JSON text. Returns where it ends, or where it stops being JSON.
  private mutating func searchFirstJSON(_ text: SecretText) -> (position: Int, isProblem: Bool) {
    var scanner = JSONScanner(text.bytes, deepest: 512)
    var levels: [Level] = []
    while true {
      let position = scanner.nextPosition()
      guard let token = try? scanner.next() else { return (position, !levels.isEmpty || position == 0) }
      switch token {
      case .key(let key):
        levels[levels.count - 1].key = key.text
        levels[levels.count - 1].name = name(key.text, in: .json)
        continue
      case .beginObject, .beginArray:
        var level = Level(outer: name(in: levels), outerKey: levels.last.map { $0.key ?? $0.outerKey } ?? "")
        if case .beginObject = token { level.key = "" }
        levels.append(level)
        continue
      case .endObject, .endArray: close(levels.removeLast())
      case .string(let string):
        take(text[string.range.lowerBound + 1..<string.range.upperBound - 1], isQuoted: true, in: &levels)
      case .number(let range): take(text[range], isQuoted: false, in: &levels)
      case .bool, .null: break
      case .end: return (text.bytes.count, false)
      }
      if !levels.isEmpty { levels[levels.count - 1].index += 1 }
    }
  }

  /// Returns what names and paths say about the current value, or `nil` if a rule keeps it.
  private func name(in levels: [Level]) -> SecretName? {
    guard let level = levels.last else { return SecretName(.none) }
    guard let outer = level.outer, let name = level.name else { return nil }
    if rules.jsonPaths.contains(where: { $0.leads(to: levels.map { ($0.key, $0.index) }) }) { return SecretName(.own) }
    guard let key = level.key else { return outer }
    if name.kind != .none { return name }
    if outer.kind == .own { return Self.descriptions.contains(key.comparableName) ? name : outer }
    return outer.kind == .strong && Self.parts.contains(key.lowercased()) ? outer : name
  }

  /// Members that describe a secret.
  private static let descriptions: Set = [
    "type", "tokentype", "typ", "kind", "alg", "algorithm", "scope", "scopes", "status", "state", "provider", "issuer",
    "format", "method", "realm", "granttype",
  ]
  /// Members of an object with the name of a secret that are the secret itself.
  private static let parts: Set = ["access", "refresh", "value", "token", "secret", "raw", "plain"]

  private mutating func take(_ value: SecretText, isQuoted: Bool, in levels: inout [Level]) {
    guard !value.bytes.isEmpty else { return }
    guard let secret = name(in: levels) else { return keep(value) }
    let key = levels.last.map { $0.key ?? $0.outerKey } ?? ""
    if !levels.isEmpty, isQuoted {
      let last = levels.count - 1
      switch key.comparableName {
      case let name where Self.pairNames.contains(name): levels[last].pairName = value.string
      case let name where Self.pairValues.contains(name): levels[last].pairValue = value
      case "code": levels[last].code = value
      case "granttype": levels[last].isGrant = true
      default: break
      }
    }
    isNumber = !isQuoted
    defer { isNumber = false }
    value.decoded(isQuoted ? .json : []) { value in
      if decide(value, secret, key, isQuoted: isQuoted) { return }
      searchReturned(value)
      if isQuoted { search(value) }
    }
  }

  private mutating func close(_ level: Level) {
    if let value = level.pairValue, let pair = level.pairName, let secret = name(pair, in: .other) {
      value.decoded(.json) { _ = decide($0, secret, pair) }
    } else if level.isGrant, let code = level.code, code.bytes.count >= 8, code.string.couldBeCredential {
      found(code, code.string, SecretReason(kind: .oauth, rule: "OAuth's code"))
    }
  }
}

extension JSONPath {
  /// Whether the path is that of the value with these keys and indices.
  fileprivate func leads(to place: [(key: String?, index: Int)]) -> Bool {
    steps.count == place.count
      && zip(steps, place).allSatisfy { step, place in
        switch (step, place.key) {
        case (.key(let wanted), let key): wanted == key ?? String(place.index)
        case (.index(let wanted), nil): wanted == place.index
        default: false
        }
      }
  }
}

extension String {
  /// The position of the credentials in a value such as `Bearer x` (RFC 9110, section 11.4), or `nil` without a scheme.
  var authorization: Int? {
    guard let (scheme, rest) = cut(at: " "), !scheme.isEmpty, scheme.utf8.count <= 24,
      scheme.utf8.first?.isDigit == false,
      scheme.utf8.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "-") }), !rest.withoutOuterSpace.isEmpty
    else { return nil }
    return scheme.utf8.count + 1 + rest.utf8.prefix { $0 == 0x20 }.count
  }
}

extension SecretText {
  /// The parts between delimiters.
  fileprivate func pieces(at delimiter: UInt8) -> [SecretText] {
    guard bytes.contains(delimiter) else { return [self] }
    return bytes.split(separator: delimiter, omittingEmptySubsequences: false).map { self[$0.startIndex..<$0.endIndex] }
  }

  fileprivate var trimmed: SecretText {
    let start = bytes.firstIndex { !$0.isWhiteSpace } ?? bytes.count
    let end = bytes.lastIndex { !$0.isWhiteSpace }.map { $0 + 1 } ?? start
    return self[start..<end]
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The beginning of an object or an array, perhaps after what servers put before it so that no script can load it.
  fileprivate var startOfJSON: Int? {
    guard let first = prefix(16).firstIndex(where: { "{[".utf8.contains($0) }),
      self[..<first].allSatisfy({ $0 <= 0x20 || $0 > 0x7E || ")]}',;for(while1)".utf8.contains($0) })
    else { return nil }
    guard let second = self[(first + 1)...].first(where: { $0 > 0x20 }) else { return first }
    let isJSON =
      self[first] == UInt8(ascii: "{")
      ? "\"}".utf8.contains(second) : second.isDigit || "{[\"]tfn-".utf8.contains(second)
    return isJSON ? first : nil
  }

  /// Whether the text is a list of names and values, and nothing else.
  fileprivate var isForm: Bool {
    guard let equals = firstIndex(of: UInt8(ascii: "=")), equals > 0, equals <= 64,
      self[..<equals].allSatisfy({ $0.isAlphanumeric || "-_.[]%+~*".utf8.contains($0) })
    else { return false }
    return allSatisfy { 0x21...0x7E ~= $0 && !"\"<>{}()\\;,!".utf8.contains($0) }
  }

  /// Whether the whole text is a URL, perhaps without a host.
  fileprivate var isURL: Bool {
    guard
      let query = firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
        ?? firstRange(of: Array("://".utf8))?.lowerBound
    else { return false }
    return self[..<query].allSatisfy { $0.isAlphanumeric || "-_.~/:@%+$,;=*".utf8.contains($0) }
      && self[query...].allSatisfy { $0 > 0x20 && !"\"<>\\`(){}".utf8.contains($0) }
  }

  /// The boundary of a multipart body whose type doesn't say that it is one.
  fileprivate var boundary: String? {
    guard starts(with: "--".utf8), let end = prefix(80).firstIndex(where: { $0 == 0x0D || $0 == 0x0A }), end > 2,
      String(decoding: self[end...].prefix(24), as: UTF8.self).lowercased().contains("content-")
    else { return nil }
    return String(decoding: self[2..<end], as: UTF8.self)
  }

  /// Returns the name before a colon or an equals sign, without quotation marks, however they are escaped.
  fileprivate func name(before mark: Int) -> String? {
    var end = mark
    let least = Swift.max(0, mark - 140)
    while end > least, self[end - 1] == 0x20 { end -= 1 }
    if end - 6 >= least, self[(end - 6)..<end].elementsEqual("&quot;".utf8) { end -= 6 }
    while end > least, "\"'\\".utf8.contains(self[end - 1]) { end -= 1 }
    let start = self[least..<end].lastIndex { !($0.isAlphanumeric || "_-.".utf8.contains($0)) }.map { $0 + 1 } ?? least
    return start < end ? String(decoding: self[start..<end], as: UTF8.self) : nil
  }

  /// Returns the quotation mark at a position, with what escapes it.
  fileprivate func quotationMark(at start: Int) -> [UInt8]? {
    if self[start...].starts(with: "&quot;".utf8) { return Array("&quot;".utf8) }
    let end = self[start...].prefix(8).firstIndex { $0 != UInt8(ascii: "\\") } ?? count
    return end < count && "\"'`".utf8.contains(self[end]) ? Array(self[start...end]) : nil
  }
}
