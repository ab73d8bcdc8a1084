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
  var reason: SecretReason
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
    (self.kind, self.text) = (kind, text)
    self.reason = SecretReason(kind: reason, rule: rule ?? "name \"\(text)\"", name: text)
  }

  /// Returns what the standard table says of a name.
  init(standard name: String, in place: SecretPlace, _ text: String) {
    self.init(.none, text)
    var words = name.words
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
    let isOrdinary =
      words.isEmpty
      ? Self.ordinary.contains(where: whole.hasSuffix)
      : words.indices.contains { Self.ordinary.contains(words[$0...].joined() + last) }
    if isOrdinary, !isHeader || whole != "requesttoken" { return }
    isOfSession = ["sid", "session", "sessionid", "secretid"].contains(whole) || last == "session"
    isOfKeys = isPlural && last == "key"
    let isStrong =
      Self.words.contains(last) || Self.codes.contains(where: whole.hasSuffix)
      || Self.endings.contains(where: whole.hasSuffix)
      || isHeader && (["authorization", "auth"].contains(last) || last == "key" && whole.utf8.count > 4)
    let isWeak =
      Self.weak.contains(whole.hasPrefix("x") && isHeader ? String(whole.dropFirst()) : whole)
      || Self.weakWords.contains(last) || last == "key" && last != whole || isOfKeys
      || isHeader && last == "sign" || [.query, .form].contains(place) && ["key", "code"].contains(whole)
    kind = Self.lenient.contains(whole) ? .lenient : isStrong ? .strong : isWeak ? .weak : .none
  }

  static func names(_ text: String, ending: String = "") -> [String] { text.pieces(at: " ").map { $0 + ending } }

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
  private static let passwords = names("password passwd passwort passphrase pwd pass pw psk identifiedby")
  /// Last words.
  private static let words = names(
    "pin otp totp cvv cvc cvv2 jwt pwd pw pass sig csrf xsrf assertion creds cred psk rpt dpop mpin hdnea hdnts mnemonic"
  )
  /// Endings of the whole name without what separates its words.
  private static let endings =
    names("token secret password passwd passphrase passcode credential signature sessionid sessid accesskeyid")
    + names("secretorkey sesskey cookie samlresponse tokenhint tokenbinding honeycombteam seedphrase recoveryphrase")
    + names("secretproof identifiedby")
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
    + names("accesslicensenumber")
    + names("oob reset unlock access invite invitation activation confirmation transfer", ending: "code")
  /// Last words of such names.
  private static let weakWords = names("sid auth session ticket sign hmac mac seed crumb modhash")
  /// Names that end like a secret, and are places in a list, descriptions, parts of a language or public.
  private static let ordinary =
    names(
      "page next forward backward previous prev pagination continuation sync cursor mark start end", ending: "token")
    + names(
      "resume scroll seek separator cancellation cancel bos eos unk pad mask cls sep stop base quote", ending: "token")
    + names("input output prompt completion total max min native reward pool last first special added", ending: "token")
    + names("syntax parse design cached reasoning image audio class type delta iterator skip version", ending: "token")
    + names("change concurrency client clientrequest consistency evaluated snapshot position revision", ending: "token")
    + names("lock update etag watermark checkpoint batch ordering offset request", ending: "token")
    + names(
      "public idempotency cache surrogate websocket partition row sort primary foreign object file", ending: "key")
    + names("publishable project host request shard map verify verification issue translation i18n hot", ending: "key")
    + names("message record entity lookup encoding", ending: "key") + names("typepin nosecret checksumsecret")
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

  /// Whether the value is a constant of a programming language, or one of a header.
  var isConstant: Bool {
    ["true", "false", "null", "nil", "none", "undefined", "yes", "no", "on", "off", "0", "1", "-", "fetch", "required"]
      .contains(lowercased()) || self == "no-check"
  }

  /// Whether the text consists of words, perhaps with short numbers between them, as `gpt-4`, `RATE_LIMITED` and
  /// `accessToken` do.
  var isWords: Bool { consistsOfWords() }

  /// - Parameter most: How many digits can end a word, as in `valueFromConfig2`.
  private func consistsOfWords(numberedBy most: Int = 0) -> Bool {
    withUTF8Bytes { bytes in
      var (position, count, letterCount, length) = (0, 0, 0, 0)
      while let word = bytes.word(from: position) {
        position = word.upperBound
        let digits = bytes.startIndex(of: .digit, before: position, notBefore: word.lowerBound)
        let end = position - digits <= most ? digits : position
        length += end - word.lowerBound + 1
        if digits == word.lowerBound {
          guard end - digits <= 4 else { return false }
        } else {
          guard bytes.firstIndex(in: .digit, from: word.lowerBound) >= end else { return false }
          (count, letterCount) = (count + 1, letterCount + end - word.lowerBound)
        }
      }
      return count > 0 && (most > 0 ? length - 1 : bytes.count) <= 4 * count + letterCount && letterCount >= 3 * count
    }
  }

  /// Whether the text consists of four words or more as somebody remembers them, and not of a sentence.
  var isPassphrase: Bool {
    let words = pieces(at: " ").map(String.init)
    return 4...24 ~= words.count && words.allSatisfy { 3...12 ~= $0.utf8.count && $0.utf8.allSatisfy(\.isLowercase) }
      && Set(SecretName.names("the your you and must for are not use has with")).isDisjoint(with: words)
  }

  /// Whether the text is a version (SemVer) or a range of some, two capitals and 32 hexadecimal digits, or a path of
  /// several segments: what names a package or a resource.
  private var isResource: Bool {
    let number = drop { "^~>=<v ".contains($0) }.utf8
    let release = number.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    if number.first?.isDigit == true, release.contains(UInt8(ascii: ".")), utf8.count < 32 { return true }
    if utf8.count == 34, utf8.prefix(2).allSatisfy(\.isUppercase) {
      return utf8.dropFirst(2).allSatisfy { $0.hexadecimalDigit != nil && !$0.isUppercase }
    }
    let segments = pieces(at: "/")
    func isWord(_ segment: Substring) -> Bool {
      segment.utf8.count > 3 && segment.utf8.allSatisfy { $0.isLowercase || $0 == UInt8(ascii: "-") }
    }
    return segments.count > 2 && !has("+") && !has("=") && segments.contains(where: isWord)
  }

  /// Whether the text could be a credential: no words, and nothing that isn't a password either.
  var couldBeCredential: Bool { couldBePassword && !isWords }

  /// Whether the text could be a password: no text with spaces or brackets, constant, mask, date, address or path. One
  /// with colons or bars has a random part.
  var couldBePassword: Bool {
    6...8_192 ~= utf8.count && !contains(anyOf: .notInCredential)
      && !isConstant && !isDate && !["://", "***", "..."].contains(where: contains)
      && !isResource && (!hasPrefix("/") || looksRandom())
      && (!has(":") && !has("|") || !hasPrefix("arn:") && hasRandomPart(atLeast: 12))
      && !(hasPrefix("0x") && utf8.count == 42) && Set(utf8).count > 2 && contains(anyOf: .inWord)
  }

  /// Whether the text looks random, or a part of it between colons, bars, commas or exclamation marks.
  func hasRandomPart(atLeast least: Int = 16) -> Bool {
    utf8.split { ":|,!".utf8.contains($0) }.contains { String(decoding: $0, as: UTF8.self).looksRandom(atLeast: least) }
  }

  /// Whether the text looks random, so that no name or sentence is meant.
  func looksRandom(atLeast least: Int = 16) -> Bool {
    guard least...8_192 ~= utf8.count, !isUUID else { return false }
    var (changes, kind, hasDigit) = (0, 0, false)
    for byte in utf8 {
      guard ByteSet.random[byte] else { return false }
      let next = byte.isDigit ? 1 : byte.isUppercase ? 2 : byte.isLowercase ? 3 : kind
      changes += kind != 0 && next != kind ? 1 : 0
      (kind, hasDigit) = (next, hasDigit || next == 1)
    }
    return hasDigit && changes >= max(3, utf8.count / 8) && !isResource
      && (consists(of: .capital) || !consistsOfWords(numberedBy: 2))
  }

  /// Whether the value is a secret wherever it stands, because it can't be there by coincidence.
  var isUnmistakable: Bool {
    if utf8.count >= 12 { return utf8.count <= 8_192 && !isDate && !contains("://") && !isWords && Set(utf8).count > 4 }
    return utf8.count >= 6 && utf8.contains(where: \.isDigit) && utf8.contains { $0.isAlphanumeric && !$0.isDigit }
      && utf8.contains { "!@#$^&*".utf8.contains($0) }
  }

  /// Whether the text has letters and digits, and capitals beside small letters or a sign, as a password has.
  var isMixed: Bool {
    couldBePassword && contains(anyOf: .digit) && utf8.contains(where: \.isLowercase)
      && utf8.contains { $0.isUppercase || "!@#$%^&*?".utf8.contains($0) } && !has("/") && !has(":") && !has("=")
  }

  var isUUID: Bool { utf8.count == 36 && UUID(uuidString: self) != nil }

  /// Whether the text is a date of ISO 8601, perhaps with a time, or one of HTTP.
  var isDate: Bool {
    utf8.count >= 10 && utf8.count <= 40
      && (zip(utf8, "dddd-dd-dd".utf8).allSatisfy { $1 == UInt8(ascii: "d") ? $0.isDigit : $0 == $1 }
        && utf8.dropFirst(10).allSatisfy { $0.isDigit || "TtZz:.+- ".utf8.contains($0) }
        || hasSuffix(" GMT"))
  }
}
