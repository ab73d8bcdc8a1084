extension String {
  var isASCII: Bool {
    // The compiler makes a loop without an early exit take many bytes at once.
    utf8.withContiguousStorageIfAvailable { bytes in bytes.reduce(0, |) < 0x80 } ?? utf8.allSatisfy { $0 < 0x80 }
  }

  /// The text, in ASCII if it is canonically equivalent to a text in ASCII.
  ///
  /// Swift compares strings by their canonical forms, and only three characters beyond ASCII have one in ASCII. An
  /// ASCII text therefore equals this one if its bytes do. Texts beyond ASCII are compared and hashed as Swift does
  /// it, which needs no tables of Foundation.
  var canonical: String {
    if isASCII { return self }
    guard unicodeScalars.contains(where: { $0.asciiEquivalent != nil }) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.asciiEquivalent ?? $0 }))
  }
}

extension Unicode.Scalar {
  /// The ASCII character that is canonically equivalent to this one.
  fileprivate var asciiEquivalent: Unicode.Scalar? {
    switch self {
    case "\u{37E}": ";"
    case "\u{1FEF}": "`"
    case "\u{212A}": "K"
    default: nil
    }
  }
}
