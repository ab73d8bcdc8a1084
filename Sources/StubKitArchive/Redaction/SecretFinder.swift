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
    /// Whether it is the `token` of a URL, which can be the identifier of an order.
    fileprivate(set) var isTokenOfURL = false

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
    case .body(let type): searchBody(whole, type, context)
    case .header(let name): searchHeader(whole, named: name, context)
    case .value(let name, .cookie): searchCookie(whole, named: name, context)
    case .value(let name, let place): searchValue(whole, self.name(name, in: place), context)
    }
    searchBeside(whole, context)
    searchShapes(whole, context)
    return findings
  }

  /// Adds what shapes and patterns show.
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

  // MARK: Values

  private mutating func add(_ text: SecretText, _ secret: SecretTable.Secret, _ context: Context) {
    guard !text.bytes.isEmpty, !context.placeholders.isWhole(secret.value),
      !context.isFilled || !Placeholders.byLook.occur(in: secret.value)
    else { return }
    findings.append((text.origins(0..<text.bytes.count), table.add(secret), context.isNumber))
  }

  private mutating func found(_ text: SecretText, _ reason: SecretReason, _ context: Context, isBinary: Bool = false) {
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
    inner.isCallback = !Self.callbacks.isDisjoint(with: name.text.words)
    search(text, inner)
    searchEncoded(text, context)
  }

  /// Words of the names of addresses that a server calls.
  private static let callbacks = Set(
    SecretName.names("hook cloudhook webhook callback call target notify endpoint push"))

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
      if secret.isAnswered && value.utf8.count < 64 || context.isCopy && !value.isWords { add(text, secret, context) }
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
          && !(name.text.lowercased().hasSuffix("pin") && [3, 5, 6].contains(value.utf8.count))
      case .strong where context.isInRequest:
        !value.isConstant && !value.isDate && (name.isToken || !value.isVersion)
          && (value.utf8.count > 3 || name.isNumber || !isDigits)
      case .strong where name.isToken:
        value.couldBeToken && value.comparableName != name.text.comparableName
          || table[value] != nil && !value.isConstant
      case .strong:
        value.couldBeCredential || value.isPassphrase || table[value] != nil && !value.isConstant
          || name.isPassword && value.couldBePassword && (name.isVariable || value.contains(anyOf: .inPassword))
      case .weak:
        value.hasRandomPart() && value.couldBeCredential && (context.isInRequest || !isCarrier)
          || name.isOfSession && value.isUUID
      case .none, .kept: false
      }
    let isNumeric =
      name.kind == .own || (name.isNumber || name.isToken) && 3...19 ~= value.utf8.count && isDigits
    guard isSecret, !context.isNumber || isNumeric else { return false }
    found(text, name.reason, context, isBinary: name.isBinary)
    return true
  }

  // MARK: Headers

  private mutating func searchHeader(_ text: SecretText, named name: String, _ context: Context) {
    switch name.lowercased() {
    case "cookie": for cookie in text.pieces(at: .semicolon) { searchCookie(cookie, context) }
    case "set-cookie":
      let joined = text.string
      for cookie in ResponseHeaders.cookies(joined: joined) {
        let start = joined.utf8.distance(from: joined.startIndex, to: cookie.startIndex)
        searchCookie(text[start..<start + cookie.utf8.count].pieces(at: .semicolon)[0], context)
      }
    case "location", "referer", "content-location": searchLink(text, context)
    case let name where !context.isInRequest && Self.isPublic(name):
      let name = self.name(name, in: .header)
      if name.kind == .own || name.kind == .kept { decide(text, name, context) }
    default:
      let secret = self.name(name, in: .header)
      let isUnknown = context.isInRequest && rules.isStandard && secret.kind == .none && !secret.isOrdinary
      let value = text.string
      let isRandom = value.looksRandom() && Set(value.utf8).count > 6 && value.decodedFromBase64 == nil
      if isUnknown, isRandom, !name.isOfPublicHeader {
        found(text, SecretReason(kind: .name, rule: "random value of header \(name)", name: name), context)
      } else {
        searchValue(text, secret, context)
      }
    }
  }

  /// Whether a header of a response is public: it pins public keys, hashes content, says where reports go, how a
  /// connection or a cache works and what a client may ask, or traces a request. Only a known shape or a rule of the
  /// user's own counts there.
  private static func isPublic(_ name: String) -> Bool {
    let families = ["access-control-", "content-security-policy", "public-key-pins", "x-ratelimit-"]
    return publicHeaders.contains(name) || families.contains(where: name.hasPrefix)
  }

  private static let publicHeaders = Set(
    SecretName.names(
      """
      accept-ch age allow alt-svc cache-control cf-ray clear-site-data content-digest content-md5 date digest etag
      expect-ct expires last-modified nel permissions-policy proxy-authenticate repr-digest report-to
      reporting-endpoints retry-after sec-websocket-accept server server-timing traceparent tracestate via
      strict-transport-security vary www-authenticate x-amz-cf-id x-amz-id-2 x-amz-request-id x-amzn-trace-id
      x-goog-hash x-request-id
      """))

  private mutating func searchCookie(_ cookie: SecretText, _ context: Context) {
    if let (name, value) = cookie.pair { searchCookie(value.trimmed, named: name.trimmed.string, context) }
  }

  private mutating func searchCookie(_ value: SecretText, named name: String, _ context: Context) {
    guard !decide(value, self.name(name, in: .cookie), context) else { return noteParts(value) }
    let isSetting = name.words.last.map(Self.settings.contains) ?? false
    let isPublic = isSetting || Self.publicCookies.contains { name.lowercased().hasPrefix($0) }
    if !isPublic { noteParts(value) }
    let cookie = SecretName(rules.isStandard && !isPublic ? .lenient : .none, name, .carrier, "cookie \(name)")
    searchValue(value, cookie, context)
  }

  private func noteParts(_ value: SecretText) {
    for part in rules.isStandard ? value.pieces(at: .partsOfCookie).map(\.string) : [] where part.looksRandom() {
      table.notePart(part)
    }
  }

  /// The last words of cookies that keep a choice.
  private static let settings = SecretName.names(
    "locale localization lang language theme currency consent country timezone")
  /// How cookies begin that count visits or keep a consent: those of Google, Meta, Microsoft, Hotjar, Matomo, Segment
  /// and OneTrust.
  private static let publicCookies = SecretName.names(
    "_ga _gid _gat _gcl_ _fbp _fbc _clck _clsk _uet _hj _pk_ ajs_ cookieconsent optanon __utm traceid cloudfront-key-pair-id"
  )

  /// Searches the credentials after a scheme (RFC 9110, section 11.4).
  private mutating func searchCredentials(_ text: SecretText, _ name: String, _ context: Context) -> Bool {
    guard let space = text.bytes.firstIndex(of: 0x20), 1...24 ~= space, !text.bytes[0].isDigit,
      text.bytes[..<space].allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "-") })
    else { return false }
    let rest = text[space...].trimmed
    guard !rest.bytes.isEmpty, context.isInRequest || rest.string.couldBeCredential else { return false }
    let reason = SecretReason(kind: .carrier, rule: "credentials", name: name)
    if text.string.lowercased().hasPrefix("basic"), let data = Data(base64OfAnyKind: rest.string),
      let password = String(validUTF8: data)?.cut(at: ":").map({ String($0.after) }), password.isUnmistakable
    {
      // The password is found elsewhere, and inside of what is replaced here.
      _ = table.add(.init(value: password, reason: reason, isAnywhere: true))
    }
    found(rest, reason, context)
    return true
  }

  /// What stands alone where the value is missing.
  private static let schemes = SecretName.names("basic bearer digest negotiate ntlm token apikey oauth dpop hawk")

  // MARK: URLs and forms

  /// Searches a URL, and a link in it.
  mutating func searchLink(_ text: SecretText, _ context: Context) {
    searchURL(text, context)
    text.decoded(.inURL) { if $0.bytes.count < text.bytes.count { search($0, context) } }
  }

  /// Searches user information, query and fragment of a URL, and the parameters and segments of its path.
  mutating func searchURL(_ text: SecretText, _ context: Context) {
    let parts = text.pieces(at: .queries)
    let segments = parts[0].pieces(at: .slash)
    if rules.isStandard, segments.count > 2, segments[1].bytes.isEmpty,
      let at = segments[2].bytes.lastIndex(of: UInt8(ascii: "@"))
    {
      let colon = segments[2].bytes[..<at].firstIndex(of: UInt8(ascii: ":")) ?? at
      for (part, kind) in [(0..<colon, SecretName.Kind.weak), (min(colon + 1, at)..<at, .strong)] {
        segments[2][part].decoded(.inURL) {
          _ = decide($0, SecretName(kind, "", .carrier, "user information"), context)
        }
      }
    }
    for (place, segment) in segments.enumerated() {
      let parts = segment.pieces(at: .semicolon)
      // A link that only its receiver knows.
      let isCalled = context.isCallback && place == segments.count - 1
      let isLink = rules.isStandard && place > 2 && (isCalled || Self.links.contains(segments[place - 1].string))
      if isLink, segment.string.isMixed || segment.string.looksRandom() {
        decide(segment, SecretName(.weak, "", .name, "token of a path"), context)
      }
      if context.isInRequest { parts[0].decoded(.inURL) { searchReturned($0, context) } }
      if context.isInRequest, place > 2 { parts[0].decoded(.inURL) { noteRandom($0, "path", context) } }
      for parameter in parts.dropFirst() { searchItems(parameter, .query, context) }
      // A session of ASP.NET.
      if rules.isStandard, segment.bytes.has("(S(", at: 0), segment.bytes.count > 20 {
        let session = SecretName(.strong, "", .name, "session of a path")
        _ = decide(segment[3..<segment.bytes.firstIndex(notIn: .alphanumeric, from: 3)], session, context)
      }
    }
    for items in parts.dropFirst() { searchItems(items, .query, context) }
  }

  /// Searches items between `&` or `;`.
  mutating func searchItems(_ text: SecretText, _ place: SecretPlace, _ context: Context) {
    let escapes = place == .form ? ByteSet.inForm : .inURL
    let pairs = text.pieces(at: .items).compactMap(\.pair).map { ($0.decoded(escapes) { $0.string }, $1) }
    var siblings = Siblings()
    for (name, value) in pairs { if let role = Self.roles[name] { siblings[role] = value } }
    search(siblings, place, escapes, context)
    for (name, value) in pairs {
      var context = context
      context.isTokenOfURL = place == .query && name == "token"
      value.decoded(escapes) { searchValue($0, self.name(name, in: place), context) }
    }
  }

  /// The segments of a path after which a link has its token.
  private static let links = SecretName.names(
    "magic invite invitation reset verify confirm activate unsubscribe webhook hook hooks token tokens ticket flow"
      + " ical feed calendars")

  /// The values of a list whose names say something about one another.
  typealias Siblings = [Role: SecretText]
  enum Role { case name, value, code, grant, companion, password, type, keyID, user, phrase }

  /// The names of a pair such as `"name": "a", "value": "b"`, and those of OAuth (RFC 6749, RFC 9207).
  static let roles: [String: Role] = [
    (.name, "name key field header param parameter k property label"), (.value, "value v val content string"),
    (.code, "code"), (.grant, "grant_type grantType"), (.companion, "state iss session_state sessionState scope"),
    (.password, "password passwd pwd pass email phone phoneNumber phone_number To sessionInfo"), (.type, "type"),
    (.keyID, "keyid key_id keyId kid key_identifier"),
    (
      .user, "user username user_name userName login uname usuario utilisateur identifiant benutzer benutzername utente"
    ),
    (.user, "usuário usuario_id gebruiker gebruikersnaam käyttäjä tunnus bruker användare brukernavn логин"),
    (.user, "kullaniciAdi kullanici kullanıcı"),
    (.phrase, "clave chave parola parole codice sandi geheimnis secreto segredo segreto code_secret"),
  ].reduce(into: [:]) { (roles, list: (Role, String)) in
    for name in list.1.pieces(at: " ").map(String.init) {
      for form in [name, name.capitalized, name.uppercased()] { roles[form] = list.0 }
    }
  }

  mutating func search(
    _ siblings: Siblings, _ place: SecretPlace, _ escapes: ByteSet, _ context: Context
  ) {
    // OAuth's code is in a request for a token, and with its state in a redirect and where that leads. The code beside
    // a password is the second factor, and so are six digits in a request.
    let isFactor = context.isInRequest && siblings[.password] != nil
    if rules.isStandard, name("code", in: place).kind != .kept, let code = siblings[.code],
      context.isInRequest || siblings[.grant] != nil || place == .query && siblings[.companion] != nil
    {
      code.decoded(escapes) { code in
        let digits = code.string.utf8.count(where: \.isDigit)
        let isNumber = code.bytes.firstIndex(notIn: .code) == code.bytes.count && (isFactor ? 4...8 : 6...6) ~= digits
        guard isNumber || code.bytes.count >= 8 && code.string.couldBeCredential else { return }
        found(code, SecretReason(kind: .oauth, rule: isNumber ? "second factor" : "OAuth's code"), context)
      }
    }
    // An everyday word of another language is a password beside the name of a user.
    if rules.isStandard, context.isInRequest, let phrase = siblings[.phrase], place == .json || place == .form,
      siblings[.user] ?? siblings[.password] != nil
    {
      phrase.decoded(escapes) {
        if !$0.string.isConstant { found($0, SecretReason(kind: .name, rule: "password beside a user"), context) }
      }
    }
    // A value is what the name or the type beside it says.
    for name in [siblings[.name], siblings[.type]] where place == .json || place == .other {
      guard let name, let value = siblings[.value] else { continue }
      value.decoded(escapes) { _ = decide($0, self.name(name.string, in: place), context) }
    }
  }
}

extension String {
  /// Whether the text is a name or a key that is public: of a resource of AWS, or of a server that sends push messages.
  fileprivate var isPublic: Bool { hasPrefix("arn:aws") || isPublicKey }

  /// Whether the header of this name in a request traces it, describes its content or its target, or tells who sends
  /// it.
  fileprivate var isOfPublicHeader: Bool {
    let words = words
    if ["accept", "content", "sec", "if"].contains(words.first) || lowercased() == "x-client-data" { return true }
    let isPublic = words.contains { $0.hasPrefix("trace") || Self.publicWords.contains($0) }
    return isPublic || words.last.map { $0 == "client" || $0.hasSuffix("id") } ?? false
  }

  private static let publicWords = Set(
    SecretName.names(
      """
      span baggage newrelic request correlation transaction digest hash sha sha1 sha256 md5 checksum etag match target
      agent date timestamp time version range cursor device installation identifier idempotency host authority path
      origin referer language locale encoding boundary build commit revision release tenant account org organization
      project workspace user customer shop store site team fingerprint topic operation lock destination model type name
      """))
}

extension UnsafeBufferPointer<UInt8> {
  /// Where a date as a segment, and what follows it, begins: the scope of a credential (AWS, Google).
  fileprivate var startOfScope: Int? {
    guard let slash = firstIndex(of: UInt8(ascii: "/"), from: 1), slash + 9 < count else { return nil }
    let end = firstIndex(notIn: .digit, from: slash + 1)
    return end == slash + 9 && self[end] == UInt8(ascii: "/") ? slash : nil
  }
}
