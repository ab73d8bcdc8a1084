import StubKit

/// Lines, and a text within a text in one.
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

  /// Looks at the beginning of a line: its indentation, what a transcript has before it, and a text that it is.
  mutating func beginLine() {
    (lineStart, runStart, wordCount, nameBefore) = (position, position, 0, nil)
    guard frame.kind == .text else { return }
    position = bytes.firstIndex(notIn: .blank, from: position)
    guard position < bytes.count, !ByteSet.newline[bytes[position]] else { return }
    if escapedLine() { return }
    runStart = position
    while bytes.has(.transcript, at: position), bytes.has(" ", at: position + 1) {
      position += 2
      runStart = position
    }
  }

  /// Reads a line whose quotation marks all have backslashes, and which is a text within a text, as in the
  /// reports of a recording.
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
}
