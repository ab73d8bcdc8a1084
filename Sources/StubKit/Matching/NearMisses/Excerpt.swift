/// Text as a report shows it: on one line, and shortened if it is too long.
package enum Excerpt {
  /// Returns the text. If it is longer than the limit, returns its beginning and its end around an ellipsis.
  package static func middle(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit, text.count > limit, limit > 2 else { return text }
    let tail = (limit - 1) / 3
    return text.prefix(limit - 1 - tail) + "…" + text.suffix(tail)
  }

  /// Returns a condition as it was written. Of one that fills more than two lines, returns the beginning.
  package static func condition(_ text: String) -> String {
    oneLine(text.count > longestCondition ? text.prefix(longestCondition - 1) + "…" : text)
  }

  static let longestCondition = 240

  /// Returns two different texts that together have no more than a number of characters. If they are too long and
  /// begin alike, the beginning is omitted first, so that the difference stays visible.
  static func pair(_ left: String, _ right: String, _ limit: Int) -> (String, String) {
    guard left.count + right.count > limit else { return (left, right) }
    let alike = zip(left, right).prefix { $0 == $1 }.count
    func cut(_ text: String) -> String { alike > context ? "…" + text.dropFirst(alike - context) : text }
    let (left, right) = (cut(left), cut(right))
    let half = limit / 2
    return (middle(left, max(half, limit - right.count)), middle(right, max(half, limit - left.count)))
  }

  /// The number of characters of a common beginning that stay.
  private static let context = 10

  /// Returns the text as it is, or as a literal if its end would be unclear: if it is empty, or contains white space,
  /// quotes or control characters.
  package static func plain(_ text: String) -> String {
    let isUnclear = text.unicodeScalars.contains {
      $0.properties.isWhitespace || $0.value < 0x20 || $0 == "\"" || $0 == "\u{7F}"
    }
    return text.isEmpty || isUnclear ? text.debugDescription : text
  }

  /// Returns the text with escapes for everything that would break a line or control a terminal.
  package static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.breaksLines }) else { return text }
    return text.unicodeScalars.map { $0.breaksLines ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLines: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }
}
