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
  /// Whether the value of a member can be the secret, because the name is that of a list of keys, or that of a session.
  var isOfKeys = false
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
    var words = (name.utf8.allSatisfy { $0 < 0x80 } ? name : name.lowercased()).words
    while words.count > 1, let last = words.last, Self.qualifiers.contains(last), words[0] != "pin" {
      words.removeLast()
    }
    guard var last = words.popLast() else { return }
    isPlural = last.count > 3 && last.hasSuffix("s") && !last.hasSuffix("ss")
    if isPlural { last.removeLast() }
    while last.count > 3, last.last?.isNumber == true { last.removeLast() }
    let whole = words.joined() + last
    isNumber = Self.numbers.contains(last) || Self.codes.contains(where: whole.hasSuffix)
    isPassword = Self.passwords.contains(where: whole.hasSuffix)
    isBinary = ["signature", "sig", "key", "hash", "hmac", "mac"].contains(last)
    let isHeader = place == .header
    // A `firebase_token` is no `base_token`. In a name of one word, nobody knows where the last one begins.
    isOrdinary =
      words.isEmpty
      ? Self.ordinary.contains(where: whole.hasSuffix)
      : words.indices.contains { Self.ordinary.contains(words[$0...].joined() + last) }
        || last == "token" && ["from", "to", "sell", "buy", "in", "out"].contains(words[words.count - 1])
    if isOrdinary, !isHeader || whole != "requesttoken" { return }
    isToken = Self.tokens.contains(whole) && !isPlural
    isOfSession = ["sid", "session", "sessionid", "secretid"].contains(whole) || last == "session"
    isOfKeys = isPlural && last == "key"
    let isStrong =
      Self.words.contains(last) || Self.codes.contains(where: whole.hasSuffix)
      || Self.endings.contains(where: whole.hasSuffix)
      || isHeader && (["authorization", "auth"].contains(last) || last == "key" && whole.utf8.count > 4)
    let weakName = whole.hasPrefix("x") && isHeader ? String(whole.dropFirst()) : whole
    // The `app_id` of an app is public, and the `appid` of a weather service is a key.
    let isWeak =
      Self.weak.contains(weakName) && (whole != "appid" || words.isEmpty) || Self.weakWords.contains(last)
      || last == "key" && last != whole || isOfKeys
      || isHeader && last == "sign" || [.query, .form].contains(place) && ["key", "code"].contains(whole)
    kind =
      if Self.lenient.contains(whole) { .lenient } else if isStrong { .strong } else if isWeak { .weak } else { .none }
  }

  static func names(_ text: String, ending: String = "") -> [String] { text.pieces(at: " ").map { $0 + ending } }

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

  static let all = words + endings + weak + weakWords + lenient + numbers + codes + names("authorization key sign code")

  /// Words after the name that say how the value is written.
  private static let qualifiers = Set(
    names("value string plain plaintext text encoded encrypted base64 hash hashed confirm confirmation confirmed again")
      + names("repeat new old current ed25519 sha1 sha256 sha512 256 512 v1 v2 1 2 pem data hex b64 raw words base"))
  /// Last words of names whose value can be a number, and endings of those that are a code.
  private static let numbers = names("pin otp totp cvv cvc cvv2 tan passcode")
  private static let codes =
    names("verification sms mfa otp totp 2fa twofactor security auth login token backup recovery", ending: "code")
    + names("session secret onetime enterthe", ending: "code")
  private static let lenient = names("devicecode usercode codeverifier oauthverifier authreqid")
  /// Endings of names whose values people choose.
  private static let passwords = names("password passwd passphrase pwd pass pw psk identifiedby") + foreign
  /// Passwords in other languages: words that mean nothing else.
  private static let foreign =
    names("passwort kennwort contraseña contrasena contrasenya motdepasse mdp senha wachtwoord hasło haslo lösenord")
    + names("losenord adgangskode passord salasana heslo jelszó jelszo lozinka geslo slaptažodis slaptazodis parool")
    + names("katasandi matkhau mậtkhẩu parolachiave palavrapasse пароль 密码 密碼 パスワード 비밀번호 รหัสผ่าน סיסמה")
  /// Whole names of tokens and keys.
  private static let tokens = Set(
    names("access refresh id auth session bearer api oauth security authentication private", ending: "token")
      + names("api apisecret secret secretaccess privateapi", ending: "key")
      + names("client consumer app api", ending: "secret"))
  /// Last words.
  private static let words = names(
    "pin otp totp cvv cvc cvv2 jwt pwd pw pass sig csrf xsrf assertion creds cred psk rpt dpop mpin hdnea hdnts mnemonic"
  )
  /// Endings of the whole name without what separates its words.
  private static let endings =
    names("token secret password passwd passphrase passcode credential signature sessionid sessid accesskeyid")
    + names("secretorkey sesskey cookie samlresponse tokenhint tokenbinding honeycombteam seedphrase recoveryphrase")
    + names("secretproof identifiedby jeton") + foreign
    + names("api app application access secret private priv master session signing sign signature", ending: "key")
    + names("encryption encrypt shared account subscription auth authentication authorization hmac aes", ending: "key")
    + names("stream integration write admin service server client consumer license ssh ingest ingestion", ending: "key")
    + names("anon deploy webhook security storage merchant token user rapidapi cron partner function", ending: "key")
    + names("project publishing host db database vault identity licence activation enrollment gateway", ending: "key")
    + names("cipher instrumentation cookie", ending: "key")
  /// Whole names of values that are often something else. An authorization without a scheme is often that of a payment.
  private static let weak =
    names("authorization bearer sessioninfo access refresh loginhash otac nonce appid grecaptcharesponse")
    + names("hcaptcharesponse cfturnstileresponse artapi sessid secretid requesttoken sessiondata accessor loginreturn")
    + names("accesslicensenumber rlkey")
    + names("oob reset unlock access invite invitation activation confirmation transfer", ending: "code")
  /// Last words of such names.
  private static let weakWords =
    names("sid auth session ticket sign hmac mac seed crumb modhash")
    + names("sitzung sesion sesión sessao sessão sessione")
  /// Names that end like a secret, and are places in a list, descriptions, parts of a language or public.
  private static let ordinary =
    names(
      "page next forward backward previous prev pagination continuation sync cursor mark start end", ending: "token")
    + names(
      "resume scroll seek separator cancellation cancel bos eos unk pad mask cls sep stop base quote", ending: "token")
    + names("input output prompt completion total max min native reward pool last first special added", ending: "token")
    + names("syntax parse design cached reasoning image audio class type delta iterator skip version", ending: "token")
    + names("change concurrency client clientrequest consistency evaluated snapshot position revision", ending: "token")
    + names("lock update etag watermark checkpoint batch ordering offset request jsonweb idempotency", ending: "token")
    + names(
      "public pub vapid idempotency cache surrogate websocket partition row sort primary foreign object file",
      ending: "key")
    + names("publishable project host request shard map verify verification issue translation i18n hot", ending: "key")
    + names("message record entity lookup encoding sender", ending: "key") + names("typepin nosecret checksumsecret")
}

/// Where a name stands.
enum SecretPlace: Sendable { case header, query, form, json, cookie, other }

extension String {
  /// The name in the form in which rules compare it: without case, hyphens, underscores and spaces.
  var comparableName: String {
    String(decoding: utf8.lazy.filter { $0 != 0x2D && $0 != 0x5F && $0 != 0x20 }.map { $0.lowercased }, as: UTF8.self)
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
