import Foundation
import StubKitFormats

extension RedactionRules {
  /// Returns the secrets in the URLs of a text: the values of query items, and user info.
  ///
  /// A query follows any `?`, `#` or `&`. The text can be a URL, a header or a page with links.
  func urlEdits(_ text: UnsafeBufferPointer<UInt8>) -> ByteEdits {
    var edits = ByteEdits()
    guard readsURLs else { return edits }
    var position = 0
    while position < text.count {
      let byte = text[position]
      position += 1
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"):
        guard !queryItems.isEmpty, let item = item(text, from: position) else { continue }
        if queryItems.contains(item.name.redactionName) { edits.redact(item.value, in: text) }
      // Redacts the items of the query that begins with this character.
      case UInt8(ascii: "/") where redactsUserInfo && position > 2 && position < text.count:
        guard text[position] == UInt8(ascii: "/"), text[position - 2] == UInt8(ascii: ":"),
          let userInfo = userInfo(text, from: position + 1)
        else { continue }
        edits.redact(userInfo, in: text)
      default: continue
      }
    }
    return edits
  }

  private func item(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (name: String, value: Range<Int>)? {
    var start = start
    // A link in HTML.
    if text[start...].starts(with: "amp;".utf8) { start += 4 }
    guard let equals = text[start...].firstIndex(where: { $0 == UInt8(ascii: "=") || $0.endsItem }),
      text[equals] == UInt8(ascii: "="), equals - start <= 256
    else { return nil }
    let name = String(decoding: text[start..<equals], as: UTF8.self).percentDecoded
    let end = text[(equals + 1)...].firstIndex(where: \.endsItem) ?? text.count
    return (name, equals + 1..<end)
  }

  private func userInfo(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
    let end = text[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0.endsItem }
    return text[start..<(end ?? text.count)].lastIndex(of: UInt8(ascii: "@")).map { start..<$0 }
  }

  func redactedURLs(_ text: String, _ count: inout Int) -> String {
    var text = text
    let edits = text.withUTF8 { urlEdits($0) }
    count += edits.count
    return edits.isEmpty ? text : edits.applied(to: text)
  }
}

extension ByteEdits {
  /// Empty and redacted values stay.
  mutating func redact(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>, quoted: Bool = false) {
    let mark = quoted ? "\"\(Redaction.mark)\"" : Redaction.mark
    guard !range.isEmpty, !text[range].elementsEqual(mark.utf8), !(quoted && text[range].elementsEqual("\"\"".utf8))
    else { return }
    replace(range, with: mark)
  }
}

extension UInt8 {
  /// Whether the character ends a query item in text.
  fileprivate var endsItem: Bool {
    switch self {
    case UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "\\"), 0...0x20:
      true
    default: false
    }
  }
}
