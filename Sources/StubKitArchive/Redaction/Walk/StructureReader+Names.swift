import StubKit

extension StructureReader {
  // MARK: Signs

  /// Reads a sign between a name and a value: `:`, `=`, `=>`, `:=` or `==`.
  mutating func sign(_ finder: inout SecretFinder) {
    let start = position
    let isColon = bytes[start] == UInt8(ascii: ":")
    if isColon, bytes.has("://", at: start) { return address(&finder) }
    // A prefix of a name of XML.
    if isColon, frames[top].kind == .tag {
      position += 1
      return
    }
    if isColon, bytes.has(":", at: start + 1), !bytes.has(.blank, at: start + 2) || frames[top].isGroup {
      (position, wordCount, nameBefore) = (start + 2, 0, nil)
      return
    }
    position += isColon && bytes.has(":", at: start + 1) ? 2 : 1
    while bytes.has(isColon ? .afterColon : .afterEquals, at: position), position < start + 3 { position += 1 }
    let isTight = !bytes.has(.space, at: position) && position < bytes.count
    defer { wordCount = 0 }
    guard let name = nameBefore ?? nameOfWords(before: start, isColon: isColon, isTight: isTight) else {
      // An emoticon isn't a bracket.
      if isColon, bytes.has(.emoticon, at: position) { position += 1 }
      (nameBefore, runStart) = (nil, position)
      return
    }
    nameBefore = nil
    let isFirst = startsLine(name)
    // The same sign after a value makes another member, and a value can be a pair itself.
    if frames[top].isOfLines, isFirst {
      lineName = isColon ? (name, indent, false) : nil
      isLineOpen = true
    }
    (frames[top].name, frames[top].sign, frames[top].hasValue) = (name, bytes[start], false)
    let next = bytes.firstIndex(notIn: .blank, from: position)
    guard next < bytes.count, !bytes.has(.newline, at: next) else {
      position = next
      return
    }
    position = next
    if !isTight { runStart = next }
    lineName?.hasValue = true
    if isColon, isFirst, frames[top].isOfLines, block(&finder) { return }
    skipTag()
    if frames[top].kind == .tag { return attribute(&finder) }
    switch ByteKind.table[Int(bytes[position])] {
    case .word, .other, .sign, .ampersand, .greater, .backslash, .closing, .comma:
      plainValue(isFirst: isFirst, isTight: isTight, isEquals: !isColon, &finder)
    default: break
    }
  }

  /// Skips the tag or the anchor of a value of YAML.
  private mutating func skipTag() {
    guard bytes.has(.yamlMark, at: position),
      bytes.has(.alphanumeric, at: position + 1) || bytes.has("!", at: position + 1)
    else { return }
    let end = bytes.firstIndex(notIn: .yamlTag, from: position + 1)
    if bytes.has(" ", at: end) { position = bytes.firstIndex(notIn: .blank, from: end) }
  }

  /// The name that the words before a sign are, or `nil`.
  private func nameOfWords(before sign: Int, isColon: Bool, isTight: Bool) -> Name? {
    guard wordCount > 0, wordEnd <= sign, sign - wordEnd < 3 || !isColon else { return nil }
    // The name of a member ends before a sign. Other marks, such as a slash, belong to a path.
    var start = bytes.startIndex(of: .inName, before: wordEnd, notBefore: words.last)
    guard start < wordEnd else { return nil }
    // A name of several words begins its line, or follows another value.
    if 2...3 ~= wordCount, frames[top].isOfLines, !(isColon && isTight) {
      let first = wordCount == 2 ? words.second : words.third
      let before = bytes.startIndex(of: .lineMark, before: first, notBefore: lineStart)
      if before == lineStart || bytes.has(";", at: before - 1) { start = first }
    }
    if isColon, isTight {
      // A drive, a time, a port, and what has several colons.
      let isShort = wordEnd - words.last == 1 && bytes.has(.slashes, at: position)
      let isNumber = bytes[start].isDigit && !(frames[top].kind == .brace)
      let isInPath = bytes.has(.inPath, at: start - 1)
      if isShort || isNumber || isInPath { return nil }
    }
    return Name(range: start..<wordEnd)
  }

  /// Whether a name is the first thing in its line.
  private func startsLine(_ name: Name) -> Bool {
    var first = name.range.lowerBound - (name.isQuoted ? 1 : 0)
    // Other words can be before it, as in `export NAME=VALUE`.
    let before = bytes.startIndex(of: .blank, before: first, notBefore: lineStart)
    for word in ["export", "set", "ENV", "ARG"] where bytes.has(word, at: before - word.utf8.count) {
      first = before - word.utf8.count
    }
    return bytes.startIndex(of: .lineMark, before: first, notBefore: lineStart) <= lineStart
  }

  // MARK: Values

  private mutating func attribute(_ finder: inout SecretFinder) {
    if bytes.has(.quotes, at: position) { return }
    var end = position
    while end < bytes.count, !bytes.has(.space, at: end), !bytes.has(.greater, at: end) { end += 1 }
    if bytes.has("/>", at: end - 1) { end -= 1 }
    guard position < end else { return }
    let range = position..<end
    take(range, .attribute, .entity, isRead: true, &finder)
    (frames[top].name, position, runStart) = (nil, end, end)
  }

  /// Takes a value without quotation marks.
  private mutating func plainValue(isFirst: Bool, isTight: Bool, isEquals: Bool, _ finder: inout SecretFinder) {
    let start = position
    if frames[top].isGroup {
      // With a sign without white space, members can have white space between them.
      var end = isTight ? endOfRun(from: start) : endOfBare(from: start)
      end = bytes.startIndex(of: .blank, before: end, notBefore: start)
      // What a bracket follows names that.
      // Of many names and values without anything between them, only the last is looked at as a whole.
      let isLast = bytes.firstIndex(in: .textMarks, from: start) + 2 >= end
      if end > start, !bytes.has(.brackets, at: end), isLast && end - start <= 8_192 || end - start <= 256 {
        let isOver = take(start..<end, .bare, isRead: false, &finder)
        if frames[top].content == nil { frames[top].content = start..<end }
        if isOver || bytes.isNumberOfJSON(start..<end) || bytes.isLiteralOfJSON(start..<end) { position = end }
      }
      return
    }
    let end = endOfValue(from: start)
    guard start < end, !bytes.has(.brackets, at: end) else { return }
    let isLast = bytes.firstIndex(in: .textMarks, from: start) + 2 >= end
    guard isLast || end - start <= 256 else { return }
    // What a line has after its name, but for a mark at its end.
    let rest = bytes.firstIndex(notIn: .lineEnd, from: end)
    let isWholeLine = isFirst && (rest == bytes.count || bytes.has(.newline, at: rest) || isTight && rest > end)
    let place: Leaf.Place = isWholeLine ? .line : isEquals && isTight ? .assigned : .text
    if take(start..<end, place, isRead: false, &finder) {
      position = end
      runStart = end
    } else if isTight, ByteKind.table[Int(bytes[start])] == .word {
      // What is encoded in it.
      readPlain(start..<end, &finder)
    }
  }

  private mutating func readPlain(_ range: Range<Int>, _ finder: inout SecretFinder) {
    let value = text[range]
    guard value.bytes.firstIndex(of: UInt8(ascii: "%"), from: 0) != nil else { return }
    let decoded = value.decoded(.inURL)
    if decoded.bytes.count < value.bytes.count, decoded.bytes.firstIndex(in: .structure) < decoded.bytes.count {
      finder.read(decoded)
      position = range.upperBound
      runStart = position
    }
  }

  /// Where a value without quotation marks ends: at white space, a quotation mark or `&`, at a tag, and at a `;` or `,`
  /// before the name of another value. The end of a sentence and a bracket aren't a part of it.
  mutating func endOfValue(from start: Int) -> Int {
    if start < valueEnd.from || start >= valueEnd.end {
      var end = start - 1
      repeat {
        end = bytes.firstIndex(in: .valueEnd, from: end + 1)
      } while bytes.has(.separators, at: end) && !isBeforeName(end + 1) && end + 1 < bytes.count
      valueEnd = (start, end)
    }
    let end = min(valueEnd.end, start + 8_192)
    return bytes.startIndex(of: .closing, before: end, notBefore: start)
  }

  /// Whether white space or the name of another value begins at an index. It can have two words.
  private func isBeforeName(_ index: Int) -> Bool {
    let end = bytes.firstIndex(notIn: .name, from: index)
    if end == index || bytes.has(.assigning, at: end) { return bytes.has(.space, at: index) || end > index }
    return bytes.has(" ", at: end) && bytes.has(.assigning, at: bytes.firstIndex(notIn: .name, from: end + 1))
  }

  /// Where a value in brackets ends that has no quotation marks.
  private mutating func endOfBare(from start: Int) -> Int {
    if start < bareEnd.from || start >= bareEnd.end { bareEnd = (start, bytes.firstIndex(in: .bareEnd, from: start)) }
    return bareEnd.end
  }

  /// Where a run of bytes ends that aren't white space, in brackets.
  private mutating func endOfRun(from start: Int) -> Int {
    if start < runEnd.from || start >= runEnd.end { runEnd = (start, bytes.firstIndex(in: .space, from: start)) }
    return min(runEnd.end, endOfBare(from: start))
  }

  // MARK: Quotations

  mutating func quotation(_ finder: inout SecretFinder) {
    let start = position
    let mark = bytes[start]
    let isInTag = frames[top].kind == .tag
    // An apostrophe, and a sign for inches. A single letter says what kind of text follows.
    let isAfterWord =
      bytes.has(.inWord, at: start - 1) && !(wordCount > 0 && wordEnd == start && start - words.last == 1)
    if isAfterWord, !isInTag { return skipQuote() }
    if bytes.isTriple(at: start) { return longQuotation(&finder) }
    guard let (end, isDoubled) = endOfQuotation(from: start) else { return unclosed(&finder) }
    position = end + 1
    runStart = position
    let content = (start + 1)..<end
    if isInTag {
      take(content, .attribute, .entity, isRead: true, &finder)
      (frames[top].name, wordCount) = (nil, 0)
      return
    }
    // A line break can be before a sign in brackets.
    let next = bytes.firstIndex(notIn: frames[top].isGroup ? .space : .blank, from: position)
    let isName = bytes.has("=", at: next) || bytes.has(":", at: next) && !bytes.has(":", at: next + 1)
    if isName, content.count < 2_048 {
      (wordCount, position, runStart) = (0, next, next)
      return nameBefore = Name(range: content, isQuoted: true)
    }
    quoted(content, isDoubled ? .none : .backslash, &finder)
    (wordCount, nameBefore) = (0, nil)
    if mark == UInt8(ascii: "`"), frames[top].isOfLines { frames[top].name = nil }
  }

  /// Takes a value that is cut off in its quotation.
  private mutating func unclosed(_ finder: inout SecretFinder) {
    skipQuote()
    guard frames[top].name != nil, !frames[top].hasValue else { return }
    let end = endOfValue(from: position)
    if position < end, take(position..<end, .quoted, .backslash, isRead: false, &finder) {
      (position, runStart) = (end, end)
    }
  }

  private mutating func skipQuote() {
    position += 1
    if wordCount == 0 { runStart = min(runStart, position) }
  }

  /// Takes a value in quotation marks.
  private mutating func quoted(_ content: Range<Int>, _ escapes: ByteSet, _ finder: inout SecretFinder) {
    let frame = frames[top]
    if frame.name != nil || frame.isGroup || frame.kind == .item {
      if frame.content == nil { frames[top].content = content }
      let isOfData = frame.isGroup || frame.name?.isQuoted == true || frame.kind == .item || frame.kind == .line
      take(content, isOfData ? .member : .quoted, escapes, isRead: true, &finder)
      return
    }
    // The words before it name it, as in `set password "x"`.
    let value = text[content].decoded(escapes)
    if wordCount > 0 {
      let name = text[bytes.startIndex(of: .inName, before: wordEnd, notBefore: words.last)..<wordEnd]
      if finder.isKnown(name.bytes) {
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

  /// Returns the index of the quotation mark that ends a quotation, and whether marks in it are doubled. It ends in its
  /// line, unless it is a value, which can have several.
  private mutating func endOfQuotation(from start: Int) -> (end: Int, isDoubled: Bool)? {
    let mark = bytes[start]
    if let place = noMore[mark], place <= start { return nil }
    let frame = frames[top]
    let isLong = mark == UInt8(ascii: "`") || frame.kind == .tag || frame.name != nil || frame.isGroup
    var (end, isDoubled, lineBreak) = (start + 1, false, -1)
    while end < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: "\\"), frame.kind != .tag {
        end += 2
        continue
      }
      if byte == mark {
        guard end > start + 1, bytes.hasByte(mark, at: end + 1), frame.kind != .tag else { break }
        isDoubled = true
        end += 2
        continue
      }
      if byte == 0x0A || byte == 0x0D {
        if !isLong { return nil }
        if lineBreak < 0 { lineBreak = end }
      }
      end += 1
    }
    if end >= bytes.count {
      noMore[mark] = start
      return nil
    }
    // What ends in another line is a value, and not a mark that nothing closes.
    if lineBreak >= 0, frame.kind != .tag, mark != UInt8(ascii: "`") {
      let next = bytes.firstIndex(notIn: .space, from: end + 1)
      guard next == bytes.count || bytes.has(.afterValue, at: next) else { return nil }
    }
    return (end, isDoubled)
  }

  /// Reads a text between three quotation marks, which can have several lines.
  private mutating func longQuotation(_ finder: inout SecretFinder) {
    let (start, mark) = (position + 3, String(repeating: Character(Unicode.Scalar(bytes[position])), count: 3))
    guard noMore[bytes[position] &+ 1] == nil, let end = bytes.firstIndex(of: mark, from: start) else {
      noMore[bytes[position] &+ 1] = position
      return position = start
    }
    take(start..<end, .quoted, isRead: true, &finder)
    (position, runStart, wordCount) = (end + 3, end + 3, 0)
  }

  // MARK: Addresses

  /// Reads a URL, whose scheme is before the position.
  private mutating func address(_ finder: inout SecretFinder) {
    let start = bytes.startIndex(of: .name, before: position, notBefore: position - 30)
    let end = bytes.firstIndex(in: .urlEnd, from: position + 3)
    if frames[top].name != nil { frames[top].hasValue = true }
    finder.readURL(text[start..<end])
    (position, runStart, wordCount, nameBefore) = (end, end, 0, nil)
  }

  // MARK: Brackets

  mutating func open(_ finder: inout SecretFinder) {
    let byte = bytes[position]
    if byte == UInt8(ascii: "["), wordCount > 0, wordEnd == position, subscripts() { return }
    if frames[top].kind == .tag || frames.count > Self.deepest {
      finder.isCutShort = finder.isCutShort || frames[top].kind != .tag
      position += 1
      return
    }
    let kind: Frame.Kind =
      switch byte {
      case UInt8(ascii: "{"): .brace
      case UInt8(ascii: "["): .bracket
      default: .parenthesis
      }
    let frame = frames[top]
    var outer: SecretName?
    if let name = frame.name {
      outer = finder.memberName(of: self.name(name))
      // Arguments of a call are no values of the name, but for those of what only contains a value.
      if kind == .parenthesis, wordCount > 0, !isWrapper { outer = SecretName.nothing }
    } else if let name = nameBefore {
      outer = finder.memberName(of: self.name(name))
    } else if wordCount > 0, frame.kind != .bracket || kind == .parenthesis || kind == .brace {
      outer = finder.weakName()
    } else {
      outer = frame.isGroup || frame.kind == .item ? finder.memberName(of: nil) : SecretName.nothing
    }
    frames[top].hasValue = true
    switch kind {
    case .brace: openBraces += 1
    case .bracket: openBrackets += 1
    default: openParentheses += 1
    }
    let isRow = kind == .bracket || kind == .parenthesis && (isAfterRow || isAfterValues)
    push(Frame(kind: kind), below: outer, &finder)
    finder.group.isRow = isRow
    finder.group.isList = kind != .brace
    isAfterRow = false
    position += 1
    (wordCount, nameBefore, runStart) = (0, nil, position)
  }

  /// Whether the values of an insertion into a table of SQL follow.
  private var isAfterValues: Bool { wordCount > 0 && text[words.last..<wordEnd].string.lowercased() == "values" }

  /// Whether the word before a bracket names a type or a function that only contains a value, as `Optional(` does.
  private var isWrapper: Bool {
    let name = text[words.last..<wordEnd].string
    return bytes[words.last].isUppercase
      || ["array", "string", "str", "bytes", "list", "set", "tuple", "dict"].contains(name)
  }

  /// Reads indices after a name: `a[0]`, `a["b"]['c']`. Returns whether there are some. The last one that isn't a
  /// number names what follows a sign, or what it is the value of.
  private mutating func subscripts() -> Bool {
    var (end, name) = (
      position, Name(range: bytes.startIndex(of: .inName, before: wordEnd, notBefore: words.last)..<wordEnd)
    )
    while bytes.has("[", at: end) {
      let close = bytes.firstIndex(in: .subscriptEnd, from: end + 1)
      guard bytes.has("]", at: close), close - end < 80 else { return false }
      var key = (end + 1)..<close
      if key.count > 1, bytes.has(.quotes, at: key.lowerBound), bytes.has(.quotes, at: key.upperBound - 1) {
        key = (key.lowerBound + 1)..<(key.upperBound - 1)
      }
      let isNumber = bytes[key].allSatisfy(\.isDigit)
      if !isNumber, !WordRules.containers.contains(text[key].string.lowercased()) {
        name = Name(range: key, isQuoted: true)
      }
      end = close + 1
    }
    let next = bytes.firstIndex(notIn: .blank, from: end)
    guard bytes.has("=", at: next) || bytes.has(":", at: next) else { return false }
    (position, nameBefore, wordCount) = (end, name, 0)
    return true
  }

  mutating func close(_ finder: inout SecretFinder) {
    let byte = bytes[position]
    endRun(&finder)
    endWords(&finder)
    position += 1
    (wordCount, nameBefore, runStart) = (0, nil, position)
    let kind: Frame.Kind
    switch byte {
    case UInt8(ascii: "}"): kind = .brace
    case UInt8(ascii: "]"): kind = .bracket
    default: kind = .parenthesis
    }
    let count = kind == .brace ? openBraces : kind == .bracket ? openBrackets : openParentheses
    // What closes nothing is skipped.
    guard count > 0 else { return }
    var frame = removeFrame(&finder)
    while frame.kind != kind { frame = removeFrame(&finder) }
    frames[top].hasValue = true
    isAfterRow = kind == .parenthesis && bytes.has(",", at: position)
    // What is in brackets before a sign is a name: `["a"] = `, `[a] => `.
    guard kind == .bracket, let content = frame.content else { return }
    let next = bytes.firstIndex(notIn: .blank, from: position)
    if bytes.has("=", at: next) { nameBefore = Name(range: content, isQuoted: true) }
  }
}

extension Bytes {
  fileprivate func isTriple(at index: Int) -> Bool {
    hasByte(self[index], at: index + 1) && hasByte(self[index], at: index + 2)
  }

  func hasByte(_ byte: UInt8, at index: Int) -> Bool { indices.contains(index) && self[index] == byte }

  /// Whether the text is a number of JSON.
  var isNumberOfJSON: Bool { isNumberOfJSON(0..<count) }

  func isNumberOfJSON(_ range: Range<Int>) -> Bool {
    var index = range.lowerBound + (has("-", at: range.lowerBound) ? 1 : 0)
    func digits() -> Bool {
      let start = index
      while index < range.upperBound, self[index].isDigit { index += 1 }
      return index > start
    }
    let first = index
    guard index < range.upperBound, digits(), !(has("0", at: first) && index > first + 1) else { return false }
    if index < range.upperBound, has(".", at: index) {
      index += 1
      guard digits() else { return false }
    }
    if index < range.upperBound, has("e", at: index) || has("E", at: index) {
      index += 1
      if has("+", at: index) || has("-", at: index) { index += 1 }
      guard digits() else { return false }
    }
    return index == range.upperBound
  }

  var isLiteralOfJSON: Bool { isLiteralOfJSON(0..<count) }

  func isLiteralOfJSON(_ range: Range<Int>) -> Bool {
    range.count == 4 && (has("true", at: range.lowerBound) || has("null", at: range.lowerBound))
      || range.count == 5 && has("false", at: range.lowerBound)
  }
}
