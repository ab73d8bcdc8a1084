import StubKit

/// Names and the signs after them.
extension StructureReader {
  /// Reads a sign between a name and a value: `:`, `=`, `=>`, `:=` or `==`.
  mutating func sign() {
    let start = position
    let isColon = bytes[start] == UInt8(ascii: ":")
    if isColon, bytes.has("://", at: start) { return address() }
    // A prefix of a name of XML.
    if isColon, frame.kind == .tag {
      position += 1
      return
    }
    if isColon, bytes.has(":", at: start + 1), !bytes.has(.blank, at: start + 2) || frame.kind.isGroup {
      (position, wordCount, nameBefore) = (start + 2, 0, nil)
      return
    }
    position += isColon && bytes.has(":", at: start + 1) ? 2 : 1
    while bytes.has(isColon ? .afterColon : .afterEquals, at: position), position < start + 3 { position += 1 }
    // The name and the colon can be emphasized in Markdown.
    let mark = bytes.firstIndex(notIn: .emphasis, from: position)
    if isColon, 1...3 ~= mark - position, bytes.has(.blank, at: mark) { position = mark }
    let isTight = !bytes.has(.space, at: position) && position < bytes.count
    defer { wordCount = 0 }
    guard let name = nameBefore ?? nameOfWords(before: start, isColon: isColon, isTight: isTight) else {
      if isColon, isTight, takeKeyword() { return }
      // An emoticon isn't a bracket.
      if isColon, bytes.has(.emoticon, at: position) { position += 1 }
      (nameBefore, runStart) = (nil, position)
      return
    }
    nameBefore = nil
    let isFirst = !frame.kind.isGroup && startsLine(name)
    // A type is between a name and its value, as in `let password: String = "x"`.
    if !isColon, !isTight, isType(name) {
      position = bytes.firstIndex(notIn: .blank, from: position)
      return
    }
    // The same sign after a value makes another member, and a value can be a pair itself.
    (frame.name, frame.sign, frame.hasValue) = (name, bytes[start], false)
    var next = bytes.firstIndex(notIn: .blank, from: position)
    // A backslash before a line break continues the line.
    if bytes.has("\\", at: next), bytes.has(.newline, at: next + 1) {
      next = bytes.firstIndex(notIn: .blank, from: bytes.afterNewline(next + 1))
    }
    guard next < bytes.count, !bytes.has(.newline, at: next) else {
      position = next
      return
    }
    position = next
    if !isTight { runStart = next }
    if frame.kind == .tag { return attribute() }
    if isPrefixedQuotation() { return }
    switch ByteKind.of[bytes[position]] {
    case .word, .other, .sign, .ampersand, .greater, .backslash, .closing, .comma:
      plainValue(isFirst: isFirst, isTight: isTight, isEquals: !isColon)
    default: break
    }
  }

  /// Whether words before an equals sign are the type of the current name, which a colon follows.
  private mutating func isType(_ type: Name) -> Bool {
    guard !type.isQuoted, frame.sign == UInt8(ascii: ":"), let name = frame.name, !name.isQuoted else {
      return false
    }
    let start = name.range.upperBound
    var end = bytes.firstIndex(notIn: .inType, from: start)
    // A lifetime of Rust.
    if bytes.has("&'", at: end - 1) { end = bytes.firstIndex(notIn: .inType, from: end + 1) }
    return start < type.range.lowerBound && type.range.upperBound - start < 80 && end >= type.range.upperBound
      && finder.isKnown(text[name.range].bytes)
      && !finder.name(text[type.range].string, in: .member).isSecret
  }

  /// Takes the name after a colon that has none before it, as in `{:password "x"}`, if a value follows.
  private mutating func takeKeyword() -> Bool {
    let start = position
    let end = bytes.firstIndex(notIn: .inName, from: start)
    let next = bytes.firstIndex(notIn: .blank, from: end)
    let isAfterMark = start < 2 || !bytes.has(.inName, at: start - 2)
    guard end > start, next > end, isAfterMark, bytes.has(.quotes, at: next) || bytes.has(.brackets, at: next) else {
      return false
    }
    (frame.name, frame.sign, frame.hasValue) = (Name(range: start..<end), 0, false)
    (position, nameBefore, runStart) = (next, nil, next)
    return true
  }

  /// The name that the words before a sign are, or `nil`.
  private mutating func nameOfWords(before sign: Int, isColon: Bool, isTight: Bool) -> Name? {
    guard wordCount > 0, wordEnd <= sign else { return nil }
    // Names that begin their lines can have their colons in a column.
    let isNear = sign - wordEnd < 3 || wordCount == 1 && startsLine(Name(range: words.last..<wordEnd))
    guard isNear || !isColon else { return nil }
    // The name of a member ends before a sign. Other marks, such as a slash, belong to a path.
    var start = bytes.startIndex(of: .inName, before: wordEnd, notBefore: words.last)
    guard start < wordEnd else { return nil }
    // A name of several words begins its line, or follows another value.
    if 2...3 ~= wordCount, frame.kind == .text, !(isColon && isTight) {
      let first = wordCount == 2 ? words.second : words.third
      let before = bytes.startIndex(of: .lineMark, before: first, notBefore: lineStart)
      if before == lineStart || bytes.has(";", at: before - 1) { start = first }
    }
    if isColon, isTight {
      // A drive, a time, a port, and what has several colons.
      let isShort = wordEnd - words.last == 1 && bytes.has(.slashes, at: position)
      let isNumber = bytes[start].isDigit && !(frame.kind == .brace)
      let isInPath = bytes.has(.inPath, at: start - 1)
      if isShort || isNumber || isInPath { return nil }
    }
    return Name(range: start..<wordEnd)
  }

  /// Whether a name is the first thing in its line.
  private mutating func startsLine(_ name: Name) -> Bool {
    let first = name.range.lowerBound - (name.isQuoted ? 1 : 0)
    if bytes.startIndex(of: .lineMark, before: first, notBefore: lineStart) <= lineStart { return true }
    // Other words can be before it, as in `export NAME=VALUE`.
    let before = bytes.startIndex(of: .blank, before: first, notBefore: lineStart)
    return ["export", "set", "ENV", "ARG"].contains { word in
      let start = before - word.utf8.count
      return bytes.has(string: word, at: start)
        && bytes.startIndex(of: .lineMark, before: start, notBefore: lineStart) <= lineStart
    }
  }
}
