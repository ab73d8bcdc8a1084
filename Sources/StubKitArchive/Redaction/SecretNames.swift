import Foundation
import StubKit

/// What a name says about its value.
struct SecretName: Sendable {
  enum Kind: Sendable {
    case none
    /// A rule keeps the value.
    case kept
    /// The value is secret if it looks random.
    case weak
    /// The value is secret if it could be a credential.
    case strong
    /// The value is secret unless it is a Boolean value or a sentence. Cookies and OAuth's codes can be words.
    case lenient
    /// A rule of the user names it, so every value is secret, and all strings below it.
    case own
  }

  var kind: Kind
  var text = ""
  var reasonKind: SecretReason.Kind
  private let rule: String?
  var reason: SecretReason { SecretReason(kind: reasonKind, rule: rule ?? "name \"\(text)\"", name: text) }
  /// Whether the name is that of a token itself, such as `access_token` or `api_key`, so that its value is one.
  var isToken = false
  /// Whether the name ends like that of a secret, and is known to be that of something else.
  var isOrdinary = false
  /// Whether a number can be the secret, as for `pin`.
  var isNumber = false
  /// Whether the name is a plural, as that of a count.
  var isPlural = false
  /// Whether the value can be a UUID, because the name is that of a session.
  var isOfSession = false
  /// Whether people choose the value, so that it can be a number or words.
  var isPassword = false
  /// Whether clients decode the value, as for `signature`.
  var isBinary = false

  init(_ kind: Kind, _ text: String = "", _ reason: SecretReason.Kind = .name, _ rule: String? = nil) {
    self.kind = kind
    self.text = text
    self.reasonKind = reason
    self.rule = rule
  }

  /// Returns what the standard table says of a name.
  init(standard name: String, in place: SecretPlace, _ text: String) {
    self.init(.none, text)
    var words = name.plain.words
    let all = words
    while words.count > 1, let last = words.last, Self.qualifiers.contains(last), words[0] != "pin" {
      words.removeLast()
    }
    guard var last = words.popLast() else { return }
    let written = last
    isPlural = last.count > 3 && last.hasSuffix("s") && !last.hasSuffix("ss")
    if isPlural { last.removeLast() }
    while last.count > 3, last.last?.isNumber == true { last.removeLast() }
    let whole = words.joined() + last
    let isCode = Self.isOfCode(whole, words + [last])
    isNumber =
      Self.numbers.contains(last) || isCode || Self.weakCodes.contains(whole)
      || whole == "code" && all.contains { $0.hasPrefix("confirm") }
    // In the languages of the south and the east, the word for a password or a key comes first.
    // A short word is only one by itself.
    let glued = words.joined() + written
    func isIn(_ table: [String]) -> Bool {
      table.contains {
        all.contains($0) || $0.utf8.count > 5 && (glued.hasSuffix($0) || glued.hasPrefix($0))
      }
    }
    let isForeign = isIn(Self.foreign)
    isPassword = isForeign || Self.passwords.contains(where: whole.hasSuffix)
    isBinary = ["signature", "sig", "key", "hash", "hmac", "mac"].contains(last)
    let isHeader = place == .header
    // A `firebase_token` is no `base_token`. In a name of one word, nobody knows where the last one begins.
    isOrdinary =
      words.isEmpty
      ? Self.ordinary.contains(where: whole.hasSuffix)
      : words.indices.contains { Self.ordinary.contains(words[$0...].joined() + last) }
        || last == "token" && ["from", "to", "sell", "buy", "in", "out"].contains(words[words.count - 1])
    if isOrdinary, !isHeader || !["requesttoken", "clienttoken"].contains(whole) { return }
    isToken = Self.tokens.contains(whole) && !isPlural
    isOfSession =
      ["sid", "session", "sessionid", "secretid"].contains(whole) || last == "session"
      || place == .query && whole == "ticket"
    let isStrong =
      Self.words.contains(last) || Self.words.contains(written) || isCode
      || Self.endings.contains(where: whole.hasSuffix) || isForeign
      || isHeader && (["authorization", "auth"].contains(last) || last == "key" && whole.utf8.count > 4)
    let weakName = whole.hasPrefix("x") && isHeader ? String(whole.dropFirst()) : whole
    // The `app_id` of an app is public, and the `appid` of a weather service is a key.
    let isWeak =
      Self.weak.contains(weakName) && (whole != "appid" || words.isEmpty) || Self.weakWords.contains(last)
      || isIn(Self.foreignKeys)
      || last == "key" && (last != whole || isPlural)
      || all[0] == "token" && !last.hasSuffix("id") && !["hash", "name", "address"].contains(last)
      || place == .json && whole == "code"
      || isHeader && last == "sign" || [.query, .form].contains(place) && Self.weakItems.contains(whole)
    kind =
      if Self.lenient.contains(whole) { .lenient } else if isStrong { .strong } else if isWeak { .weak } else { .none }
  }

  /// The words of a text, each with the same ending.
  static func names(_ text: String, ending: String = "") -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { $0 + ending }
  }

  /// Whether the name is that of a variable of an environment, such as `MAILER_PW`.
  var isVariable: Bool { text.has("_") && text.utf8.allSatisfy { !$0.isLowercase } }

  /// How many digits a value in a response has at least. A token of digits alone is shorter than a number of another
  /// kind could be.
  ///
  /// - Parameter isNumber: Whether the value is a number of JSON.
  func fewestDigits(isNumber: Bool) -> Int {
    if self.isNumber { return 3 }
    if isToken { return 6 }
    guard !isNumber else { return 12 }
    if isPassword { return 4 }
    return text.comparableName == "token" ? 8 : 12
  }

  // The sources are the key words of gitleaks, trufflehog and detect-secrets, and IANA's registries of OAuth parameters
  // and of HTTP field names.

  static let all =
    words + endings + weak + weakWords + weakItems + lenient + numbers + passwords + codes + foreign + foreignKeys
    + names("authorization key sign token")

  /// Words after the name that say how the value is written.
  private static let qualifiers = Set(
    names(
      """
      value string plain plaintext text encoded encrypted base64 hash hashed confirm confirmation confirmed again repeat
      new old current attempt field input ed25519 sha1 sha256 sha512 256 512 v1 v2 1 2 pem data hex b64 raw words base
      """))
  /// Last words of names whose value can be a number.
  private static let numbers = names("pin otp totp cvv cvc cvv2 cv2 cvc2 cvn csc cryptogramme tan puk spin passcode")

  /// Whether the name is that of a code that opens or proves something, such as `doorCode` or `codigo_sms`: a word for
  /// a code, first or last, and one that says what it is for.
  private static func isOfCode(_ name: String, _ words: [String]) -> Bool {
    guard let code = codes.first(where: { name.hasSuffix($0) || name.hasPrefix($0) }) else { return false }
    let rest = name.hasSuffix(code) ? name.dropLast(code.count) : name.dropFirst(code.count)
    guard !rest.isEmpty, !words.contains(where: otherCodes.contains) else { return false }
    return ([String(rest)] + words).contains { word in
      purposes.contains { word == $0 || $0.utf8.count > 4 && word.hasPrefix($0) }
    }
  }

  /// What a code can be instead.
  static let otherCodes = names("error status exit response result reason type http country postal zip area product")
  private static let codes = names("code codigo codice kod kode koodi kodu cod コード 码 碼 번호")
  /// Words and beginnings of words of five letters or more.
  private static let purposes = names(
    """
    verif validat securi secret access login auth token backup recover session onetime sms mfa otp totp 2fa
    twofactor pin door gate lock lockbox keybox unlock safe alarm entry binding claim pickup enterthe pair pairing reset
    invit activ dispositiv entreg consegn cles master blik
    bestatig bestaetig sicherheit zugang einmal freischalt abhol toegang herstel bevestig afhaal
    segur recup acceso acesso puerta porta firma validac segret sicurez ritiro acces porte retrait confidentiel
    engang grind kerta vahvist weryfik logowan jednoraz odbior overovac potvrz dogrula giris onay kapi
    認証 確認 验证 驗證 인증
    """)
  private static let lenient = names("devicecode usercode codeverifier oauthverifier authreqid")
  /// Endings of names whose values people choose.
  private static let passwords = names("password passwd passphrase pwd pass pw psk identifiedby")
  /// Passwords in other languages, without diacritics: words that mean nothing else.
  private static let foreign = names(
    """
    passwort kennwort contrasena contrasenya motdepasse mdp senha wachtwoord hasło haslo losenord adgangskode passord
    salasana heslo jelszo lozinka geslo slaptazodis parool sifre katasandi matkhau parolachiave palavrapasse claveacceso
    eskiparola yeniparola parolasi sifresi parol mima clavedeacceso chaveacesso chavedeacesso пароль 密码 密碼 パスワード 비밀번호
    รหัสผ่าน סיסמה
    """
  )
  .map(\.plain)
  /// Keys, tokens, secrets and signatures in other languages. The words mean other things, too.
  private static let foreignKeys = names(
    """
    schlussel schluessel geheimnis geheim sleutel nyckel nøkkel nokkel nøgle avain anahtar anahtari anahtarı kulcs klucz
    klic kluc kljuc ključ klyuch lingpai cle clef raktas voti cheie chave clave llave chiave jeton jetonu zeton
    hemlighet hemmelighet segredo segreto secreto sekret tajemstvi unterschrift podpis imza assinatura handtekening
    firma signatur ключ токен секрет トークン シークレット 令牌 密钥 密鑰 토큰 키 비밀키
    """
  )
  .map(\.plain)
  /// Whole names of tokens and keys.
  private static let tokens = Set(
    names("access refresh id auth session bearer api oauth security authentication private", ending: "token")
      + names("api apisecret secret secretaccess privateapi", ending: "key")
      + names("client consumer app api", ending: "secret"))
  /// Last words.
  private static let words = names(
    """
    pin otp totp tan cvv cvc cvv2 cv2 cvc2 cvn csc cryptogramme 暗証番号 puk spin pepper jwt pwd pw pass sig csrf xsrf
    assertion creds cred psk rpt dpop mpin hdnea hdnts mnemonic pan
    """)
  /// Endings of the whole name without what separates its words.
  private static let endings =
    names(
      """
      token secret password passwd passphrase passcode credential signature sessionid sessid accesskeyid secretorkey
      sesskey cookie samlresponse tokenhint tokenbinding honeycombteam seedphrase recoveryphrase secretproof
      authorizationfingerprint identifiedby deletehash securityanswer secretanswer sicherheitsantwort reponsesecrete
      respuestasecreta respostasecreta rispostasegreta scaauthentication cardnumber ccnumber
      """)
    + names(
      """
      api app application access secret private priv master session signing sign signature encryption encrypt shared
      account subscription auth authentication authorization hmac aes stream integration write admin service server
      client consumer license ssh ingest ingestion anon deploy webhook security storage merchant token user rapidapi
      cron partner function project publishing host db database vault identity licence activation enrollment gateway
      cipher instrumentation cookie unseal root
      """, ending: "key")
  /// Whole names of values that are often something else. An authorization without a scheme is often that of a payment.
  private static let weak =
    names(
      """
      authorization bearer sessioninfo access refresh loginhash otac nonce appid grecaptcharesponse hcaptcharesponse
      cfturnstileresponse tempauth artapi sessid secretid requesttoken sessiondata accessor loginreturn
      accesslicensenumber rlkey webhookid unsealshare qrpayload
      """)
    + weakCodes
  private static let weakCodes = names("oob confirmation transfer authorization", ending: "code")
  /// Last words of such names.
  private static let weakWords = names(
    """
    sid auth session ticket sign hmac mac seed crumb modhash sitzung sesion sessao sessione sesja sessie
    """)
  /// Whole names of such values in a query or a form.
  private static let weakItems = names("key code ticket bilet codigo codice kod kode hm")
  /// Names that end like a secret, and are places in a list, descriptions, parts of a language or public.
  private static let ordinary =
    names(
      """
      page next forward backward previous prev pagination continuation sync cursor mark trace tracker resume scroll seek
      separator cancellation cancel bos eos unk pad mask cls sep stop base quote input output prompt completion total
      max min native reward pool last first special added syntax parse design cached reasoning image audio class type
      delta iterator skip version change concurrency client clientrequest consistency evaluated snapshot position
      revision lock update etag xdebug watermark checkpoint batch ordering offset request jsonweb idempotency postman
      """, ending: "token")
    + names(
      """
      public pub vapid idempotency cache surrogate websocket partition row sort primary foreign object file publishable
      project host request shard map verify verification issue translation i18n hot message record entity lookup
      encoding sender correlation change retry
      """, ending: "key")
    + names("typepin nosecret checksumsecret webcredential thoughtsignature attributionsignature")
}

/// Where a name stands.
enum SecretPlace: Sendable { case header, query, form, json, cookie, other }

extension String {
  /// The name in the form in which rules compare it: without case, hyphens, underscores and spaces.
  var comparableName: String {
    String(decoding: utf8.lazy.filter { $0 != 0x2D && $0 != 0x5F && $0 != 0x20 }.map { $0.lowercased }, as: UTF8.self)
  }

  /// The text without diacritics, in lower case if it isn't ASCII then.
  fileprivate var plain: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    let plain = folding(options: .diacriticInsensitive, locale: nil)
    return plain.utf8.allSatisfy { $0 < 0x80 } ? plain : plain.lowercased()
  }

  /// The words of a name in lower case: `X-APIKeyId2` has `x`, `api`, `key` and `id2`.
  var words: [String] {
    var (words, position) = ([String](), 0)
    withUTF8Bytes { bytes in
      while let word = bytes.word(from: position) {
        words.append(String(decoding: bytes[word].map(\.lowercased), as: UTF8.self))
        position = word.upperBound
      }
    }
    return words
  }
}
