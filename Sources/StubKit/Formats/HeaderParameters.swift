import Foundation

/// The parameters of a header such as `form-data; name="a"; filename="b.png"` (RFC 9110, section 5.6.6).
package struct HeaderParameters: Sendable {
  private var values: [String: String] = [:]

  package init(_ header: String) {
    var rest = header[...]
    while true {
      _ = rest.take(upTo: ";")
      guard rest.take(";") else { return }
      rest = Substring(rest.utf8.drop { $0.isWhiteSpace })
      let name = rest.take(upTo: "=", ";").lowercased()
      guard rest.take("=") else { continue }
      let value = Self.takeValue(&rest)
      // The first of two values counts, as in browsers.
      if values[name] == nil { values[name] = value }
    }
  }

  /// Names compare without case.
  package subscript(name: String) -> String? { values[name] }

  /// Returns the text that a sender means: that of `name*`, in UTF-8 as in RFC 8187 (section 3.2), or else that of
  /// `name`, with the quotes and line breaks that browsers escape (WHATWG HTML, "multipart/form-data").
  package func text(_ name: String) -> String? {
    // JavaScript's encodeURIComponent leaves an apostrophe as it is.
    if let (charset, rest) = values["\(name)*"]?.cut(at: "'"), charset.lowercased() == "utf-8",
      let bytes = rest.cut(at: "'")?.after.utf8.percentDecoded(), let text = String(validUTF8: bytes)
    {
      return text
    }
    let escapes = [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")]
    return values[name].map { escapes.reduce($0) { $0.replacing($1.0, with: $1.1) } }
  }

  private static func takeValue(_ rest: inout Substring) -> String {
    guard rest.take("\"") else {
      var token = rest.take(upTo: ";").utf8
      while token.last?.isWhiteSpace == true { token.removeLast() }
      return String(Substring(token))
    }
    var value = ""
    while true {
      value += rest.take(upTo: "\"", "\\")
      guard rest.take("\\"), let escaped = rest.unicodeScalars.popFirst() else { break }
      value.unicodeScalars.append(escaped)
    }
    _ = rest.take("\"")
    return value
  }
}
