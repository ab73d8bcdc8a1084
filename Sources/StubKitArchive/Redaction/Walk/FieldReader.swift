import StubKit

extension SecretFinder {
  /// Reads a header field: cookies or a value.
  mutating func readHeader(_ text: SecretText, named name: String) {
    switch name.lowercased() {
    case "cookie": readItems(text, .cookie, .none, at: .semicolon)
    case "set-cookie":
      let fields = text.string
      for field in ResponseHeaders.cookies(joined: fields) {
        let range = fields[..<field.startIndex].utf8.count..<fields[..<field.endIndex].utf8.count
        // Attributes follow the cookie.
        readItems(text[range].pieces(at: .semicolon)[0], .cookie, .none, at: .semicolon)
      }
    default: take(Leaf(place: .header, name: name, value: text))
    }
  }

  /// Reads user information, path, query and fragment of a URL.
  mutating func readURL(_ text: SecretText) {
    let parts = text.pieces(at: .queries)
    let segments = parts[0].pieces(at: .slash)
    if segments.count > 2, segments[1].bytes.isEmpty, let at = segments[2].bytes.lastIndex(of: UInt8(ascii: "@")) {
      for (index, part) in segments[2][0..<at].pieces(at: .colon).enumerated() {
        take(Leaf(place: .user, name: index == 0 ? "user" : "password", value: part.decoded(.inURL)))
      }
    }
    visit(path: segments)
    for items in parts[0].pieces(at: .semicolon).dropFirst() + parts.dropFirst() { readItems(items, .query, .inURL) }
  }

  /// Reads the items of a query, a form or a field with cookies.
  mutating func readItems(
    _ text: SecretText, _ place: Leaf.Place, _ escapes: ByteSet, at delimiter: ByteSet = .ampersand
  ) {
    begin()
    for item in text.pieces(at: delimiter) {
      guard let mark = item.bytes.firstIndex(of: "=") else { continue }
      let name = item[0..<mark].trimmed().decoded(escapes).string
      take(Leaf(place: place, name: name, value: item[(mark + 1)...].trimmed().decoded(escapes)))
    }
    end()
  }
}
