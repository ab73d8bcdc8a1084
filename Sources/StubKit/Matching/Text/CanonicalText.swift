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

  /// A Boolean value that indicates whether the character is ASCII and never combines with a mark that follows it, as
  /// letters and `<`, `=` and `>` do. A text can be cut after it in every canonical form.
  var standsAlone: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "<", "=", ">": false
    default: isASCII
    }
  }
}

/// What a text begins with, ends with and contains, by canonical equivalence.
///
/// `hasPrefix` compares whole characters, in which a delimiter merges with the marks that follow it. Here, a text can
/// be cut where a character ends, before any ASCII character, and after one that never combines with a mark. These
/// places are the same in every canonical form of the text.
extension StringProtocol where SubSequence == Substring {
  func begins(with text: String) -> Bool { hasPrefix(text) || self[...].end(ofPrefix: text) != nil }

  func ends(with text: String) -> Bool { hasSuffix(text) || self[...].start(ofSuffix: text) != nil }
}

extension Substring {
  /// Returns the end of a prefix in this text, or `nil` if the text doesn't begin with it.
  func end(ofPrefix prefix: String) -> Index? {
    if utf8.starts(with: prefix.utf8) {
      let end = utf8.index(startIndex, offsetBy: prefix.utf8.count)
      if isCut(end) { return end }
    }
    if prefix.isASCII { return nil }
    // In another canonical form, compare character by character, except for the delimiters at the end.
    let scalars = prefix.unicodeScalars
    let tail = scalars.suffix(scalars.reversed().prefix { $0.standsAlone }.count)
    var end = startIndex
    for character in prefix[..<tail.startIndex] {
      guard end < endIndex, self[end] == character else { return nil }
      formIndex(after: &end)
    }
    guard unicodeScalars[end...].starts(with: tail) else { return nil }
    return unicodeScalars.index(end, offsetBy: tail.count)
  }

  /// Returns the start of a suffix in this text, or `nil` if the text doesn't end with it.
  func start(ofSuffix suffix: String) -> Index? {
    let difference = utf8.count - suffix.utf8.count
    if difference >= 0 {
      let start = utf8.index(startIndex, offsetBy: difference)
      if utf8[start...].elementsEqual(suffix.utf8), isCut(start) { return start }
    }
    if suffix.isASCII { return nil }
    var start = endIndex
    for character in suffix.reversed() {
      guard start > startIndex else { return nil }
      formIndex(before: &start)
      guard self[start] == character else { return nil }
    }
    return start
  }

  /// Returns whether the text can be cut at a place, between two scalars.
  private func isCut(_ place: Index) -> Bool {
    guard place > startIndex, place < endIndex else { return true }
    let (left, right) = (unicodeScalars[unicodeScalars.index(before: place)], unicodeScalars[place])
    return right.isASCII || left.standsAlone || String(String.UnicodeScalarView([left, right])).count == 2
  }
}
