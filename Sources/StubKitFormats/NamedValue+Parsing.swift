extension NamedValue {
  /// Parses the query of a URL: items between `&`, names and values split at the first `=`, percent-decoded, with `+`
  /// kept (RFC 3986).
  package static func query(_ query: String) -> NamedItems {
    items(query) { String($0).percentDecoded }
  }

  /// Parses a form: the same, with `+` for a space (WHATWG URL, application/x-www-form-urlencoded).
  package static func form(_ form: String) -> NamedItems {
    items(form) { $0.formDecoded }
  }

  private static func items(_ text: String, decode: (Substring) -> String) -> NamedItems {
    let items = text.utf8.split(separator: UInt8(ascii: "&")).map { item in
      let item = Substring(item)
      guard let (name, value) = item.cut(at: "=") else { return NamedValue(name: decode(item), value: nil) }
      return NamedValue(name: decode(name), value: decode(value))
    }
    return NamedItems(items)
  }

  /// Parses a Cookie header: pairs between semicolons, without surrounding white space, with quotes kept.
  package static func cookies(_ header: String) -> NamedItems {
    let cookies: [NamedValue] = header.pieces(at: ";").compactMap { pair in
      guard let (name, value) = pair.cut(at: "=") else { return nil }
      return NamedValue(name: String(name.withoutOuterSpace), value: String(value.withoutOuterSpace))
    }
    return NamedItems(cookies)
  }
}
