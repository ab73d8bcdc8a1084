import Foundation
import StubKit

/// What a value is.
enum SecretValue: CaseIterable {
  /// A constant, a mask or a template, and one or two digits.
  case constant, short
  /// Three digits or more, and such a number of JSON.
  case digits, number
  /// Words, a sentence, a date, an address or a resource.
  case words
  /// What looks random, or is a UUID.
  case random
  /// Anything else, such as words with a number, or those of a first password.
  case other

  /// - Parameter isNumber: Whether the value is a number of JSON.
  init(_ value: String, isNumber: Bool = false) {
    let digits = value.withUTF8Bytes { $0.count(of: .digit, in: 0..<$0.count) }
    let isGrouped = digits > 3 && value.consists(of: .code) && !value.isDate
    self =
      if isGrouped || digits == value.utf8.count {
        digits < 3 ? .short : isNumber ? .number : .digits
      } else if isNumber || WordRules.constants.contains(value.lowercased()) || value.isMask {
        .constant
      } else if value.isUUID || !value.isOrdinary && value.hasRandomPart {
        .random
      } else if value.isOrdinary || value.isText && !value.isPassphrase {
        .words
      } else {
        .other
      }
  }
}

extension String {
  /// Whether the text consists of words, perhaps with short numbers between them, as `gpt-4`, `RATE_LIMITED` and
  /// `accessToken` do.
  var isWords: Bool { consistsOfWords() }

  /// Whether it consists of words, or of ones with a number, as the names of code do.
  var isNumberedWords: Bool { consistsOfWords(numberedBy: 2) }

  /// Whether it is what code calls a member of a member of something, such as `form.elements.password1.value`.
  var isPathOfMembers: Bool {
    let parts = pieces(at: ".")
    return parts.count > 2 && parts.allSatisfy { $0.utf8.first?.isLetter == true } && isNumberedWords
  }

  /// - Parameter most: How many digits can end a word, as in `valueFromConfig2`.
  private func consistsOfWords(numberedBy most: Int = 0) -> Bool {
    withUTF8Bytes { bytes in
      var (count, letterCount, next) = (0, 0, bytes.word(from: 0))
      while let word = next {
        next = bytes.word(from: word.upperBound)
        let digits = bytes.count(of: .digit, in: word)
        if word.count <= 4, digits == word.count { continue }
        // What is left out in `can't` and `it's`.
        if word.count <= 2, digits == 0, bytes.has("'", at: word.lowerBound - 1), count > 0 { continue }
        // Base32 can have letters alone.
        let isWord = digits == 0 || digits <= most && bytes[word.upperBound - 1].isDigit
        guard isWord, word.count <= 24 else { return false }
        (count, letterCount) = (count + 1, letterCount + word.count - digits)
      }
      // Random text falls into short words.
      let halfLetters = most > 0 || count > 4 ? 7 : 6
      if count == 1, letterCount == 2, bytes.count == 2 { return true }
      return count > 0 && bytes.count <= 4 * count + letterCount && 2 * letterCount >= halfLetters * count
    }
  }

  /// Whether the text is a date, an address, a resource, a version or a range.
  fileprivate var isOrdinary: Bool {
    isDate || hasSuffix(" GMT") || isPath || isVersion || isRange || pieces(at: "/").count > 2 && isWords
  }

  /// Whether the text has several lines or words, or consists of words without a number, of which each has a vowel.
  fileprivate var isText: Bool {
    if has("\n") || has(" ") && isWords { return true }
    return isWords && !hasSignWithin && !contains(anyOf: .digit) && !WordRules.defaults.contains(comparableName)
      && words.allSatisfy { $0.utf8.count < 4 || $0.contains(anyOf: .vowel) }
  }

  /// Whether somebody has hidden the text, it is a template for one, or it has no letter or digit.
  fileprivate var isMask: Bool {
    let isTemplate = ["$", "{{", "<", "%", "["].contains(where: hasPrefix) && isWords
    return isTemplate || contains("***") || contains("...") || !contains(anyOf: .inWord)
  }

  /// Whether the text consists of four words or more as somebody remembers them, and not of a sentence. With a number
  /// among them, two are enough.
  var isPassphrase: Bool {
    guard has(" "), withUTF8Bytes(\.isOfWordsAndNumbers) else { return false }
    let words = pieces(at: " ").map(String.init)
    return WordRules.prose.isDisjoint(with: words) && (words.count > 3 || contains(anyOf: .digit))
  }

  /// Whether the text is an address: `http://` or `https://` and a host, and no space.
  var isAddress: Bool {
    ["http://", "https://"].contains { hasPrefix($0) } && !has(" ")
  }

  /// Whether a sign that no words have between them is between letters, as in `klingel!Treppe`.
  fileprivate var hasSignWithin: Bool {
    withUTF8Bytes { bytes in
      let sign = bytes.firstIndex(in: .signsWithin)
      return bytes.has(.inWord, at: sign - 1) && bytes.has(.inWord, at: sign + 1)
    }
  }

  /// Whether the text is two short numbers and what is between them, as in `8–20`.
  fileprivate var isRange: Bool {
    let numbers = utf8.split { !$0.isDigit }
    return utf8.count < 16 && numbers.count == 2 && numbers.allSatisfy { $0.count < 4 }
      && ["–", "-", "..", "…"].contains { self == "\(String(numbers[0])!)\($0)\(String(numbers[1])!)" }
  }

  /// Whether the text is a version (SemVer), a range of some, or that of HTTP.
  fileprivate var isVersion: Bool {
    if hasPrefix("HTTP/") { return utf8.count < 9 }
    guard utf8.count < 32, has("."), let first = utf8.first, first.isDigit || "^~>=<v".utf8.contains(first) else {
      return false
    }
    return range(of: #"^[\^~>=<v ]*\d+(\.\d+)+([-+.][0-9A-Za-z.+-]*)?$"#, options: .regularExpression) != nil
  }

  /// Whether the text is an address, a path from a root, the name of a resource of AWS or of Twilio, or an account of
  /// Ethereum.
  fileprivate var isPath: Bool {
    if isAddress || ["/", "arn:"].contains(where: { hasPrefix($0) }) { return !has(" ") && !has("+") }
    if utf8.count == 42, hasPrefix("0x") { return utf8.dropFirst(2).allSatisfy { $0.hexadecimalDigit != nil } }
    // What begins with `SK` is a key of Twilio.
    return utf8.count == 34 && !hasPrefix("SK")
      && withUTF8Bytes {
        $0.count(of: .uppercase, in: 0..<2) == 2 && $0.firstIndex(notIn: .lowercaseHexadecimal, from: 2) == 34
      }
  }

  /// Whether the text, or a part of it between colons, bars, commas or exclamation marks, looks random.
  fileprivate var hasRandomPart: Bool {
    if !contains(anyOf: .partMarks) { return looksRandom() }
    return !has(" ") && utf8.split { ByteSet.partMarks[$0] }.contains { String(utf8: $0).looksRandom() }
  }

  /// Whether the text looks random, so that no name or sentence is meant. Without a digit, its letters change between
  /// small and capital ones as those of no name do.
  func looksRandom() -> Bool {
    guard 16...8_192 ~= utf8.count, consists(of: .random), !isUUID, !isVersion else { return false }
    let (changes, hasDigit) = withUTF8Bytes(\.changes)
    guard hasDigit else { return utf8.count >= 20 && 5 * changes >= 2 * utf8.count }
    guard changes >= max(3, utf8.count / 8), !isPath else { return false }
    return consists(of: .capital) || !consistsOfWords(numberedBy: 2)
  }

  /// Whether the text is the name of a file, or a path to one.
  var isFileName: Bool { withUTF8Bytes(\.hasExtension) }

  /// Whether the text is as long as the names of objects of Git, and consists of hexadecimal digits.
  var isGitObject: Bool { (utf8.count == 40 || utf8.count == 64) && consists(of: .lowercaseHexadecimal) }

  /// Whether the text is a certificate or a public key in Base64 (DER): a sequence that begins with another one.
  /// Private keys begin with a version.
  var isPublicKey: Bool {
    guard hasPrefix("M"), utf8.count >= 56, let data = Data(base64OfAnyKind: String(prefix(12))) else { return false }
    let bytes = [UInt8](data)
    guard bytes.count > 5, bytes[0] == 0x30 else { return false }
    // The length has one byte, or as many more as it says.
    return bytes[bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 3)] == 0x30
  }

  /// Whether the value is a secret wherever it stands, because it can't be there by coincidence.
  var isUnmistakable: Bool {
    if isWords { return false }
    if utf8.count >= 12 { return !isDate && !isAddress }
    let hasLetter = lowercased() != uppercased()
    return utf8.count >= 6 && hasLetter && [ByteSet.digit, .strongSigns].allSatisfy(contains(anyOf:))
  }

  var isUUID: Bool { utf8.count == 36 && UUID(uuidString: self) != nil }

  /// Whether the text is a date of ISO 8601, perhaps with a time.
  var isDate: Bool {
    consists(of: .date) && prefix(10).pieces(at: "-").map(\.utf8.count) == [4, 2, 2]
  }
}

extension Bytes {
  /// Whether there are 2 to 24 words of 3 to 12 small letters and numbers of up to 4 digits, with a space after each.
  fileprivate var isOfWordsAndNumbers: Bool {
    var (count, start) = (0, 0)
    while start < self.count {
      let letters = firstIndex(notIn: .lowercase, from: start) - start
      let digits = firstIndex(notIn: .digit, from: start) - start
      guard letters >= 3 && letters <= 12 || digits >= 1 && digits <= 4 else { return false }
      start += letters + digits
      guard start == self.count || has(" ", at: start) else { return false }
      (count, start) = (count + 1, start + 1)
    }
    return count >= 2 && count <= 24
  }

  /// Whether a full stop, a letter and up to three more letters and digits end the text.
  var hasExtension: Bool {
    let start = startIndex(of: .alphanumeric, before: count)
    return 1...4 ~= count - start && has(.alphabetic, at: start) && has(".", at: start - 1)
  }

  /// How often digits, capital letters and small ones follow one another, and whether there is a digit.
  fileprivate var changes: (count: Int, hasDigit: Bool) {
    var (changes, kind, hasDigit, index) = (0, 0, false, 0)
    while index < count {
      let byte = self[index]
      index += 1
      guard ByteSet.alphanumeric[byte] else { continue }
      let next = ByteSet.digit[byte] ? 1 : ByteSet.capital[byte] ? 2 : 3
      if kind != 0, next != kind { changes += 1 }
      (kind, hasDigit) = (next, hasDigit || next == 1)
    }
    return (changes, hasDigit)
  }
}
