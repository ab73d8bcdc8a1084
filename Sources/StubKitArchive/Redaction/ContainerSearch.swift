import Foundation
import StubKitFormats

/// Searches one text and the containers in it.
struct ContainerSearch {
  /// How a value is written in its container.
  enum Encoding {
    /// As it is.
    case plain
    /// In a URL.
    case percent
    /// In a form, where a plus is a space.
    case form
    /// In XML or HTML.
    case markup
  }

  let walk: SecretWalk
  // Lent by the caller for the time of the search.
  let text: UnsafeBufferPointer<UInt8>
  /// The number of containers around the text.
  let depth: Int
  private(set) var edits = ByteEdits()

  init(walk: SecretWalk, text: UnsafeBufferPointer<UInt8>, depth: Int) {
    self.walk = walk
    self.text = text
    self.depth = depth
  }

  var rules: SecretRules { walk.rules }

  // MARK: Kinds of text

  mutating func searchBody(contentType: String) {
    let type = contentType.lowercased()
    if let boundary = MultipartBody.boundary(ofContentType: contentType) ?? text.boundary {
      return searchMultipart(boundary: boundary)
    }
    if type.starts(withBytesOf: "text/event-stream") { return searchEvents() }
    if type.contains("json"), text.first(where: { $0 > 0x20 }) != UInt8(ascii: "<") { return searchJSON() }
    if type.starts(withBytesOf: "application/x-www-form-urlencoded"), !text.looksLikeJSON, !text.looksLikeMarkup {
      return searchForm()
    }
    searchText()
  }

  /// Searches a text of an unknown kind.
  mutating func searchText() {
    if text.looksLikeJSON {
      searchJSON()
    } else if text.looksLikeMarkup {
      searchMarkup()
    } else if text.looksLikeForm {
      searchForm()
    } else if text.looksLikeEvents {
      searchEvents()
    } else {
      searchPlain(0..<text.count)
    }
  }

  // MARK: Values

  mutating func replace(_ range: Range<Int>, with replacement: String) { edits.replace(range, with: replacement) }

  mutating func append(_ other: ByteEdits, at offset: Int) { edits.append(other, at: offset) }

  /// Replaces a value that has a secret name.
  mutating func replaceSecret(_ range: Range<Int>, _ encoding: Encoding) {
    guard !range.isEmpty else { return }
    let value = decoded(range, encoding)
    if let replacement = walk.secret(value) { replace(range, with: encoded(replacement, encoding)) }
  }

  /// Searches a value that has no secret name.
  mutating func searchValue(_ range: Range<Int>, _ encoding: Encoding) {
    guard !range.isEmpty else { return }
    guard depth < SecretWalk.deepest else { return }
    let value = decoded(range, encoding)
    if let replacement = replacement(ofValue: value) { replace(range, with: encoded(replacement, encoding)) }
  }

  /// Returns a value without its secrets, or `nil` if it has none.
  func replacement(ofValue value: String) -> String? {
    if let placeholder = walk.placeholders.replacement(ofWhole: value) { return placeholder }
    if let redacted = walk.redacted(value, depth: depth + 1) { return redacted }
    guard value.utf8.count >= 16, value.starts(withBytesOf: "eyJ") || value.starts(withBytesOf: "PD94"),
      let text = value.decodedFromBase64, let redacted = walk.redacted(text, depth: depth + 1)
    else { return nil }
    let encoded = Data(redacted.utf8).base64EncodedString()
    return value.utf8.count % 4 == 0 ? encoded : encoded.withoutPadding
  }

  func decoded(_ range: Range<Int>, _ encoding: Encoding) -> String {
    let value = String(decoding: text[range], as: UTF8.self)
    return switch encoding {
    case .plain: value
    case .percent: value.percentDecoded
    case .form: value[...].formDecoded
    case .markup: value.withoutReferences
    }
  }

  private func encoded(_ value: String, _ encoding: Encoding) -> String {
    switch encoding {
    case .plain: value
    case .percent, .form: value.percentEncoded
    case .markup: value.escapedForMarkup
    }
  }

  // MARK: Bodies in parts

  private mutating func searchMultipart(boundary: String) {
    let body = Data(text)
    for part in MultipartBody(parsing: body, boundary: boundary).parts {
      let start = part.body.startIndex - body.startIndex
      let range = start..<start + part.body.count
      if let name = part.name, rules.isSecret(name, in: .form) {
        replaceSecret(range, .plain)
      } else if depth < SecretWalk.deepest {
        let rest = UnsafeBufferPointer(rebasing: text[range])
        if walk.placeholders.hasWholeValues, rest.count <= SecretRules.longestName,
          let placeholder = walk.placeholders.replacement(ofWhole: String(decoding: rest, as: UTF8.self))
        {
          replace(range, with: placeholder)
          continue
        }
        var search = ContainerSearch(walk: walk, text: rest, depth: depth + 1)
        search.searchBody(contentType: part.contentType)
        append(search.edits, at: start)
      }
    }
  }

  /// Searches the data of server-sent events, line by line.
  private mutating func searchEvents() {
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
      var field = start
      if text[start..<end].starts(with: "data:".utf8) {
        field = start + 5
        if field < end, text[field] == 0x20 { field += 1 }
      }
      if field < end, depth < SecretWalk.deepest {
        var search = ContainerSearch(
          walk: walk, text: UnsafeBufferPointer(rebasing: text[field..<end]), depth: depth + 1)
        search.searchText()
        append(search.edits, at: field)
      }
      start = end + 1
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  private var firstOfText: Int? {
    let start = starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return self[start...].firstIndex { $0 > 0x20 }
  }

  /// Whether the text begins like an object or an array.
  fileprivate var looksLikeJSON: Bool {
    guard let first = firstOfText, self[first] == UInt8(ascii: "{") || self[first] == UInt8(ascii: "[") else {
      return false
    }
    guard let second = self[(first + 1)...].first(where: { $0 > 0x20 }) else { return true }
    return self[first] == UInt8(ascii: "{")
      ? second == UInt8(ascii: "\"") || second == UInt8(ascii: "}")
      : second.isDigit || "{[\"]tfn-".utf8.contains(second)
  }

  fileprivate var looksLikeMarkup: Bool {
    guard let first = firstOfText, self[first] == UInt8(ascii: "<"), first + 1 < count else { return false }
    let second = self[first + 1]
    guard second.isAlphanumeric || second == UInt8(ascii: "!") || second == UInt8(ascii: "?") else { return false }
    // A link in a header isn't a page.
    return !self[(first + 1)...].starts(with: "http".utf8)
  }

  /// Whether the text is a list of names and values, and nothing else.
  fileprivate var looksLikeForm: Bool {
    guard let equals = firstIndex(of: UInt8(ascii: "=")), equals > 0, equals <= SecretRules.longestName,
      self[..<equals].allSatisfy({ $0.isAlphanumeric || "-_.[]%+~*".utf8.contains($0) })
    else { return false }
    return allSatisfy { 0x21...0x7E ~= $0 && !"\"<>".utf8.contains($0) }
  }

  fileprivate var looksLikeEvents: Bool {
    guard let first = firstOfText else { return false }
    let rest = self[first...]
    return ["data: ", "data:{", "event: ", "event:"].contains { rest.starts(with: $0.utf8) }
      && rest.contains(0x0A)
  }

  /// The boundary of a multipart body whose type doesn't say that it is one.
  fileprivate var boundary: String? {
    guard starts(with: "--".utf8), let end = prefix(80).firstIndex(of: 0x0D) ?? prefix(80).firstIndex(of: 0x0A),
      end > 2, self[end...].prefix(40).contains(where: { $0 | 0x20 == UInt8(ascii: "c") }),
      String(decoding: self[end...].prefix(24), as: UTF8.self).lowercased().contains("content-")
    else { return nil }
    return String(decoding: self[2..<end], as: UTF8.self)
  }
}

extension String {
  /// The text with an escape for everything that isn't unreserved (RFC 3986, section 2.3).
  var percentEncoded: String { percentEscaped { $0.isUnreserved } }

  /// Returns the text with an escape for each byte that isn't plain.
  func percentEscaped(unless isPlain: (UInt8) -> Bool) -> String {
    guard !utf8.allSatisfy(isPlain) else { return self }
    var encoded: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in utf8 {
      if isPlain(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The text with the references of XML resolved.
  fileprivate var withoutReferences: String {
    guard has("&") else { return self }
    return [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&amp;", "&"),
    ]
    .reduce(self) { $0.replacing($1.0, with: $1.1) }
  }

  fileprivate var escapedForMarkup: String {
    guard utf8.contains(where: { "&<>\"".utf8.contains($0) }) else { return self }
    return [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")].reduce(self) {
      $0.replacing($1.0, with: $1.1)
    }
  }
}

extension UInt8 {
  fileprivate var isUnreserved: Bool { isAlphanumeric || "-._~".utf8.contains(self) }
}
