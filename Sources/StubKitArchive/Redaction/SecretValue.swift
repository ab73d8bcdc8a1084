import Foundation
import StubKit

/// What a value is, in the order of the decision's table.
enum SecretValue: Int, Comparable, CaseIterable {
  case constant, pair, three, digits, longDigits, number, date, resource, address, uuid, word, numbered, sentence
  case passphrase, short, other, jumble, random

  static func < (left: SecretValue, right: SecretValue) -> Bool { left.rawValue < right.rawValue }

  /// Whether the value could be a credential that nobody has chosen.
  var isCredential: Bool { self == .uuid || self >= .other }

  /// - Parameter isNumber: Whether the value is a number of JSON.
  init(_ value: String, isNumber: Bool = false) {
    let digits = value.utf8.count(where: \.isDigit)
    let isGrouped = digits > 3 && value.consists(of: .code)
    if digits == value.utf8.count || isGrouped && !value.isDate {
      self = digits < 3 ? .pair : digits == 3 ? .three : isNumber ? .number : digits < 8 ? .digits : .longDigits
    } else if isNumber || value.isConstant {
      self = .constant
    } else if value.isDate || value.isVersion {
      self = .date
    } else if value.isUUID {
      self = .uuid
    } else if value.isResource {
      self = .resource
    } else if value.looksRandom() || value.hasRandomPart {
      self = .random
    } else if value.isPath {
      self = .address
    } else if value.looksRandom(atLeast: 12) {
      self = .jumble
    } else if value.isPassphrase {
      self = .passphrase
    } else if value.has("\n") || value.has(" ") && value.isProse {
      self = .sentence
    } else if value.isWords && !String(value.dropLast()).contains(anyOf: .signs) {
      self = digits > 0 ? .numbered : .word
    } else if value.utf8.count < 6 {
      self = digits > 2 ? .digits : .short
    } else {
      self = .other
    }
  }
}

extension String {
  /// Whether the value is a constant of a program or of a header, hidden by somebody, or a template for one.
  fileprivate var isConstant: Bool {
    if WordList.constants.contains(lowercased()) || !contains(anyOf: .inWord) { return true }
    let isTemplate = ["$", "{{", "<", "%", "["].contains(where: hasPrefix) && isWords
    let isHidden = utf8.count > 5 && Set(utf8).count < 3
    return isTemplate || isHidden || ["***", "..."].contains { contains($0) }
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

  /// Whether most of the text's words are words.
  fileprivate var isProse: Bool {
    if isWords { return true }
    let words = pieces(at: " ")
    return words.count > 2 && words.count { String($0).isWords } * 3 >= 2 * words.count
  }

  /// Whether the text consists of four words or more as somebody remembers them, and not of a sentence. With a number
  /// among them, two are enough.
  var isPassphrase: Bool {
    let words = pieces(at: " ").map(String.init)
    guard 2...24 ~= words.count, WordList.prose.words.isDisjoint(with: words) else { return false }
    let numbers = words.count { 1...4 ~= $0.utf8.count && $0.consists(of: .digit) }
    let plain = words.count { 3...12 ~= $0.utf8.count && $0.utf8.allSatisfy(\.isLowercase) }
    return numbers + plain == words.count && words.count >= (numbers > 0 ? 2 : 4) && plain > 0
  }

  /// Whether the text is an address: `http://` or `https://` and a host, and no space.
  var isAddress: Bool {
    ["http://", "https://"].contains { hasPrefix($0) } && !has(" ")
  }

  /// Whether the text is a version (SemVer) or a range of some.
  fileprivate var isVersion: Bool {
    let number = drop { "^~>=<v ".contains($0) }.utf8
    let release = number.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    return number.first?.isDigit == true && release.contains(UInt8(ascii: ".")) && utf8.count < 32
  }

  /// Whether the text names what is public: a resource of AWS or of Twilio, a contract (EIP-55), or the key of a server
  /// that sends push messages (RFC 8292), which is an uncompressed point.
  fileprivate var isResource: Bool {
    if hasPrefix("arn:") || hasPrefix("0x") && utf8.count == 42 { return true }
    if utf8.count == 34, utf8.prefix(2).allSatisfy(\.isUppercase) {
      return utf8.dropFirst(2).allSatisfy { $0.hexadecimalDigit != nil && !$0.isUppercase }
    }
    guard 87...88 ~= utf8.count, hasPrefix("B"), let data = Data(base64OfAnyKind: self) else { return false }
    return data.count == 65 && data.first == 4
  }

  /// Whether the text is an address, or a path: one from a root, or of several segments with a word among them.
  fileprivate var isPath: Bool {
    if isAddress { return true }
    let segments = pieces(at: "/")
    func isWord(_ segment: Substring) -> Bool {
      let name = segment.dropFirst(segment.utf8.first?.isUppercase == true && segment.utf8.count > 4 ? 1 : 0)
      let letters = name.hasSuffix(".json") ? name.dropLast(5) : name
      return segment.utf8.count > 3 && letters.utf8.allSatisfy { $0.isLowercase || $0 == UInt8(ascii: "-") }
    }
    if hasPrefix("/") { return !has(" ") }
    return segments.count > 2 && !contains(anyOf: .signs) && segments.contains(where: isWord)
  }

  /// Whether a part of the text between colons, bars, commas or exclamation marks looks random.
  fileprivate var hasRandomPart: Bool {
    guard utf8.count <= 8_192, !has(" "), contains(anyOf: .partMarks) else { return false }
    return utf8.split { ByteSet.partMarks[$0] }.contains { String(decoding: $0, as: UTF8.self).looksRandom() }
  }

  /// Whether the text looks random, so that no name or sentence is meant. Without a digit, its letters change between
  /// small and capital ones as those of no name do.
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
    guard hasDigit else { return utf8.count >= 20 && 5 * changes >= 2 * utf8.count }
    guard changes >= max(3, utf8.count / 8), !isVersion, !isResource else { return false }
    return !isPath && (consists(of: .capital) || !consistsOfWords(numberedBy: 2))
  }

  /// Whether the text looks like what a link ends with that only its receiver knows: small and capital letters beside
  /// digits, no word and no file.
  var isTokenOfLink: Bool {
    guard looksRandom(atLeast: 20), !has("."), !consists(of: .hexadecimal) else { return false }
    let hasWords = pieces(at: "-").contains { $0.utf8.count > 3 && String($0).isWords }
    return lowercased() != self && uppercased() != self && !hasWords
  }

  /// Whether the value is a secret wherever it stands, because it can't be there by coincidence.
  var isUnmistakable: Bool {
    guard utf8.count < 12 else {
      let isName = isDate || isAddress || isWords
      return utf8.count <= 8_192 && !isName && Set(utf8).count > 4
    }
    let hasLetter = lowercased() != uppercased()
    return utf8.count >= 6 && hasLetter && [ByteSet.digit, .strongSigns].allSatisfy(contains(anyOf:))
  }

  /// Whether the text has letters and digits, and capitals beside small letters or a sign, as a password has.
  var isMixed: Bool {
    let hasSign = lowercased() != self || contains(anyOf: .strongSigns)
    guard hasSign, uppercased() != self else { return false }
    return contains(anyOf: .digit) && !contains(anyOf: .inAddress)
  }

  var isUUID: Bool { utf8.count == 36 && UUID(uuidString: self) != nil }

  /// Whether the text is a date of ISO 8601, perhaps with a time, or one of HTTP.
  var isDate: Bool {
    guard 10...40 ~= utf8.count else { return false }
    if hasSuffix(" GMT") { return true }
    let isDay = zip(utf8, "dddd-dd-dd".utf8).allSatisfy { $1 == UInt8(ascii: "d") ? $0.isDigit : $0 == $1 }
    return isDay && utf8.dropFirst(10).allSatisfy { $0.isDigit || "TtZz:.+- ".utf8.contains($0) }
  }
}
