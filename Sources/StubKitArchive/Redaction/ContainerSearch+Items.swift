import StubKitFormats

/// Lists of names and values: forms, and the queries of URLs.
extension ContainerSearch {
  mutating func searchForm() { searchItems(0..<text.count, in: .form, .form) }

  /// Searches items between `&` or `;`.
  mutating func searchItems(_ range: Range<Int>, in place: SecretRules.Place, _ encoding: Encoding) {
    var items: [(name: String, value: Range<Int>)] = []
    var start = range.lowerBound
    while start < range.upperBound {
      let end = text[start..<range.upperBound].firstIndex { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }
      let item = start..<(end ?? range.upperBound)
      if let equals = text[item].firstIndex(of: UInt8(ascii: "=")) {
        let name = equals - start <= SecretRules.longestName ? decoded(start..<equals, encoding) : ""
        // A text can have a question mark before the query of its URL.
        let last = name.utf8.lastIndex(of: UInt8(ascii: "?")).map { name[name.utf8.index(after: $0)...] }
        items.append((last.map(String.init) ?? name, equals + 1..<item.upperBound))
      } else if !item.isEmpty {
        searchValue(item, encoding)
      }
      start = item.upperBound + 1
    }
    let isOfOAuth =
      rules.usesStandardNames && items.contains { SecretNames.ofOAuth.contains($0.name.comparableName) }
    for item in items {
      if rules.isSecret(item.name, in: place) || isOfOAuth && item.name == "code" {
        replaceSecret(item.value, encoding)
      } else {
        searchValue(item.value, encoding)
      }
    }
  }

  // MARK: Text with URLs

  /// Searches text without a structure: for URLs, for names and values in quotation marks, and for values that look
  /// like a secret.
  mutating func searchPlain(_ range: Range<Int>) {
    if walk.placeholders.hasWholeValues { searchSegments(range) }
    searchURLs(range)
    searchLoose(range)
    guard rules.usesShapes else { return }
    for finding in SecretShapes(UnsafeBufferPointer(rebasing: text[range])).findings {
      let place = finding.range.lowerBound + range.lowerBound..<finding.range.upperBound + range.lowerBound
      let value = decoded(place, .plain)
      let replacement =
        finding.isToken ? walk.redacted(token: value) : walk.placeholders.replacement(of: value, .shape)
      if let replacement { replace(place, with: replacement) }
    }
  }

  /// Searches the queries and the user information of all URLs in a text. The part after `#` counts as a query.
  mutating func searchURLs(_ range: Range<Int>) {
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = text[position]
      position += 1
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"):
        // A link in a page escapes the separator.
        if text[position..<range.upperBound].starts(with: "amp;".utf8) { position += 4 }
        // What separates items belongs to the list, so that no byte is in two of them.
        let end = text[position..<range.upperBound].firstIndex { $0.endsQuery } ?? range.upperBound
        if text[position..<end].contains(UInt8(ascii: "=")) { searchItems(position..<end, in: .query, .percent) }
        position = end
      case UInt8(ascii: "/") where rules.redactsUserInfo && position >= range.lowerBound + 2:
        guard position < range.upperBound, text[position] == UInt8(ascii: "/"), text[position - 2] == UInt8(ascii: ":")
        else { continue }
        let end = text[(position + 1)..<range.upperBound].firstIndex { $0.endsAuthority } ?? range.upperBound
        if let at = text[(position + 1)..<end].lastIndex(of: UInt8(ascii: "@")) { searchUserInfo(position + 1..<at) }
        position = end
      default: continue
      }
    }
  }

  private mutating func searchUserInfo(_ range: Range<Int>) {
    let (user, password) = (text[range].firstIndex(of: UInt8(ascii: ":")), range.upperBound)
    let secret = user.map { $0 + 1..<password } ?? range
    let value = decoded(secret.isEmpty ? range : secret, .percent)
    guard !decoded(range, .plain).isRedacted, !value.isEmpty,
      let replacement = walk.placeholders.replacement(of: value, .name(inRequest: walk.placeholders.isInRequest))
    else { return }
    replace(range, with: replacement)
  }

  /// Searches the segments of a path, and the words of a text, for values that are secrets elsewhere.
  private mutating func searchSegments(_ range: Range<Int>) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = text[start..<range.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? range.upperBound
      let last = text[start..<end].firstIndex { "?#; \"".utf8.contains($0) } ?? end
      if start > range.lowerBound, start < last, last - start <= SecretRules.longestName,
        let placeholder = walk.placeholders.replacement(ofWhole: decoded(start..<last, .percent))
      {
        replace(start..<last, with: placeholder)
      }
      start = end + 1
    }
  }

  // MARK: Names and values in other text

  /// Searches text that contains JSON or code somewhere, such as a page with a script, however its quotation marks are
  /// escaped: names whose values are strings or numbers.
  mutating func searchLoose(_ range: Range<Int>) {
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = text[position]
      position += 1
      guard byte == UInt8(ascii: ":") || byte == UInt8(ascii: "="),
        let name = looseName(before: position - 1, in: range), rules.isSecret(name, in: .json)
      else { continue }
      var start = position
      while start < range.upperBound, text[start] == 0x20 || text[start] == 0x09 || text[start] == 0x0A { start += 1 }
      if let mark = quotationMark(at: start, in: range) {
        start += mark.count
        let end = text.end(of: mark, from: start, in: range)
        replaceSecret(start..<end, .plain)
        position = end
      } else if byte == UInt8(ascii: ":") {
        let end =
          text[start..<range.upperBound].firstIndex { !($0.isDigit || "-.".utf8.contains($0)) }
          ?? range.upperBound
        guard end > start, text[start].isDigit, text[position - 2] == UInt8(ascii: "\"") else { continue }
        replaceSecret(start..<end, .plain)
        position = end
      }
    }
  }

  /// Returns the name before a colon or an equals sign.
  private func looseName(before end: Int, in range: Range<Int>) -> String? {
    var end = end
    let least = max(range.lowerBound, end - 2 * SecretRules.longestName)
    while end > least, text[end - 1] <= 0x20 { end -= 1 }
    // The quotation mark after the name, with what escapes it.
    if end > least, text[end - 1] == UInt8(ascii: ";") {
      guard end - 6 >= least, text[(end - 6)..<end].elementsEqual("&quot;".utf8) else { return nil }
      end -= 6
    } else {
      while end > least, "\"'\\".utf8.contains(text[end - 1]) { end -= 1 }
    }
    var start = end
    while start > least, text[start - 1].isAlphanumeric || "_-.".utf8.contains(text[start - 1]) { start -= 1 }
    return start < end ? String(decoding: text[start..<end], as: UTF8.self) : nil
  }

  /// Returns the quotation mark at a position, with what escapes it.
  private func quotationMark(at start: Int, in range: Range<Int>) -> [UInt8]? {
    var end = start
    while end < range.upperBound, end - start < 8, text[end] == UInt8(ascii: "\\") { end += 1 }
    guard end < range.upperBound else { return nil }
    if "\"'".utf8.contains(text[end]) { return Array(text[start...end]) }
    let quote = "&quot;".utf8
    return end == start && text[start..<range.upperBound].starts(with: quote) ? Array(quote) : nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the position of the quotation mark that ends a string, or the end of the range.
  ///
  /// - Parameter mark: The quotation mark that began it, with what escapes it. One with more escapes is in the string.
  fileprivate func end(of mark: [UInt8], from start: Int, in range: Range<Int>) -> Int {
    let escapes = mark.prefix { $0 == UInt8(ascii: "\\") }.count
    let bare = mark[escapes...]
    var position = start
    while position < range.upperBound {
      let run = self[position..<range.upperBound].prefix { $0 == UInt8(ascii: "\\") }.count
      let isMark = self[(position + run)..<range.upperBound].starts(with: bare)
      if isMark, escapes > 0 ? run == escapes : run % 2 == 0 { return position + (escapes > 0 ? 0 : run) }
      position += run + 1
    }
    return range.upperBound
  }
}

extension UInt8 {
  /// Whether the character ends a query in text.
  fileprivate var endsQuery: Bool {
    switch self {
    case UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "\\"), 0...0x20:
      true
    default: false
    }
  }

  fileprivate var endsAuthority: Bool { self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || endsQuery }
}
