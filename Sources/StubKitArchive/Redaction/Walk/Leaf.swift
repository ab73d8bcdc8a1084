import Foundation
import StubKit

/// A value of an exchange with its name and its place. Whatever the format is, it consists of leaves.
struct Leaf {
  enum Place: Int, CaseIterable, Sendable {
    case header, cookie, user, query, form, part, path, member, key, attribute
    /// In text: an element, a value in quotation marks, one after `NAME=`, another one, and one after words.
    case element, quoted, assigned, text, word
    /// In text: what a line has after a name, and a word in brackets.
    case line, bare

    /// Whether nothing ends what belongs together.
    var isLoose: Bool { rawValue >= Place.element.rawValue }
    /// The place by which rules call it.
    var named: Place {
      switch self {
      case .line, .bare: .text
      default: self
      }
    }
  }

  var place: Place
  var name = ""
  /// The value without its escapes. A literal of JSON has none.
  var value: SecretText
  /// Whether the value is a number of JSON.
  var isNumber = false
  /// The text of a name of which no rule knows a part, so that it isn't needed as a string.
  var unknownName: SecretText?
}

/// The readers of formats. Each knows one format, and none knows what a secret is. One that can't read a part reads
/// that as text.
extension SecretFinder {
  /// How many texts can be within one another.
  private static let deepest = 32

  /// Reads the body of a type: its parts if it has some, whatever its type says.
  func readBody(_ text: SecretText, _ type: String) {
    if readParts(text, type) { return }
    let type = type.lowercased()
    if text.bytes.firstIndex(in: .binary) < text.bytes.count {
      // Pictures, sound and fonts have no names.
      isBinary = isBinary || !["image/", "audio/", "video/", "font/"].contains(where: type.hasPrefix)
    } else if type.hasPrefix("application/x-www-form-urlencoded"), !text.bytes.isJSON {
      readItems(text, .form, .inForm)
    } else if !readEncoded(text.trimmed()) {
      read(text)
    }
  }

  /// Reads a text of an unknown kind.
  func read(_ text: SecretText) {
    // Names and values don't fit into less, but a path leads to values of any length.
    guard text.bytes.count > (rules.jsonPaths.isEmpty ? 7 : 2) else { return }
    // A word alone has no name.
    if text.bytes.firstIndex(notIn: .word) == text.bytes.count {
      return noteRandom(text, Leaf(place: .word, value: text), SecretName.nothing)
    }
    if text.bytes.isProse || text.bytes.isTime { return }
    guard enter(text.bytes.count) else { return }
    if text.bytes.isSerializedByPHP {
      // Its lengths would be wrong.
      isSerialized = true
      return depth -= 1
    }
    begin()
    // What has no marks can be percent-encoded as a whole.
    let isEncoded = text.bytes.firstIndex(in: .textMarks) == text.bytes.count
    let decoded = isEncoded ? text.decoded(.inURL) : text
    if decoded.bytes.count < text.bytes.count {
      read(decoded)
    } else if let decoded = text.withoutEntities {
      read(decoded)
    } else if text.bytes.isURL {
      readURL(text)
    } else if text.bytes.isMessage {
      readMessage(text)
    } else if text.bytes.isForm {
      readItems(text, .form, .inForm)
    } else {
      // The names and strings of JSON are what they are.
      var reader = StructureReader(text.bytes.beginsAsJSON ? text : text.decoded(.signs), self)
      reader.read()
    }
    end()
    depth -= 1
  }

  /// Begins a text within another one, if there is enough work left for it. Whatever a text contains, reading it takes
  /// time in proportion to its length.
  private func enter(_ count: Int) -> Bool {
    guard depth < Self.deepest, count <= work else {
      isCutShort = true
      return false
    }
    work -= count
    depth += 1
    return true
  }

  // MARK: What is encoded as a whole

  /// Reads what a value encodes in Base64 or in hexadecimal digits. Returns whether that is text.
  @discardableResult
  func readEncoded(_ value: SecretText) -> Bool {
    let digits = value.withoutPrefix
    guard let encoded = EncodedText(digits.bytes) else { return false }
    read(encoded, at: digits)
    return encoded.isText
  }

  /// Whether a value encodes a text as a whole, so that not its look counts, but what is in it.
  func encodesText(_ value: SecretText) -> Bool {
    if EncodedText(value.withoutPrefix.bytes)?.isText == true { return true }
    let decoded = value.decoded(.inURL)
    return decoded.bytes.count < value.bytes.count && decoded.bytes.firstIndex(in: .structure) < decoded.bytes.count
  }

  private func read(_ encoded: EncodedText, at value: SecretText) {
    let found = nested(encoded)
    findings.encoded.append(
      EncodedFindings(
        range: value.origins(0..<value.bytes.count), text: encoded, findings: found))
  }

  /// Returns what is found in a text that is encoded.
  func nested(_ encoded: EncodedText) -> Findings {
    // Swapped, and not copied: what is found is added to one list.
    var other = Findings()
    guard enter(encoded.bytes.count) else { return other }
    swap(&findings, &other)
    lastRandom = nil
    if encoded.isText {
      encoded.bytes.withUnsafeBufferPointer { bytes in
        let text = SecretText(bytes)
        table.reserve(bytes)
        if !readEncoded(text) { read(text) }
        searchShapes(text)
      }
    } else if encoded.bytes.starts(with: [0x1F, 0x8B, 8]) {
      isCompressed = true
    }
    swap(&findings, &other)
    depth -= 1
    return other
  }
}

extension SecretText {
  /// The text without white space around it, and without what is before hexadecimal digits.
  fileprivate var withoutPrefix: SecretText {
    let text = trimmed()
    return text.bytes.has("0x", at: 0) && text.bytes.has(.hexadecimal, at: 4) ? text[2...] : text
  }

  /// The text of one whose quotation marks and tags are all written as entities, or `nil` if it is another one.
  fileprivate var withoutEntities: SecretText? {
    guard bytes.firstIndex(of: UInt8(ascii: "&"), from: 0) != nil, bytes.firstIndex(in: .rawMarkup) == bytes.count
    else { return nil }
    let decoded = self.decoded(.entity)
    return decoded.bytes.count < bytes.count ? decoded : nil
  }
}

extension Bytes {
  /// Whether an object or an array begins.
  fileprivate var isJSON: Bool { has(.opening, at: firstIndex(notIn: .space)) }

  /// Whether an object or an array begins as none of another kind of text does, such as `[INFO]`.
  fileprivate var beginsAsJSON: Bool {
    let opening = firstIndex(notIn: .space)
    guard has(.opening, at: opening) else { return false }
    let first = firstIndex(notIn: .space, from: opening + 1)
    if has(.startOfMember, at: first) { return true }
    let end = firstIndex(notIn: .inNumber, from: first)
    return has(",", at: firstIndex(notIn: .space, from: end))
      && (isNumberOfJSON(first..<end) || isLiteralOfJSON(first..<end))
  }

  /// Whether the whole text is a URL, perhaps without a host.
  var isURL: Bool {
    let path = firstIndex(notIn: .path)
    return (has(.queries, at: path) || path == count && firstIndex(of: "://") != nil)
      && firstIndex(in: .notInURL, from: path) == count
  }

  /// Whether there are only letters in short words and what is between those, which no reader finds anything in.
  fileprivate var isProse: Bool {
    guard firstIndex(notIn: .prose) == count else { return false }
    var start = 0
    while start < count {
      let end = firstIndex(in: .spaceOnly, from: start)
      if end - start >= EncodedText.leastDigits { return false }
      start = end + 1
    }
    return true
  }

  /// Whether the text is a date of ISO 8601 with a time, in which no reader finds anything either.
  fileprivate var isTime: Bool {
    count < 36 && has("-", at: 4) && has("-", at: 7) && has("T", at: 10) && firstIndex(notIn: .date) == count
  }

  /// Whether the text is what PHP's `serialize` writes for an array or an object: `a:1:{s:1:"a";…`.
  fileprivate var isSerializedByPHP: Bool {
    guard count > 8, has(.serialized, at: 0), has(":", at: 1) else { return false }
    let end = firstIndex(notIn: .digit, from: 2)
    return end > 2 && (has(":{", at: end) || has(":\"", at: end))
  }

  /// Whether the whole text is a form of several fields.
  fileprivate var isForm: Bool {
    let mark = firstIndex(notIn: .inFieldName)
    guard has("=", at: mark), mark > 0, firstIndex(in: .notInURL) == count else { return false }
    let next = firstIndex(in: .ampersand, from: mark)
    return next < count && has("=", at: firstIndex(notIn: .inFieldName, from: next + 1))
  }
}
