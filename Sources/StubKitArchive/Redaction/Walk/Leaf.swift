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

  var place: Place
  var name = ""
  /// The value without its escapes. A literal of JSON has none.
  var value: SecretText
  /// Whether the value is a number of JSON.
  var isNumber = false
}

/// The readers of formats. Each knows one format, and none knows what a secret is. One that can't read a part reads
/// that as text.
extension SecretFinder {
  /// Takes a leaf, and reads its value.
  mutating func take(_ leaf: Leaf) {
    guard visit(leaf) else { return }
    read(leaf.value)
    readBase64(leaf.value)
  }

  /// Reads the body of a type: its parts if it has some, whatever its type says.
  mutating func readBody(_ text: SecretText, _ type: String) {
    if depth < 6, let boundary = text.bytes.boundary ?? MultipartBody.boundary(ofContentType: type) {
      depth += 1
      begin()
      let parts = MultipartBody(parsing: Data(text.bytes), boundary: boundary).parts
      for part in parts {
        let leaf = Leaf(place: .part, name: part.name ?? "", value: text[part.body.indices])
        if visit(leaf) { readBody(leaf.value, part.contentType) }
      }
      end()
      depth -= 1
      if !parts.isEmpty { return }
    }
    let type = type.lowercased()
    if text.bytes.firstIndex(in: .binary) < text.bytes.count {
      // Pictures, sound and fonts have no names.
      isBinary = isBinary || !["image/", "audio/", "video/", "font/"].contains(where: type.hasPrefix)
    } else if type.hasPrefix("application/x-www-form-urlencoded"), !text.bytes.isJSON {
      readItems(text, .form, .inForm)
    } else {
      read(text)
    }
  }

  /// Reads a text of an unknown kind.
  mutating func read(_ text: SecretText) {
    // Names and values don't fit into less.
    guard text.bytes.count > 7, depth < 6 else { return }
    depth += 1
    begin()
    // What has no marks can be percent-encoded as a whole.
    let isEncoded = text.bytes.firstIndex(in: .textMarks) == text.bytes.count
    let text = isEncoded ? text.decoded(.inURL) : text
    if text.bytes.isJSON {
      readJSON(text)
    } else if text.bytes.isURL {
      readURL(text)
    } else {
      readText(text.decoded(.inText))
    }
    end()
    depth -= 1
  }
}

extension Bytes {
  /// Whether an object or an array begins.
  fileprivate var isJSON: Bool { has(.opening, at: firstIndex(notIn: .space)) }

  /// Whether the whole text is a URL, perhaps without a host.
  var isURL: Bool {
    let path = firstIndex(notIn: .path)
    return (has(.queries, at: path) || path == count && firstIndex(of: "://") != nil)
      && firstIndex(in: .notInURL, from: path) == count
  }

  /// The boundary with which a multipart body begins, whatever its type says.
  fileprivate var boundary: String? {
    let end = firstIndex(in: .newline)
    guard has("--", at: 0), 3...80 ~= end, firstIndex(of: "ontent-", from: end, to: end + 24) != nil else { return nil }
    return String(utf8: self[2..<end])
  }
}
