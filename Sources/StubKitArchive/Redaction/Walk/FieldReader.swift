import Foundation
import StubKit

extension LeafVisitor {
  /// Reads a header field: cookies or a value.
  mutating func readHeader(_ text: SecretText, named name: String) {
    switch name.lowercased() {
    case "cookie": for cookie in text.pieces(at: .semicolon) { readCookie(cookie) }
    case "set-cookie":
      let joined = text.string
      for cookie in ResponseHeaders.cookies(joined: joined) {
        let start = joined.utf8.distance(from: joined.startIndex, to: cookie.startIndex)
        readCookie(text[start..<start + cookie.utf8.count].pieces(at: .semicolon)[0])
      }
    default: take(Leaf(place: .header, name: name, value: text))
    }
  }

  private mutating func readCookie(_ cookie: SecretText) {
    guard let (name, value) = cookie.pair else { return }
    take(Leaf(place: .cookie, name: name.trimmed.string, value: value.trimmed))
  }

  /// Reads a URL, and a link in it.
  mutating func readLink(_ text: SecretText) {
    readURL(text)
    text.decoded(.inURL) { if $0.bytes.count < text.bytes.count { read($0) } }
  }

  /// Reads user information, path, query and fragment of a URL.
  mutating func readURL(_ text: SecretText) {
    let parts = text.pieces(at: .queries)
    let segments = parts[0].pieces(at: .slash)
    if segments.count > 2, segments[1].bytes.isEmpty,
      let at = segments[2].bytes.lastIndex(of: UInt8(ascii: "@"))
    {
      let colon = segments[2].bytes[..<at].firstIndex(of: UInt8(ascii: ":")) ?? at
      take(Leaf(place: .user, name: "user", value: segments[2][0..<colon], escapes: .inURL))
      take(Leaf(place: .user, name: "password", value: segments[2][min(colon + 1, at)..<at], escapes: .inURL))
    }
    visit(path: segments)
    for items in parts[0].pieces(at: .semicolon).dropFirst() + parts.dropFirst() { readItems(items, .query) }
  }

  /// Reads the items of a query or a form.
  mutating func readItems(_ text: SecretText, _ place: Leaf.Place) {
    let escapes = place == .form ? ByteSet.inForm : .inURL
    begin(nil)
    for (name, value) in text.pieces(at: .ampersand).compactMap(\.pair) {
      take(Leaf(place: place, name: name.decoded(escapes) { $0.string }, value: value, escapes: escapes))
    }
    end()
  }
}

extension SecretText {
  /// The name and the value of `name=value`.
  var pair: (name: SecretText, value: SecretText)? {
    let mark = bytes.firstIndex(in: .equals)
    return mark < bytes.count ? (self[0..<mark], self[(mark + 1)...]) : nil
  }
}
