import Foundation
import StubKit

extension String {
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
    // No word has ten letters from A to F.
    if utf8.count >= 10, consists(of: .hexadecimal) { return false }
    return withUTF8Bytes { bytes in
      var position = 0
      var count = 0
      var letterCount = 0
      var length = 0
      while let word = bytes.word(from: position) {
        position = word.upperBound
        let digits = bytes.startIndex(of: .digit, before: position, notBefore: word.lowerBound)
        let end = position - digits <= most ? digits : position
        length += end - word.lowerBound + 1
        if digits == word.lowerBound {
          guard end - digits <= 4 else { return false }
        } else {
          // Base32 can have letters alone.
          guard end - word.lowerBound <= 24, !bytes[word.lowerBound..<end].contains(where: \.isDigit) else {
            return false
          }
          (count, letterCount) = (count + 1, letterCount + end - word.lowerBound)
        }
      }
      let characters = most > 0 ? length - 1 : bytes.count
      // Random text falls into short words.
      let halfLetters = most > 0 || count > 4 ? 7 : 6
      return count > 0 && characters <= 4 * count + letterCount && 2 * letterCount >= halfLetters * count
    }
  }

  /// Whether the text consists of four words or more as somebody remembers them, and not of a sentence. With a number
  /// among them, two are enough. Groups of four letters and digits are the password of an app.
  var isPassphrase: Bool {
    let words = pieces(at: " ").map(String.init)
    guard Self.wordsOfSentences.isDisjoint(with: words) else { return false }
    let isOfApp = words.allSatisfy { $0.utf8.count == 4 && $0.utf8.allSatisfy(\.isAlphanumeric) }
    if isOfApp, 4...8 ~= words.count, words.contains(where: { !$0.isWords }) { return true }
    let numbers = words.count { !$0.isEmpty && $0.consists(of: .digit) }
    return (numbers > 0 ? 2 : 4)...24 ~= words.count && numbers < words.count
      && words.allSatisfy {
        1...4 ~= $0.utf8.count && $0.consists(of: .digit)
          || 3...12 ~= $0.utf8.count && $0.utf8.allSatisfy(\.isLowercase)
      }
  }

  private static let wordsOfSentences = Set(SecretName.names("the your you and must for are not use has with"))

  /// Whether the text is an address: `http://` or `https://` and a host, and no space.
  var isAddress: Bool {
    guard let start = ["http://", "https://"].first(where: hasPrefix) else { return false }
    let host = utf8.dropFirst(start.utf8.count)
    return host.first.map { $0.isAlphanumeric || $0 == UInt8(ascii: "[") } ?? false && !has(" ")
  }

  /// Whether the text is a version (SemVer) or a range of some.
  var isVersion: Bool {
    let number = drop { "^~>=<v ".contains($0) }.utf8
    let release = number.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    return number.first?.isDigit == true && release.contains(UInt8(ascii: ".")) && utf8.count < 32
  }

  /// Whether the text is a public key of a server that sends push messages (RFC 8292): an uncompressed point.
  var isPublicKey: Bool {
    guard 87...88 ~= utf8.count, hasPrefix("B"), let data = Data(base64OfAnyKind: self) else { return false }
    return data.count == 65 && data.first == 4
  }

  /// Whether the text is a version, two capitals and 32 hexadecimal digits, or a path of several segments: what names
  /// a package or a resource.
  private var isResource: Bool {
    if isVersion { return true }
    if utf8.count == 34, utf8.prefix(2).allSatisfy(\.isUppercase) {
      return utf8.dropFirst(2).allSatisfy { $0.hexadecimalDigit != nil && !$0.isUppercase }
    }
    let segments = pieces(at: "/")
    func isWord(_ segment: Substring) -> Bool {
      let name = segment.dropFirst(segment.utf8.first?.isUppercase == true && segment.utf8.count > 4 ? 1 : 0)
      let letters = name.hasSuffix(".json") ? name.dropLast(5) : name
      return segment.utf8.count > 3 && letters.utf8.allSatisfy { $0.isLowercase || $0 == UInt8(ascii: "-") }
    }
    return segments.count > 2 && !has("+") && !has("=") && segments.contains(where: isWord)
  }

  /// Whether somebody has left out a part of the text.
  private var isMasked: Bool { contains("***") || contains("...") }

  /// Whether the text could be the value of a token's own name: one piece, and no constant, mask, date or template.
  var couldBeToken: Bool {
    6...8_192 ~= utf8.count && !contains(anyOf: .notInCredential) && !isConstant && !isDate && !isMasked
      && Set(utf8).count > 2
  }

  /// Whether the text could be a credential: no words, and nothing that isn't a password either.
  var couldBeCredential: Bool { couldBePassword && !isWords }

  /// Whether the text could be a password: no text with spaces or brackets, constant, mask, date, address or path. One
  /// with colons or bars has a random part.
  var couldBePassword: Bool { couldBePassword(atLeast: 6) }

  private func couldBePassword(atLeast least: Int) -> Bool {
    least...8_192 ~= utf8.count && !contains(anyOf: .notInCredential)
      && !isConstant && !isDate && !isMasked && !isAddress && !isResource && (!hasPrefix("/") || looksRandom())
      && (!has(":") && !has("|") || !hasPrefix("arn:") && (contains("://") || hasRandomPart(atLeast: 12)))
      && !(hasPrefix("0x") && utf8.count == 42) && Set(utf8).count > 2 && contains(anyOf: .inWord)
  }

  /// Whether the text looks random, or a part of it between colons, bars, commas or exclamation marks.
  func hasRandomPart(atLeast least: Int = 16) -> Bool {
    utf8.split { ":|,!".utf8.contains($0) }.contains { String(decoding: $0, as: UTF8.self).looksRandom(atLeast: least) }
  }

  /// Whether the text looks random, so that no name or sentence is meant.
  func looksRandom(atLeast least: Int = 16) -> Bool {
    guard least...8_192 ~= utf8.count, !isUUID else { return false }
    var changes = 0
    var kind = 0
    var hasDigit = false
    for byte in utf8 {
      guard ByteSet.random[byte] else { return false }
      let next =
        if byte.isDigit { 1 } else if byte.isUppercase { 2 } else if byte.isLowercase { 3 } else { kind }
      changes += kind != 0 && next != kind ? 1 : 0
      (kind, hasDigit) = (next, hasDigit || next == 1)
    }
    return hasDigit && changes >= max(3, utf8.count / 8) && !isResource
      && (consists(of: .capital) || !consistsOfWords(numberedBy: 2))
  }

  /// Whether the text looks like what a link ends with that only its receiver knows: small and capital letters beside
  /// digits, no word and no file.
  var isTokenOfLink: Bool {
    looksRandom(atLeast: 20) && !has(".") && !consists(of: .hexadecimal) && !consists(of: .capital)
      && utf8.contains(where: \.isUppercase) && !pieces(at: "-").contains { $0.utf8.count > 3 && String($0).isWords }
  }

  /// Whether the value is a secret wherever it stands, because it can't be there by coincidence.
  var isUnmistakable: Bool {
    if utf8.count >= 12 { return utf8.count <= 8_192 && !isDate && !isAddress && !isWords && Set(utf8).count > 4 }
    return utf8.count >= 6 && utf8.contains(where: \.isDigit) && utf8.contains { $0.isAlphanumeric && !$0.isDigit }
      && utf8.contains { "!@#$^&*".utf8.contains($0) }
  }

  /// Whether something random precedes a `://`, so that the text is no address.
  var beginsRandom: Bool {
    firstRange(of: "://").map { String(self[..<$0.lowerBound]).looksRandom(atLeast: 12) } ?? false
  }

  /// Whether the text has letters and digits, and capitals beside small letters or a sign, as a password has.
  var isMixed: Bool {
    contains(anyOf: .digit) && utf8.contains(where: \.isLowercase)
      && utf8.contains { $0.isUppercase || "!@#$%^&*?".utf8.contains($0) } && !has("=")
      && (contains("://") || !has("/") && !has(":")) && couldBePassword
  }

  /// Whether the text has letters of both cases, digits and signs, as a password has that a machine has made.
  var isOfAllKinds: Bool {
    10...128 ~= utf8.count && !isAddress && !isDate && !contains(anyOf: .blank) && lowercased() != self
      && uppercased() != self && contains(anyOf: .digit) && contains(anyOf: .signs)
  }

  /// Whether the text could be a code with digits, three at least if it is short: `4418#`, `TGV-90129`.
  var isNumbered: Bool {
    let digits = utf8.count(where: \.isDigit)
    return 4...64 ~= utf8.count && digits >= (utf8.count < 6 ? 3 : 1) && digits < utf8.count && !isVersion
      && couldBePassword(atLeast: 4)
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
