import Foundation
import StubKit

/// A value of an exchange with its name and its place. Whatever the format is, it consists of leaves.
struct Leaf {
  enum Place: Int, CaseIterable, Sendable {
    case header, cookie, user, query, form, part, member, attribute
    /// In text: an element, a value in quotation marks, one after `NAME=`, another one, and one after words.
    case element, quoted, assigned, text, word

    /// Whether only white space ends the value.
    var isText: Bool { self == .text || self == .word }
    /// Whether nothing ends what belongs together.
    var isLoose: Bool { rawValue >= Place.element.rawValue }
  }

  enum Kind { case string, number, literal }

  var place: Place
  var name = ""
  /// The value with its escapes.
  var value: SecretText
  /// What the escapes begin with.
  var escapes = ByteSet.none
  var kind = Kind.string
}

/// What takes the leaves that a walk yields, each once.
///
/// The readers are extensions of it. Each knows one format, and none knows what a secret is. One that can't read a part
/// reads that as text.
protocol LeafVisitor {
  /// How many texts of other kinds there are around the current one.
  var depth: Int { get set }

  /// Takes a leaf, and its value without escapes. Returns whether the walk goes on in the value.
  mutating func visit(_ leaf: Leaf, _ value: SecretText) -> Bool
  /// Takes the segments of a URL's path, with the scheme and the host as the first ones, if there are any.
  mutating func visit(path segments: [SecretText])
  /// Takes a value and the text that it encodes in Base64.
  mutating func visit(_ value: SecretText, encoding text: SecretText)
  /// Begins an object or a list with its name in the one around it, or without a name a form or a tag.
  mutating func begin(_ name: String?)
  mutating func end()
  /// Takes note of a body without names.
  mutating func skipBinary(_ type: String)
}

extension LeafVisitor {
  mutating func take(_ leaf: Leaf) {
    leaf.value.decoded(leaf.escapes) { value in
      guard !value.bytes.isEmpty, visit(leaf, value) else { return }
      read(value)
      readBase64(value)
    }
  }

  /// Reads the body of a type.
  mutating func readBody(_ text: SecretText, _ type: String) {
    let kind = type.pieces(at: ";")[0].lowercased()
    if depth < 6, readParts(text, type) { return }
    if text.bytes.firstIndex(in: .binary) < text.bytes.count {
      skipBinary(kind)
    } else if kind.hasPrefix("application/x-www-form-urlencoded"), text.bytes.startOfJSON == nil {
      readItems(text, .form)
    } else {
      read(text)
    }
  }

  /// Reads a text of an unknown kind.
  mutating func read(_ text: SecretText) {
    // Names and values don't fit into less.
    guard text.bytes.count > 7, depth < 6 else { return }
    depth += 1
    defer { depth -= 1 }
    if let start = text.bytes.startOfJSON {
      readJSON(text[start...])
    } else if text.bytes.isURL {
      readLink(text)
    } else {
      text.decoded(.inText) { readText($0) }
    }
  }

  /// Reads the parts of a multipart body. Returns whether it has some, whatever its type says.
  private mutating func readParts(_ text: SecretText, _ type: String) -> Bool {
    guard let boundary = text.bytes.boundary ?? MultipartBody.boundary(ofContentType: type) else { return false }
    let body = Data(text.bytes)
    let parts = MultipartBody(parsing: body, boundary: boundary).parts
    depth += 1
    begin(nil)
    for part in parts {
      let start = part.body.startIndex - body.startIndex
      let content = text[start..<start + part.body.count]
      let leaf = Leaf(place: .part, name: part.name ?? "", value: content)
      if visit(leaf, content) { readBody(content, part.contentType) }
    }
    end()
    depth -= 1
    return !parts.isEmpty
  }

  /// Reads what a value encodes in Base64, if that is JSON, PEM or other text.
  mutating func readBase64(_ value: SecretText) {
    guard 20...1_048_576 ~= value.bytes.count, depth < 6 else { return }
    guard value.bytes.firstIndex(notIn: .token) == value.bytes.count, let text = value.string.decodedFromBase64
    else { return }
    depth += 1
    text.withUTF8Bytes { visit(value, encoding: SecretText($0)) }
    depth -= 1
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The beginning of an object or an array.
  var startOfJSON: Int? {
    let start = firstIndex(notIn: .space)
    return start < count && "{[".utf8.contains(self[start]) ? start : nil
  }

  /// Whether the whole text is a URL, perhaps without a host.
  var isURL: Bool {
    let path = firstIndex(notIn: .path)
    return (path < count ? ByteSet.queries[self[path]] : firstIndex(of: "://") != nil)
      && firstIndex(in: .notInURL, from: path) == count
  }

  /// The boundary with which a multipart body begins, whatever its type says.
  fileprivate var boundary: String? {
    let end = firstIndex(in: .newline)
    guard has("--", at: 0), 3...80 ~= end, firstIndex(of: "ontent-", from: end, to: end + 24) != nil else { return nil }
    return String(utf8: self[2..<end])
  }
}
