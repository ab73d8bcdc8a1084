extension String {
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// The text, in ASCII if it is canonically equal to a text in ASCII.
  ///
  /// Swift compares strings by their canonical forms, and just three characters beyond ASCII have one in ASCII. So an
  /// ASCII text is equal to this one if its bytes are, and texts beyond ASCII are compared and hashed as Swift does it,
  /// which needs no tables of Foundation's.
  var canonical: String {
    if isASCII { return self }
    guard unicodeScalars.contains(where: { $0.asciiEquivalent != nil }) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.asciiEquivalent ?? $0 }))
  }
}

extension Unicode.Scalar {
  /// The ASCII character whose canonical equivalent this is.
  fileprivate var asciiEquivalent: Unicode.Scalar? {
    switch self {
    case "\u{37E}": ";"
    case "\u{1FEF}": "`"
    case "\u{212A}": "K"
    default: nil
    }
  }

  /// Whether it is in ASCII and forms no character with a mark that follows it, as letters and `<`, `=` and `>` do: a
  /// text may be cut after it in every canonical form.
  var standsAlone: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "<", "=", ">": false
    default: isASCII
    }
  }
}
