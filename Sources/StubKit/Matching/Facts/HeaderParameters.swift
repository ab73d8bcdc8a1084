/// The parameters of a header such as `form-data; name="a"; filename="b.png"` (RFC 9110, section 5.6.6).
struct HeaderParameters: Sendable {
  private var values: [String: String] = [:]

  init(_ header: String) {
    var rest = Substring(header)
    while let semicolon = rest.firstIndex(of: ";") {
      rest = rest[rest.index(after: semicolon)...].drop(while: \.isWhitespace)
      let name = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest[name.endIndex...]
      guard rest.first == "=" else { continue }
      rest.removeFirst()
      let value = Self.takeValue(&rest)
      // The first of two counts, as in browsers.
      if values[name.lowercased()] == nil { values[name.lowercased()] = value }
    }
  }

  /// Names compare without case.
  subscript(name: String) -> String? { values[name] }

  private static func takeValue(_ rest: inout Substring) -> String {
    guard rest.first == "\"" else {
      let token = rest.prefix { $0 != ";" }
      rest = rest[token.endIndex...]
      return String(token.reversed().drop(while: \.isWhitespace).reversed())
    }
    rest.removeFirst()
    var value = ""
    while let character = rest.popFirst(), character != "\"" {
      if character == "\\", let escaped = rest.popFirst() { value.append(escaped) } else { value.append(character) }
    }
    return value
  }
}
