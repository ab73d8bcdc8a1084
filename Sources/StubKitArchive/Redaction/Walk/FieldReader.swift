import StubKit

extension SecretFinder {
  /// Reads a header field: cookies or a value.
  func readHeader(_ text: SecretText, named name: String) {
    switch name.lowercased() {
    case "cookie": readItems(text, .cookie, .none, at: .semicolon)
    case "set-cookie":
      let fields = text.string
      for field in StubHeaders.cookies(joined: fields) {
        let range = fields[..<field.startIndex].utf8.count..<fields[..<field.endIndex].utf8.count
        // Attributes follow the cookie.
        readItems(text[range].pieces(at: .semicolon)[0], .cookie, .none, at: .semicolon)
      }
    default: take(Leaf(place: .header, name: name, value: text))
    }
  }

  /// Reads user information, path, query and fragment of a URL.
  func readURL(_ text: SecretText) {
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
  func readItems(
    _ text: SecretText, _ place: Leaf.Place, _ escapes: ByteSet, at delimiter: ByteSet = .ampersand
  ) {
    begin()
    // Fields such as `items[0][name]` and `items[0][value]` belong together.
    var prefix: SecretText?
    for item in text.pieces(at: delimiter) {
      let mark = item.bytes.firstIndex(of: UInt8(ascii: "="), from: 0)
      guard let mark, mark > 0 else {
        takeNameless(item[(mark ?? -1) + 1..<item.bytes.count].trimmed().decoded(escapes), place)
        continue
      }
      let name = item[0..<mark].trimmed().decoded(escapes)
      let start = name.bytes.has("]", at: name.bytes.count - 1) ? name.bytes.lastIndex(of: UInt8(ascii: "[")) : nil
      let outer = start.flatMap { $0 > 0 ? name[0..<$0] : nil }
      if outer?.string != prefix?.string {
        end()
        begin()
        prefix = outer
      }
      take(Leaf(place: place, name: name.string, value: item[(mark + 1)...].trimmed().decoded(escapes)))
    }
    end()
  }

  /// Takes an item without a name: the value of a cookie (RFC 6265bis, section 5.6), or a key that is a whole query.
  private func takeNameless(_ value: SecretText, _ place: Leaf.Place) {
    guard !value.bytes.isEmpty else { return }
    let leaf = Leaf(place: place, value: value)
    guard place == .query, rules.isStandard else { return take(leaf) }
    if !decide(value, SecretName(.weak, "", .name, "query without a name"), leaf) { take(leaf) }
  }
}
