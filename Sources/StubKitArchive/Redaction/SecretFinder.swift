import Foundation
import StubKit

/// Finds the secrets in one text after another, and puts them into a table.
///
/// It looks for names in headers, cookies, URLs, forms, multipart bodies and JSON, and in these in one another. In all other
/// text it looks only for URLs, for names with a value in quotation marks or a random one, and for shapes.
struct SecretFinder {
  /// A secret in a text.
  ///
  /// A number of JSON stays one.
  typealias Finding = (range: Range<Int>, secret: Int, isNumber: Bool)

  /// What a text is.
  enum Kind {
    case text, url
    case body(type: String)
    case header(String)
    case value(String, SecretPlace)
  }

  let rules: SecretRules
  let patterns: [Pattern]
  let table: SecretTable
  /// Whether the texts belong to a request.
  var isInRequest = false
  /// How many texts of other kinds there are around the text that is searched.
  var depth = 0
  var isNumber = false
  private var findings: [Finding] = []
  private var names: [SecretPlace: [String: SecretName]] = [:]

  init(_ rules: SecretRules, _ patterns: [Pattern], _ table: SecretTable) {
    (self.rules, self.patterns, self.table) = (rules, patterns, table)
  }

  /// Returns the secrets of a text, with those that a shape or a pattern shows.
  mutating func findings(in text: UnsafeBufferPointer<UInt8>, _ kind: Kind) -> [Finding] {
    findings = []
    table.reserve(text)
    let whole = SecretText(text)
    switch kind {
    case .text: search(whole)
    case .url: searchURL(whole)
    case .body(let type): searchBody(whole, type)
    case .header(let name): searchHeader(whole, named: name)
    case .value(let name, let place): searchValue(whole, self.name(name, in: place))
    }
    whole.forEachLevel { level in
      for shape in rules.isStandard ? SecretShapes(text: level.bytes).findings : [] {
        found(level[shape.range], SecretReason(kind: .shape, rule: shape.name))
      }
      for pattern in patterns {
        for match in pattern.matches(in: Data(level.bytes)) {
          let reason = SecretReason(kind: .own, rule: "text(\(pattern.source))")
          add(level[match.range], .init(value: match.text, reason: reason, isAnywhere: true))
        }
      }
    }
    return findings
  }

  // MARK: Values

  private mutating func add(_ text: SecretText, _ secret: SecretTable.Secret) {
    guard !text.bytes.isEmpty, let number = table.add(secret) else { return }
    findings.append((text.origins(0..<text.bytes.count), number, isNumber))
  }

  private mutating func found(_ text: SecretText, _ reason: SecretReason, isBinary: Bool = false) {
    let value = text.string
    var secret = SecretTable.Secret(value: value, reason: reason, isBinary: isBinary)
    // A client can send back what a response contains.
    secret.isAnswered = !isInRequest && reason.kind != .carrier && value.utf8.count > 3 && !value.isWords
    // A cookie can be a setting such as a language.
    let isSetting = reason.rule.hasPrefix("cookie ") && !value.looksRandom(atLeast: 12) && !value.isUUID
    secret.isAnywhere = value.isUnmistakable && (!isSetting || value.tokenParts != nil)
    add(text, secret)
  }

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
  mutating func searchValue(_ text: SecretText, _ name: SecretName) {
    if text.bytes.isEmpty || decide(text, name) { return }
    searchReturned(text)
    if !isNumber { search(text) }
  }

  /// Adds a short value of a response that a client sends back as a whole.
  mutating func searchReturned(_ text: SecretText) {
    if isInRequest, text.bytes.count > 3, text.bytes.count < 64, let secret = table[text.string], secret.isAnswered {
      add(text, secret)
    }
  }

  /// Adds a value if what its name says makes it a secret. Returns whether that, or a rule that keeps it, decides about it.
  @discardableResult
  mutating func decide(_ text: SecretText, _ name: SecretName) -> Bool {
    guard name.kind != .none else { return false }
    let value = text.string
    let isDigits = value.utf8.allSatisfy(\.isDigit)
    if name.kind == .kept {
      table.keep(value)
      text.decoded(.escapes) { table.keep($0.string) }
      return true
    }
    let isCarrier = name.text.lowercased().hasSuffix("authorization")
    let hasScheme = isCarrier || ["bearer ", "basic "].contains(where: value.lowercased().hasPrefix)
    if hasScheme, searchCredentials(text, name.text) { return true }
    let isSecret =
      switch name.kind {
      case .own: true
      case .lenient: value != "true" && value != "false" && (isInRequest || !value.has(" "))
      // Digits are a count, a place or another number, unless the name is one of a number or they are many.
      case .strong where isDigits && (name.isPlural || !isInRequest):
        !name.isPlural && (name.isNumber ? name.lengths ~= value.utf8.count : value.utf8.count >= 12)
      case .strong where isInRequest:
        !value.isConstant && !value.isDate && !value.contains("://")
          && (value.utf8.count > 3 || name.isNumber || !isDigits)
      case .strong: value.couldBeCredential || table[value] != nil && !value.isConstant
      case .weak: value.looksRandom() && (isInRequest || !isCarrier)
      case .none, .kept: false
      }
    let isNumeric = name.kind == .own || name.isNumber && 3...10 ~= value.utf8.count && isDigits
    guard isSecret, !isNumber || isNumeric else { return false }
    found(text, name.reason, isBinary: name.isBinary)
    return true
  }

  // MARK: Headers

  private mutating func searchHeader(_ text: SecretText, named name: String) {
    switch name.lowercased() {
    case "cookie": searchCookies(text.pieces(at: .semicolon))
    // Foundation joins the fields with commas.
    case "set-cookie": searchCookies(text.pieces(at: .comma).map { $0.pieces(at: .semicolon)[0] })
    case "location", "referer", "content-location": searchURL(text)
    case let name where !isInRequest && Self.isPublic(name):
      let name = self.name(name, in: .header)
      if name.kind == .own || name.kind == .kept { decide(text, name) }
    default: searchValue(text, self.name(name, in: .header))
    }
  }

  /// Whether a header of a response is public: it pins public keys, hashes content, says where reports go, how a connection or
  /// a cache works and what a client may ask, or traces a request. Only a known shape or a rule of the user's own counts there.
  private static func isPublic(_ name: String) -> Bool {
    let families = ["access-control-", "content-security-policy", "public-key-pins", "x-ratelimit-"]
    return publicHeaders.contains(name) || families.contains(where: name.hasPrefix)
  }

  private static let publicHeaders = Set(
    SecretName.names(
      "accept-ch age allow alt-svc cache-control cf-ray clear-site-data content-digest content-md5 date digest")
      + SecretName.names(
        "etag expect-ct expires last-modified nel permissions-policy proxy-authenticate repr-digest report-to")
      + SecretName.names(
        "reporting-endpoints retry-after sec-websocket-accept server server-timing traceparent tracestate via")
      + SecretName.names("strict-transport-security vary www-authenticate x-amz-cf-id x-amz-id-2 x-amz-request-id")
      + SecretName.names("x-amzn-trace-id x-goog-hash x-request-id"))

  private mutating func searchCookies(_ cookies: [SecretText]) {
    for (name, value) in cookies.compactMap(\.pair) {
      let (text, name) = (value.trimmed, name.trimmed.string)
      guard !decide(text, self.name(name, in: .cookie)) else { continue }
      searchValue(
        text, rules.isStandard ? SecretName(.lenient, name, .carrier, "cookie \(name)") : SecretName(.none))
    }
  }

  /// Searches the credentials after a scheme (RFC 9110, section 11.4).
  private mutating func searchCredentials(_ text: SecretText, _ name: String) -> Bool {
    guard let space = text.bytes.firstIndex(of: 0x20), 1...24 ~= space, !text.bytes[0].isDigit,
      text.bytes[..<space].allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "-") })
    else { return false }
    let rest = text[space...].trimmed
    guard !rest.bytes.isEmpty, isInRequest || rest.string.couldBeCredential else { return false }
    let reason = SecretReason(kind: .carrier, rule: "credentials", name: name)
    if text.string.lowercased().hasPrefix("basic"), let data = Data(base64OfAnyKind: rest.string),
      let password = String(validUTF8: data)?.cut(at: ":").map({ String($0.after) }), password.isUnmistakable
    {
      // The password is found elsewhere, and inside of what is replaced here.
      _ = table.add(.init(value: password, reason: reason, isAnywhere: true))
    }
    found(rest, reason)
    return true
  }

  // MARK: URLs and forms

  /// Searches user information, query and fragment of a URL, and the parameters and segments of its path.
  mutating func searchURL(_ text: SecretText) {
    let parts = text.pieces(at: .queries)
    let segments = parts[0].pieces(at: .slash)
    if rules.isStandard, segments.count > 2, segments[1].bytes.isEmpty,
      let at = segments[2].bytes.lastIndex(of: UInt8(ascii: "@"))
    {
      let reason = "user information of a URL"
      let colon = segments[2].bytes[..<at].firstIndex(of: UInt8(ascii: ":")) ?? at
      for (part, kind) in [(0..<colon, SecretName.Kind.weak), (min(colon + 1, at)..<at, .strong)] {
        segments[2][part].decoded(.inURL) { _ = decide($0, SecretName(kind, "", .carrier, reason)) }
      }
    }
    for segment in segments {
      let parts = segment.pieces(at: .semicolon)
      if isInRequest { parts[0].decoded(.inURL) { searchReturned($0) } }
      for parameter in parts.dropFirst() { searchItems(parameter, .query) }
    }
    for items in parts.dropFirst() { searchItems(items, .query) }
  }

  /// Searches items between `&` or `;`.
  mutating func searchItems(_ text: SecretText, _ place: SecretPlace) {
    let escapes = place == .form ? ByteSet.inForm : .inURL
    let pairs = text.pieces(at: .items).compactMap(\.pair).map { ($0.decoded(escapes) { $0.string }, $1) }
    var neighbours = Neighbours()
    for (name, value) in pairs { if let role = Self.roles[name] { neighbours[role] = value } }
    search(neighbours, place, escapes)
    for (name, value) in pairs { value.decoded(escapes) { searchValue($0, self.name(name, in: place)) } }
  }

  /// The values of a list whose names say something about one another.
  typealias Neighbours = [Role: SecretText]
  enum Role { case name, value, code, grant, companion }

  /// The names of a pair such as `"name": "a", "value": "b"`, and those of OAuth (RFC 6749, RFC 9207).
  static let roles: [String: Role] = [
    (.name, "name key field header param parameter k property"), (.value, "value v val content string"),
    (.code, "code"), (.grant, "grant_type grantType"), (.companion, "state iss session_state sessionState scope"),
  ].reduce(into: [:]) { (roles, list: (Role, String)) in
    for name in list.1.pieces(at: " ").map(String.init) {
      for form in [name, name.capitalized, name.uppercased()] { roles[form] = list.0 }
    }
  }

  mutating func search(_ neighbours: Neighbours, _ place: SecretPlace, _ escapes: ByteSet) {
    // OAuth's code is in a request for a token, and with its state in a redirect and where that leads.
    if rules.isStandard, let code = neighbours[.code],
      neighbours[.grant] != nil || place == .query && neighbours[.companion] != nil
    {
      code.decoded(escapes) { code in
        let isCode = code.bytes.count >= 8 && code.string.couldBeCredential && name("code", in: place).kind != .kept
        if isCode { found(code, SecretReason(kind: .oauth, rule: "OAuth's code")) }
      }
    }
    if place == .json || place == .other, let name = neighbours[.name], let value = neighbours[.value] {
      value.decoded(escapes) { _ = decide($0, self.name(name.string, in: place)) }
    }
  }
}
