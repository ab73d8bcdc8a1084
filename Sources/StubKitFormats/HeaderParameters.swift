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

  private static func takeValue(_ rest: inout Substring) -> String {
    guard rest.take("\"") else {
      var token = rest.take(upTo: ";").utf8
      while token.last?.isWhiteSpace == true { token.removeLast() }
      return String(Substring(token))
    }
    var value = ""
    while true {
      value += rest.take(upTo: "\"", "\\")
      guard rest.take("\\") else { break }
      guard let escaped = rest.unicodeScalars.popFirst() else { break }
      value.unicodeScalars.append(escaped)
    }
    _ = rest.take("\"")
    return value
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether the byte is a space, a tab or a line break.
  package var isWhiteSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }
}
