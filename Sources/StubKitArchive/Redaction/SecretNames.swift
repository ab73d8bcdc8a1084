import Foundation
import StubKitFormats

/// What a name says about its value.
struct SecretName: Sendable {
  enum Kind: Sendable {
    case none
    /// The value is secret if it looks random.
    case weak
    /// The value is secret if it could be a credential.
    case strong
    /// The value is secret if it is no constant. OAuth's codes can be words.
    case lenient
    /// A rule of the user names it, so every value is secret, and all strings below it.
    case own
  }

  var kind = Kind.none
  /// Whether a number can be the secret, as for `pin`.
  var isNumber = false
  /// Whether clients decode the value, as for `signature`.
  var isBinary = false

  /// Returns what the standard table says of a name.
  init(_ name: String, in place: SecretPlace) {
    var words = name.words
    while words.count > 1, let last = words.last, Self.qualifiers.contains(last) { words.removeLast() }
    guard var last = words.last else { return }
    if last.count > 3, last.hasSuffix("s"), !last.hasSuffix("ss") { last.removeLast() }
    let whole = words.dropLast().joined() + last
    isNumber = Self.numbers.contains(last)
    isBinary = ["signature", "sig", "key", "hash", "hmac", "mac"].contains(last)
    if Self.ordinary.contains(where: { whole.hasSuffix($0) }) { return }
    if Self.lenient.contains(whole) {
      kind = .lenient
    } else if Self.words.contains(last) || Self.endings.contains(where: { whole.hasSuffix($0) })
      || place == .header && last == "key" && whole.utf8.count > 4
    {
      kind = .strong
    } else if Self.weak.contains(whole.hasPrefix("x") && place == .header ? String(whole.dropFirst()) : whole)
      || place == .query && whole == "key" || place == .header && last == "sign"
    {
      kind = .weak
    }
  }

  init(_ kind: Kind) { self.kind = kind }

  /// Words after the name that say how the value is written.
  private static let qualifiers: Set = [
    "value", "string", "plain", "plaintext", "encoded", "encrypted", "base64", "hash", "hashed", "confirm",
    "confirmation", "confirmed", "again", "repeat", "new", "old", "current", "ed25519", "sha1", "sha256", "sha512",
    "256", "512", "v1", "v2", "1", "2",
  ]
  private static let numbers: Set = ["pin", "otp", "totp", "cvv", "cvc", "cvv2", "tan", "passcode"]
  private static let lenient: Set = ["devicecode", "usercode", "codeverifier"]
  /// Last words.
  private static let words: Set = numbers.subtracting(["tan"]).union([
    "jwt", "pwd", "pass", "passwd", "sig", "csrf", "xsrf", "assertion", "phpsessid", "jsessionid",
    "sessid", "secret", "token",
  ])
  /// Endings of the whole name without what separates its words.
  private static let endings =
    [
      "token", "secret", "password", "passwd", "passphrase", "passcode", "credential", "signature", "signaturevalue",
      "authorization", "sessionid", "sessid", "clientassertion", "secretorkey", "cookie", "samlresponse",
    ]
    + [
      "api", "app", "application", "access", "accesskeyid", "secret", "private", "priv", "master", "session", "signing",
      "sign", "signature", "encryption", "encrypt", "shared", "account", "subscription", "auth", "authentication",
      "authorization", "hmac", "aes", "stream", "integration", "write", "admin", "service", "server", "client",
      "consumer", "license", "ssh", "ingest", "ingestion", "anon", "deploy", "webhook", "security", "storage",
      "project",
      "publishing", "merchant", "token", "user", "rapidapi", "cron", "partner", "function", "host",
    ].map { $0.hasSuffix("keyid") ? $0 : $0 + "key" }
  /// Whole names of values that are often something else.
  private static let weak: Set = [
    "sid", "auth", "bearer", "session", "ticket", "sign", "hmac", "authcode", "verificationcode", "recoverycode",
    "oobcode", "access", "refresh", "loginhash", "otac", "nonce",
  ]
  /// Names that end like a secret, and are places in a list, descriptions, parts of a language or public.
  private static let ordinary =
    [
      "page", "next", "previous", "prev", "pagination", "continuation", "sync", "cursor", "mark", "start", "end",
      "resume", "separator", "cancellation", "cancel", "bos", "eos", "unk", "pad", "mask", "cls", "sep", "stop", "base",
      "quote", "input", "output", "prompt", "completion", "total", "max", "min", "native", "reward", "pool", "last",
      "first", "special", "added", "syntax", "parse", "design",
    ].map { $0 + "token" }
    + [
      "publickey", "idempotencykey", "cachekey", "surrogatekey", "websocketkey", "partitionkey", "rowkey", "sortkey",
      "primarykey", "foreignkey", "publishablekey", "projectkey", "hostkey", "typepin", "nosecret",
    ]
}

/// Where a name stands.
enum SecretPlace: Hashable, Sendable { case header, query, form, json, cookie, other }

/// The rules of a redaction that go by names.
struct SecretRules: Sendable {
  var usesStandardNames = false
  var usesShapes = false
  var redactsAllCookies = false
  var redactsUserInfo = false
  var jsonPaths: [JSONPath] = []
  /// The names of single rules, in the form in which they are compared. Those of all places are below `nil`.
  private var own: [SecretPlace?: Set<String>] = [:]
  private var kept: Set<String> = []

  mutating func add(_ name: String, in place: SecretPlace?) { own[place, default: []].insert(name.comparableName) }
  mutating func keep(_ name: String) { kept.insert(name.comparableName) }

  /// Returns what a name says about its value, or `nil` if a rule keeps the value.
  ///
  /// - Parameter name: The decoded name. Of `user[password]` and `user.password`, the last part counts too.
  func name(_ name: String, in place: SecretPlace) -> SecretName? {
    guard name.utf8.count <= 128 else { return SecretName(.none) }
    let last = name.utf8.split(whereSeparator: { "[]:./".utf8.contains($0) }).last.map {
      String(decoding: $0, as: UTF8.self)
    }
    let forms = Set([name.comparableName, (last ?? name).comparableName])
    if !kept.isDisjoint(with: forms) { return nil }
    let isOwn =
      [nil, place].contains { !(own[$0]?.isDisjoint(with: forms) ?? true) }
      || place == .other && own.values.contains { !$0.isDisjoint(with: forms) }
    var result = usesStandardNames || isOwn ? SecretName(last ?? name, in: place) : SecretName(.none)
    if isOwn { result.kind = .own }
    return result
  }

  var isEmpty: Bool { !usesStandardNames && own.isEmpty && jsonPaths.isEmpty }
}

extension String {
  /// The name in the form in which rules compare it: without case, hyphens, underscores and spaces.
  var comparableName: String {
    String(decoding: utf8.lazy.filter { $0 != 0x2D && $0 != 0x5F && $0 != 0x20 }.map { $0.lowercased }, as: UTF8.self)
  }

  /// The words of a name in lower case: `X-APIKeyId2` has `x`, `api`, `key` and `id2`.
  var words: [String] {
    let bytes = Array(utf8)
    var (words, word) = ([String](), [UInt8]())
    func end() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    for (place, byte) in bytes.enumerated() {
      guard byte.isAlphanumeric || byte >= 0x80 else {
        end()
        continue
      }
      let (before, after) = (place > 0 ? bytes[place - 1] : 0, place + 1 < bytes.count ? bytes[place + 1] : 0)
      if byte.isUppercase, !before.isUppercase || after.isLowercase { end() }
      word.append(byte.lowercased)
    }
    end()
    return words
  }

  /// Whether the value is a constant of a programming language.
  var isConstant: Bool {
    ["true", "false", "null", "nil", "none", "undefined", "yes", "no", "on", "off", "0", "1", "-"].contains(
      lowercased())
  }

  /// Whether the text consists of words, perhaps with short numbers between them, as `gpt-4`, `RATE_LIMITED` and `accessToken`
  /// do.
  var isWords: Bool {
    let all = utf8.split { " -_./:,~+".utf8.contains($0) }.flatMap { String(decoding: $0, as: UTF8.self).words }
    let letters = all.filter { $0.utf8.allSatisfy { !$0.isDigit && ($0.isAlphanumeric || $0 >= 0x80 || $0 == 0x27) } }
    guard all.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) ? $0.utf8.count <= 4 : letters.contains($0) }) else {
      return false
    }
    return !letters.isEmpty && utf8.count <= 4 * letters.count + letters.reduce(0) { $0 + $1.utf8.count }
      && letters.reduce(0, { $0 + $1.utf8.count }) >= 3 * letters.count
  }

  /// Whether the text could be a credential: no text with spaces or brackets, word, constant, mask, date, address or path.
  var couldBeCredential: Bool {
    guard 6...8_192 ~= utf8.count, utf8.allSatisfy({ $0 > 0x20 && !"<>{}()[]|\"`\\".utf8.contains($0) }) else {
      return false
    }
    if isConstant || isDate || contains("://") || contains("***") || contains("...") { return false }
    if starts(withBytesOf: "/") && !looksRandom() || starts(withBytesOf: "arn:") || starts(withBytesOf: "projects/") {
      return false
    }
    return Set(utf8).count > 2 && utf8.contains { $0.isAlphanumeric || $0 >= 0x80 } && !isWords
  }

  /// Whether the text looks random, so that no name or sentence is meant.
  func looksRandom(atLeast least: Int = 16) -> Bool {
    guard utf8.count >= least, utf8.count <= 8_192, utf8.contains(where: \.isDigit), !isUUID else { return false }
    var (changes, before) = (0, 0)
    for byte in utf8 {
      let kind = byte.isDigit ? 1 : byte.isUppercase ? 2 : byte.isLowercase ? 3 : 0
      guard kind > 0 || "+/=_.~%-".utf8.contains(byte) else { return false }
      if kind > 0, before > 0, kind != before { changes += 1 }
      if kind > 0 { before = kind }
    }
    return changes >= max(3, utf8.count / 8) && !isIdentifier
  }

  /// Whether the text is words with a digit or two at their ends, as `valueFromConfig2` is.
  private var isIdentifier: Bool {
    let bare = words.map { word in
      let digits = word.utf8.reversed().prefix(while: \.isDigit).count
      return digits < 3 ? word.dropLast(digits) : word[...]
    }
    return bare.allSatisfy { !$0.utf8.contains(where: \.isDigit) }
      && bare.reduce(0) { $0 + $1.utf8.count } >= 3 * bare.count
  }

  /// Whether the value is a secret wherever it stands, because it can't be there by coincidence.
  var isUnmistakable: Bool {
    if utf8.count >= 12 { return utf8.count <= 8_192 && !isDate && !contains("://") && !isWords && Set(utf8).count > 4 }
    return utf8.count >= 6 && utf8.contains(where: \.isDigit) && utf8.contains { $0.isAlphanumeric && !$0.isDigit }
      && utf8.contains { "!@#$^&*".utf8.contains($0) }
  }

  var isUUID: Bool { utf8.count == 36 && UUID(uuidString: self) != nil }

  /// Whether the text begins with a date of ISO 8601, or is one of HTTP.
  var isDate: Bool {
    utf8.count >= 10 && utf8.count <= 40
      && (zip(utf8, "dddd-dd-dd".utf8).allSatisfy { $1 == UInt8(ascii: "d") ? $0.isDigit : $0 == $1 }
        || hasSuffix(" GMT"))
  }
}

extension UInt8 {
  var isLowercase: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
  var isUppercase: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
  var lowercased: UInt8 { isUppercase ? self | 0x20 : self }
}
