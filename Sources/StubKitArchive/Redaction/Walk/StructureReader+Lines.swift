import StubKit

/// Lines, and what is in several of them.
extension StructureReader {
  mutating func newline() {
    endRun()
    if frame.kind.isGroup {
      let next = bytes.firstIndex(notIn: .space, from: position)
      // As PHP prints a list: its kind, and the list in the next line.
      let isKind = wordCount > 0 && bytes.has("(", at: next) && isWrapper()
      // Several words can be in a line.
      if wordCount > 0, !bytes.has(.opening, at: next) { endWords() }
      // Below a value in brackets, a list is a name, as PHP prints it.
      if frame.hasValue, !isKind, !bytes.has("{", at: next) { frame.name = nil }
    } else {
      endWords()
      if frame.kind != .tag, frame.kind != .element { frame.name = nil }
    }
    position = bytes.afterNewline(position)
    beginLine()
  }

  /// Looks at the beginning of a line: its indentation, and texts that it is a part of.
  mutating func beginLine() { while !isBegun() {} }

  /// Begins a line, or reads lines that are one text, after which another line begins.
  private mutating func isBegun() -> Bool {
    (lineStart, runStart, wordCount, nameBefore) = (position, position, 0, nil)
    guard frame.kind == .text else { return true }
    position = bytes.firstIndex(notIn: .blank, from: position)
    guard position < bytes.count, !ByteSet.newline[bytes[position]] else { return true }
    if event() { return false }
    if escapedLine() { return true }
    runStart = position
    while bytes.has(.transcript, at: position), bytes.has(" ", at: position + 1) {
      position += 2
      runStart = position
    }
    return true
  }

  /// Reads a line whose quotation marks all have backslashes, and which is a text within a text.
  private mutating func escapedLine() -> Bool {
    if position < lineEnd.end, position >= lineEnd.from { return false }
    let end = bytes.firstIndex(in: .newline, from: position)
    lineEnd = (position, end)
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "\\"), from: position, to: end),
      bytes.has("\"", at: mark + 1) || bytes.has("\\\\", at: mark),
      bytes.firstIndex(of: UInt8(ascii: "\""), from: position, to: end) ?? end > mark
    else { return false }
    let decoded = text[position..<end].decoded(.backslash)
    guard decoded.bytes.count < end - position else { return false }
    finder.read(decoded)
    (position, runStart) = (end, end)
    return true
  }

  /// Reads an event whose data has several lines, which are one text (WHATWG HTML, "server-sent events"). Returns
  /// whether there is one.
  private mutating func event() -> Bool {
    guard bytes.has("data:", at: position) else { return false }
    var (parts, line) = ([Range<Int>](), position)
    while bytes.has("data:", at: line) {
      let next = bytes.afterNewline(bytes.firstIndex(in: .newline, from: line))
      parts.append(line + 5..<next)
      line = next
    }
    guard parts.count > 1 else { return false }
    finder.read(text.joined(parts))
    position = line
    return true
  }
}
