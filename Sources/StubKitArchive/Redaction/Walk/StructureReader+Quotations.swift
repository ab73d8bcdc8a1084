import StubKit

/// Quotations.
extension StructureReader {
  mutating func quotation() {
    let start = position
    let mark = bytes[start]
    let isInTag = frame.kind == .tag
    // An apostrophe, and a sign for inches. A letter or two can say what kind of text follows.
    let isAfterWord =
      bytes.has(.inWord, at: start - 1) && !(wordCount > 0 && wordEnd == start && isPrefix(words.last..<start))
    if isAfterWord, !isInTag { return skipQuote() }
    if bytes.isTriple(at: start) { return longQuotation() }
    guard let (end, isDoubled) = endOfQuotation(from: start) else { return unclosed() }
    position = end + 1
    runStart = position
    let content = (start + 1)..<end
    if isInTag {
      take(content, .attribute, .entity, isRead: true)
      (frame.name, wordCount) = (nil, 0)
      return
    }
    // A line break can be before a sign in brackets.
    let between: ByteSet = frame.kind.isGroup ? .space : .blank
    let next = bytes.firstIndex(notIn: between, from: position)
    // The last label of a block of HCL names what is in it.
    let isLabel = bytes.has("{", at: next) && frame.name == nil && (wordCount > 0 || isAfterLabel)
    isAfterLabel = wordCount > 0 && bytes.has("\"", at: next)
    if isLabel {
      (wordCount, position, runStart) = (0, next, next)
      return nameBefore = Name(range: content, isQuoted: true)
    }
    let isName = bytes.has("=", at: next) || bytes.has(":", at: next) && !bytes.has(":", at: next + 1)
    // The next name of `{:user "a" :password "b"}`.
    let isBeforeKeyword =
      frame.name != nil && frame.sign == 0 && next > position && bytes.has(.inName, at: next + 1)
    if isName, !isBeforeKeyword, end - start < 2_048 {
      (wordCount, position, runStart) = (0, next, next)
      // A name can be a text of its own, such as an address.
      if end - start > 10, bytes.firstIndex(in: .equals, from: content.lowerBound, to: end) < end {
        finder.read(text[content].decoded(.backslash))
      }
      if frame.kind == .brace, end - start > 6 {
        let value = bytes.firstIndex(notIn: .space, from: next + 1)
        finder.visit(memberName: text[content].decoded(.backslash), isOfGroup: bytes.has(.opening, at: value))
      }
      return nameBefore = Name(range: content, isQuoted: true)
    }
    quoted(content, isDoubled ? .none : .backslash)
    (wordCount, nameBefore) = (0, nil)
    if mark == UInt8(ascii: "`"), frame.kind == .text { frame.name = nil }
  }

  /// Whether the word before a quotation says what kind of text it is, as in `u"x"` and `rb'x'`.
  private mutating func isPrefix(_ word: Range<Int>) -> Bool {
    word.count == 1 || word.count == 2 && ["rb", "br", "fr", "rf", "u8"].contains(text[word].string.lowercased())
  }

  /// Whether a quotation with a prefix is the value that begins here.
  mutating func isPrefixedQuotation() -> Bool {
    let end = bytes.firstIndex(in: .quotes, from: position, to: min(bytes.count, position + 3))
    return end > position && bytes.has(.quotes, at: end) && !bytes.has("`", at: end)
      && bytes.firstIndex(notIn: .alphanumeric, from: position) == end && isPrefix(position..<end)
  }

  /// Takes a value that is cut off in its quotation.
  private mutating func unclosed() {
    // A lifetime of Rust.
    let isLifetime = bytes.has("&'", at: position - 1)
    skipQuote()
    guard frame.name != nil, !frame.hasValue, !isLifetime else { return }
    let end = endOfValue(from: position)
    if position < end, take(position..<end, .quoted, .backslash, isRead: false) {
      (position, runStart) = (end, end)
    }
  }

  private mutating func skipQuote() {
    position += 1
    if wordCount == 0 { runStart = min(runStart, position) }
  }

  /// Takes a value in quotation marks.
  private mutating func quoted(_ content: Range<Int>, _ escapes: ByteSet) {
    if frame.kind.isGroup, frame.name == nil, wordCount > 0,
      bytes.firstIndex(notIn: .blank, from: wordEnd) == content.lowerBound - 1
    {
      // As in `credentials { password "x" }`.
      let word = bytes.startIndex(of: .inName, before: wordEnd, notBefore: words.last)..<wordEnd
      if finder.isKnown(text[word].bytes) {
        if finder.visit(finder.leaf(.quoted, text[word], text[content].decoded(escapes))) {
          finder.read(text[content].decoded(escapes))
        }
        return
      }
    }
    if argument(content, escapes) { return }
    if frame.name != nil || frame.kind.isGroup {
      if frame.content == nil { frame.content = content }
      let isOfData = frame.kind.isGroup || frame.name?.isQuoted == true
      take(content, isOfData ? .member : .quoted, escapes, isRead: true)
      return
    }
    // The words before it name it, as in `set password "x"`.
    let value = text[content].decoded(escapes)
    if wordCount > 0 {
      let name = text[bytes.startIndex(of: .inName, before: wordEnd, notBefore: words.last)..<wordEnd]
      // What follows curl's option is a user with a password.
      if finder.isKnown(name.bytes), !name.bytes.has("--user", at: 0) {
        if !finder.visit(finder.leaf(.quoted, name, value)) { return }
      } else if bytes.firstIndex(in: .digit, from: content.lowerBound, to: content.upperBound) < content.upperBound,
        value.bytes.firstIndex(in: .space) == value.bytes.count
      {
        let end = content.lowerBound - 1
        let before = text[min(end, max(lineStart, end - 80))..<end]
        if finder.decideWord(Leaf(place: .word, value: value), after: before) { return }
      }
    }
    if !finder.readEncoded(value) { finder.read(value) }
  }

  /// Takes the only argument of a call whose name says what it is, as in `.password("x")`. Returns whether it is one.
  private mutating func argument(_ content: Range<Int>, _ escapes: ByteSet) -> Bool {
    guard frame.kind == .parenthesis, frame.name == nil, bytes.has("(", at: content.lowerBound - 2),
      bytes.has(")", at: content.upperBound + 1)
    else { return false }
    let end = content.lowerBound - 2
    let name = text[bytes.startIndex(of: .word, before: end, notBefore: end - 64)..<end]
    guard finder.isKnown(name.bytes), finder.name(name.string, in: .quoted).isSecret,
      let verb = name.string.words.first, !WordRules.askingVerbs.contains(verb)
    else { return false }
    let value = text[content].decoded(escapes)
    if finder.visit(finder.leaf(.quoted, name, value)) { finder.read(value) }
    return true
  }

  /// Returns the index of the quotation mark that ends a quotation, and whether marks in it are doubled. It ends in its
  /// line, unless it is a value, which can have several.
  private mutating func endOfQuotation(from start: Int) -> (end: Int, isDoubled: Bool)? {
    let mark = bytes[start]
    if let place = noMore[mark], place <= start { return nil }
    let isInTag = frame.kind == .tag
    let isLong = mark == UInt8(ascii: "`") || isInTag || frame.name != nil || frame.kind.isGroup
    var (end, isDoubled, lineBreak) = (bytes.firstIndex(in: .inQuotation, from: start + 1), false, -1)
    while end < bytes.count {
      let byte = bytes[end]
      if byte == mark {
        guard end > start + 1, bytes.hasByte(mark, at: end + 1), !isInTag else { break }
        isDoubled = true
        end += 1
      } else if byte == UInt8(ascii: "\\") {
        if !isInTag { end += 1 }
      } else if byte == 0x0A || byte == 0x0D {
        if !isLong { return nil }
        if lineBreak < 0 { lineBreak = end }
      }
      end = bytes.firstIndex(in: .inQuotation, from: end + 1)
    }
    if end >= bytes.count {
      noMore[mark] = start
      return nil
    }
    // What ends in another line is a value, and not a mark that nothing closes.
    if lineBreak >= 0, !isInTag, mark != UInt8(ascii: "`") {
      let next = bytes.firstIndex(notIn: .space, from: end + 1)
      guard next == bytes.count || bytes.has(.afterValue, at: next) else { return nil }
    }
    return (end, isDoubled)
  }

  /// Reads a text between three quotation marks, which can have several lines.
  private mutating func longQuotation() {
    let (start, mark) = (position + 3, String(repeating: Character(Unicode.Scalar(bytes[position])), count: 3))
    guard noMore[bytes[position] &+ 1] == nil, let end = bytes.firstIndex(of: mark, from: start) else {
      noMore[bytes[position] &+ 1] = position
      return position = start
    }
    // The value can be in a line of its own.
    let first = min(end, bytes.firstIndex(notIn: .space, from: start))
    take(first..<bytes.startIndex(of: .space, before: end, notBefore: first), .quoted, isRead: true)
    (position, runStart, wordCount) = (end + 3, end + 3, 0)
  }
}

extension Bytes {
  fileprivate func isTriple(at index: Int) -> Bool {
    hasByte(self[index], at: index + 1) && hasByte(self[index], at: index + 2)
  }
}
