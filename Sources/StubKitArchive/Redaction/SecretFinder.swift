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
  /// How many texts of other kinds there are around the text that is searched.
  var depth = 0
  var isNumber = false
  private var isPercentEncoded = false
  private var findings: [Finding] = []
  private var names: [String: SecretName?] = [:]

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

  private mutating func findings(of text: String, _ find: (inout SecretFinder, SecretText) -> Void) -> [Finding] {
    var text = text
    return text.withUTF8 { findings(in: $0, find) }
  }

  mutating func findings(inBody body: UnsafeBufferPointer<UInt8>, type: String) -> [Finding] {
    findings(in: body) { $0.searchBody($1, type) }
  }

  mutating func findings(in text: String) -> [Finding] { findings(of: text) { $0.search($1) } }

  mutating func findings(inURL url: String) -> [Finding] { findings(of: url) { $0.searchURL($1) } }

  mutating func findings(inHeader name: String, _ value: String) -> [Finding] {
    findings(of: value) { $0.searchHeader(name, $1) }
  }

  mutating func findings(in value: String, named name: String, _ place: SecretPlace) -> [Finding] {
    findings(of: value) { $0.searchValue($1, named: name, place) }
  }

  // MARK: Values

  mutating func add(
    _ range: Range<Int>, _ value: String, _ reason: SecretReason, isAnywhere: Bool, isBinary: Bool = false
  ) {
    let isAnswered = !isInRequest && reason.kind != .carrier && value.utf8.count > 3 && !value.isWords
    guard !range.isEmpty,
      let secret = table.add(value, reason, isAnywhere: isAnywhere, isAnswered: isAnswered, isBinary: isBinary)
    else { return }
    findings.append(Finding(range: range, secret: secret, isPercentEncoded: isPercentEncoded, isNumber: isNumber))
  }

  mutating func found(
    _ text: SecretText, _ value: String, _ reason: SecretReason, isBinary: Bool = false, isCookie: Bool = false
  ) {
    // A cookie can be a setting such as a language.
    let isAnywhere =
      value.isUnmistakable && (!isCookie || value.looksRandom(atLeast: 12) || value.isUUID || value.tokenParts != nil)
    add(text.origins(0..<text.bytes.count), value, reason, isAnywhere: isAnywhere, isBinary: isBinary)
  }

  mutating func name(_ name: String, in place: SecretPlace) -> SecretName? {
    guard !rules.isEmpty else { return SecretName(.none) }
    let key = "\(place)\(name)"
    if let known = names[key] { return known }
    let result = rules.name(name, in: place)
    if names.count < 10_000 { names[key] = .some(result) }
    return result
  }

  /// Searches a value below a name.
  mutating func searchValue(_ text: SecretText, named name: String, _ place: SecretPlace) {
    guard !text.bytes.isEmpty else { return }
    guard let secret = self.name(name, in: place) else { return keep(text) }
    if !decide(text, secret, name) { search(text) }
  }

  mutating func keep(_ text: SecretText) {
    table.keep(text.string)
    text.decoded(.all) { table.keep($0.string) }
  }

  /// Adds a value if what its name says makes it a secret. Returns whether it is one.
  mutating func decide(_ text: SecretText, _ secret: SecretName, _ name: String, isQuoted: Bool = true) -> Bool {
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
  mutating func searchReturned(_ text: SecretText) {
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
  mutating func searchURL(_ text: SecretText) {
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
  mutating func searchItems(_ text: SecretText, _ place: SecretPlace) {
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
