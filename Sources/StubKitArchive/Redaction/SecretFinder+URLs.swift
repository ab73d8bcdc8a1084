import Foundation
import StubKit

extension SecretFinder {
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
      // Few segments look like a token.
      let isToken = rules.isStandard && (segment.string.isMixed || segment.string.looksRandom())
      if isToken, isLink(segments, place, context) {
        decide(segment, SecretName(.weak, "", .name, "token of a path"), context)
      }
      if context.isInRequest { parts[0].decoded(.inURL) { searchReturned($0, context) } }
      if context.isInRequest, place > 2 { parts[0].decoded(.inURL) { noteRandom($0, "path", context) } }
      for parameter in parts.dropFirst() { searchItems(parameter, .query, context) }
    }
    if rules.isStandard, context.depth > 0 { searchEnd(of: segments, context) }
    for items in parts.dropFirst() { searchItems(items, .query, context) }
  }

  /// Whether a segment ends a link that only its receiver knows, by what is before it or by the link's name.
  private func isLink(_ segments: [SecretText], _ place: Int, _ context: Context) -> Bool {
    let isLast = segments[(place + 1)...].allSatisfy(\.bytes.isEmpty)
    if context.isCallback, place > 2, isLast { return true }
    guard place > 3 else { return false }
    let before = segments[place - 1].string
    if ["flow", "login", "log_in"].contains(before) || before.isOfLink { return true }
    return isLast && place > 4 && segments[place - 2].string.isOfLink
      && !segments[place].string.consists(of: .hexadecimal)
  }

  /// Searches the last segment of an address in a body: of a link that a person follows, and of where a stream goes.
  private mutating func searchEnd(of segments: [SecretText], _ context: Context) {
    guard segments.count > 3, !context.isPicture, let last = segments.last?.string else { return }
    let isOfProgram =
      !segments[0].bytes.has("http", at: 0) || segments[2].bytes.has("api.", at: 0)
      || segments.contains { Self.programs.contains($0.string) }
    let isStream = segments.count > 4 && segments[0].bytes.has("rtmp", at: 0) && !last.isWords
    guard isStream || !isOfProgram && last.isTokenOfLink else { return }
    var context = context
    context.isTokenOfURL = true
    found(segments[segments.count - 1], SecretReason(kind: .name, rule: "end of a link"), context)
  }

  /// Segments of an address that a program calls.
  private static let programs = SecretName.names("api rest v1 v2 v3 v4 schemas")

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

  /// The values of a list whose names say something about one another.
  typealias Siblings = [Role: SecretText]
  enum Role { case name, value, code, grant, companion, password, type, keyID, user, phrase, card, cardCheck }

  /// The names of a pair such as `"name": "a", "value": "b"`, and those of OAuth (RFC 6749, RFC 9207).
  static let roles: [String: Role] = [
    (.name, "name key field header param parameter k property label"), (.value, "value v val content string"),
    (.code, "code"), (.grant, "grant_type grantType redirect_uri redirectUri"),
    (.companion, "state iss session_state sessionState scope"),
    (.password, "password passwd pwd pass email phone phoneNumber phone_number To sessionInfo"), (.type, "type"),
    (.keyID, "keyid key_id keyId kid key_identifier"),
    (
      .user, "user username user_name userName login uname usuario utilisateur identifiant benutzer benutzername utente"
    ),
    (.user, "usuário usuario_id gebruiker gebruikersnaam käyttäjä tunnus bruker användare brukernavn логин"),
    (.user, "kullaniciAdi kullanici kullanıcı"),
    (.card, "number numero card[number]"), (.cardCheck, "cvc cvv card[cvc] card[cvv]"),
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
    if rules.isStandard, name("code", in: place).kind != .kept, let code = siblings[.code] {
      let isFactor = context.isInRequest && siblings[.password] != nil
      let isOfOAuth = isFactor || siblings[.grant] != nil || place == .query && siblings[.companion] != nil
      code.decoded(escapes) { code in
        let digits = code.string.utf8.count(where: \.isDigit)
        let isNumber = code.bytes.firstIndex(notIn: .code) == code.bytes.count
        let isLong = isFactor || place == .json ? 4...8 ~= digits : digits == 6
        if isNumber && context.isInRequest && isLong {
          found(code, SecretReason(kind: .oauth, rule: "second factor"), context)
        } else if isOfOAuth && code.bytes.count >= 8 && code.string.couldBeCredential {
          found(code, SecretReason(kind: .oauth, rule: "OAuth's code"), context)
        }
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
    // A bridge of lamps makes the name of its user itself, and who knows it needs nothing else.
    if rules.isStandard, let user = siblings[.user], user.bytes.count >= 32, user.string.isTokenOfLink {
      found(user, SecretReason(kind: .name, rule: "random user"), context)
    }
    if rules.isStandard, siblings[.cardCheck] != nil, let number = siblings[.card], number.bytes.count > 12 {
      found(number, SecretReason(kind: .name, rule: "number of a card"), context)
    }
    // A value is what the name or the type beside it says.
    for name in [siblings[.name], siblings[.type]] where place != .query {
      guard let name, let value = siblings[.value] else { continue }
      value.decoded(escapes) { _ = decide($0, self.name(name.string, in: place), context) }
    }
  }
}

extension String {
  /// Whether a link has its token after this segment, in which a word begins so.
  fileprivate var isOfLink: Bool { words.contains { word in Self.links.contains(where: word.hasPrefix) } }

  private static let links = SecretName.names(
    """
    magic invit reset verif confirm activ unsubscribe webhook hook token ticket reinitialis restablec cancel join share
    ical feed calendar
    """)
}
