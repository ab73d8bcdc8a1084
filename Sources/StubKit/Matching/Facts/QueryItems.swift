import Foundation

extension NamedValue {
  /// A URL's query: items between &, name and value split at the first =, percent-decoded, + kept (RFC 3986).
  static func query(_ query: String) -> [NamedValue] {
    items(query) { String($0).percentDecoded }
  }

  /// A form: the same, with + for a space (WHATWG URL, application/x-www-form-urlencoded).
  static func form(_ form: String) -> [NamedValue] {
    items(form) { $0.formDecoded }
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

extension Substring {
  /// As a form's: a % without two hexadecimal digits stays, and what is not UTF-8 becomes U+FFFD.
  fileprivate var formDecoded: String {
    var bytes: [UInt8] = []
    var rest = utf8
    while let byte = rest.popFirst() {
      let digits =
        byte == UInt8(ascii: "%") ? rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue } : []
      if digits.count == 2 {
        bytes.append(UInt8(digits[0] << 4 | digits[1]))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// Percent-decoded; as it is where that would not be UTF-8.
  var percentDecoded: String {
    utf8.contains(UInt8(ascii: "%")) ? removingPercentEncoding ?? self : self
  }
}
