import Foundation

extension NamedValue {
  /// A URL's query: items between &, name and value split at the first =, percent-decoded, + kept (RFC 3986).
  static func query(_ query: String) -> [NamedValue] {
    items(query) { String($0).percentDecoded }
  }

  /// A form: the same, with + for a space (WHATWG URL, application/x-www-form-urlencoded).
  static func form(_ form: String) -> [NamedValue] {
    items(form) { String($0).replacing("+", with: " ").percentDecoded }
  }

  private static func items(_ text: String, decode: (Substring) -> String) -> [NamedValue] {
    text.utf8.split(separator: UInt8(ascii: "&")).map { item in
      let item = Substring(item)
      guard let equals = item.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        return NamedValue(name: decode(item), value: nil)
      }
      return NamedValue(
        name: decode(item[..<equals]), value: decode(item[item.utf8.index(after: equals)...]))
    }
  }

  /// A Cookie header: pairs between semicolons, surrounding white space dropped, quotes kept.
  static func cookies(_ header: String) -> [NamedValue] {
    header.split(separator: ";").compactMap { pair in
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      return NamedValue(
        name: pair[..<equals].trimmingCharacters(in: .whitespaces),
        value: pair[pair.index(after: equals)...].trimmingCharacters(in: .whitespaces))
    }
  }
}

extension String {
  /// Percent-decoded; as it is where that would not be UTF-8.
  var percentDecoded: String {
    utf8.contains(UInt8(ascii: "%")) ? removingPercentEncoding ?? self : self
  }
}
