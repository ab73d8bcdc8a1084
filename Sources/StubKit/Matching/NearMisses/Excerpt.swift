/// Text as a report shows it: on one line, and cut where it is too long.
enum Excerpt {
  /// The text, and, if it has more characters than that, its beginning and its end around an ellipsis.
  static func middle(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit, text.count > limit, limit > 2 else { return text }
    let tail = (limit - 1) / 3
    return text.prefix(limit - 1 - tail) + "…" + text.suffix(tail)
  }

  /// Two texts that differ, which together are to have no more than so many characters. Where they begin alike, and are too
  /// long, the beginning goes first, so that one sees what differs.
  static func pair(_ left: String, _ right: String, _ limit: Int) -> (String, String) {
    guard left.count + right.count > limit else { return (left, right) }
    let alike = zip(left, right).prefix { $0 == $1 }.count
    let (left, right) =
      alike > context ? (left.dropping(alike - context), right.dropping(alike - context)) : (left, right)
    let half = limit / 2
    return (
      middle(left, max(half, limit - right.count)), middle(right, max(half, limit - left.count))
    )
  }

  /// How much of a common beginning stays.
  private static let context = 10

  /// The text as it is, or as a literal where it would be unclear where it ends: empty, or with white space, quotes or
  /// control characters in it.
  static func plain(_ text: String) -> String {
    let isUnclear = text.unicodeScalars.contains {
      $0.properties.isWhitespace || $0.value < 0x20 || $0 == "\"" || $0 == "\u{7F}"
    }
    return text.isEmpty || isUnclear ? text.debugDescription : text
  }

  /// The text with everything that would break a line, or give a terminal orders, as its escape.
  static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.breaksLines }) else { return text }
    return text.unicodeScalars.map { $0.breaksLines ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLines: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }
}

extension String {
  fileprivate func dropping(_ count: Int) -> String { "…" + dropFirst(count) }
}
