import StubKit

/// Lines: how far they are indented, lists, sections and blocks.
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

  /// Looks at the beginning of a line: its indentation, marks of lists and sections, and whether a table begins.
  mutating func beginLine() { while !isBegun() {} }

  /// Begins a line, or reads a table, after which another line begins.
  private mutating func isBegun() -> Bool {
    (lineStart, runStart, wordCount, nameBefore, isLineOpen) = (position, position, 0, nil, false)
    guard frame.kind.isOfLines else { return true }
    let first = bytes.firstIndex(notIn: .blank, from: position)
    guard first < bytes.count, !ByteSet.newline[bytes[first]] else { return true }
    indent = first - lineStart
    position = first
    if keyOfYAML() { return true }
    let isItem = isItemMark(at: first)
    if !isItem, valueOfLastLine() { return true }
    openBelow(lineName, isItem: isItem)
    lineName = nil
    if table() || event() { return false }
    if escapedLine() || section() { return true }
    if isItem { beginItems() }
    runStart = position
    while bytes.has(.transcript, at: position), bytes.has(" ", at: position + 1) {
      position += 2
      runStart = position
    }
    return true
  }

  /// Begins the items whose marks are at the position. Each is a group of its own.
  private mutating func beginItems() {
    var itemCount = 0
    repeat {
      itemCount += 1
      let outer = finder.memberName(of: nil)
      push(Frame(kind: .item, indent: indent), below: outer)
      let mark = bytes[position] >= 0x80 ? 3 : 1
      let next = bytes.firstIndex(notIn: .blank, from: position + mark)
      (indent, position) = (indent + next - position - (mark - 1), next)
    } while itemCount < 16 && position < bytes.count && isItemMark(at: position)
  }

  /// Closes the lines that are as far indented, and opens the one before if this line is deeper, or a list below it.
  private mutating func openBelow(
    _ last: (name: Name, indent: Int, hasValue: Bool)?, isItem: Bool
  ) {
    if let last, indent > last.indent || isItem && indent == last.indent && !last.hasValue {
      let outer = finder.memberName(of: name(last.name))
      push(Frame(kind: .line, indent: last.indent), below: outer)
      return
    }
    while frame.kind == .line || frame.kind == .item, frame.indent >= indent {
      // A list can be as far indented as its name.
      if isItem, frame.kind == .line, frame.indent == indent, hasItems { break }
      let isOfList = frame.kind == .item
      removeFrame()
      if isItem, isOfList { hasItems = true }
    }
    hasItems = isItem
  }

  /// Reads a key of YAML that stands alone in its line after `?`, or goes to its value in the next line.
  ///
  /// - Returns: Whether there is one.
  private mutating func keyOfYAML() -> Bool {
    if bytes.has(":", at: position), bytes.has(.blank, at: position + 1), let last = lineName, last.indent == indent {
      push(Frame(kind: .line, indent: indent), below: finder.memberName(of: name(last.name)))
      lineName = nil
      position = bytes.firstIndex(notIn: .blank, from: position + 1)
      runStart = position
      if isItemMark(at: position) { beginItems() }
      return true
    }
    guard bytes.has("?", at: position), bytes.has(.blank, at: position + 1) else { return false }
    let end = bytes.firstIndex(in: .newline, from: position)
    let start = bytes.firstIndex(notIn: .yamlKeyMark, from: position)
    let last = bytes.startIndex(of: .yamlKeyMark, before: end, notBefore: start)
    guard start < last, bytes.firstIndex(notIn: .inName, from: start) >= last else { return false }
    openBelow(lineName, isItem: false)
    lineName = (Name(range: start..<last), indent, false)
    (position, runStart) = (end, end)
    return true
  }

  /// Takes a word alone in its line below `name:`, though it is no deeper. Returns whether that is its value.
  private mutating func valueOfLastLine() -> Bool {
    guard let last = lineName, last.indent == indent, !last.hasValue else { return false }
    let end = bytes.firstIndex(in: .newline, from: position)
    let stop = bytes.startIndex(of: .blank, before: end, notBefore: position)
    guard stop - position < 512, bytes.firstIndex(notIn: .plain, from: position) >= stop,
      !bytes.has(":", at: stop - 1), finder.isKnown(name(last.name).bytes),
      finder.name(name(last.name).string, in: .text).isSecret
    else { return false }
    frame.name = last.name
    let isTaken = take(position..<stop, .line, isRead: false)
    frame.name = nil
    if isTaken { (position, runStart, lineName) = (stop, stop, nil) }
    return isTaken
  }

  private mutating func isItemMark(at index: Int) -> Bool {
    let mark = bytes[index]
    if mark == UInt8(ascii: "-") || mark == UInt8(ascii: "*") { return bytes.has(" ", at: index + 1) }
    return mark >= 0x80 && (bytes.has("▿ ", at: index) || bytes.has("• ", at: index))
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

  /// Opens a section below a line `[name]`.
  private mutating func section() -> Bool {
    guard bytes.has("[", at: position), frame.kind.isOfLines else { return false }
    let isDouble = bytes.has("[", at: position + 1)
    let start = position + (isDouble ? 2 : 1)
    let close = bytes.firstIndex(notIn: .inSectionName, from: start)
    let after = close + (isDouble ? 2 : 1)
    let end = bytes.firstIndex(notIn: .blank, from: after)
    guard bytes.has("]", at: close), close > start, close - start < 200,
      end == bytes.count || bytes.has(.newline, at: end),
      bytes[start].isLetterOrMore
    else { return false }
    while frame.kind == .line || frame.kind == .item || frame.kind == .section {
      removeFrame()
    }
    push(Frame(kind: .section), below: finder.memberName(of: text[start..<close]))
    (position, runStart) = (end, end)
    return true
  }

  /// Reads a block of YAML after `|` or `>`. Returns whether there is one.
  mutating func block() -> Bool {
    guard bytes.has(.blockMark, at: position) else { return false }
    let end = bytes.firstIndex(notIn: .inBlockHead, from: position + 1)
    guard bytes.has(.newline, at: end) else { return false }
    var (line, stop) = (bytes.afterNewline(end), end)
    let first = bytes.firstIndex(notIn: .space, from: line)
    while line < bytes.count {
      let start = bytes.firstIndex(notIn: .blank, from: line)
      let lineEnd = bytes.firstIndex(in: .newline, from: start)
      if start < lineEnd {
        if start - line <= indent { break }
        stop = lineEnd
      }
      line = bytes.afterNewline(lineEnd)
    }
    if first < stop {
      // Each line has its indentation, which is the same.
      let start = bytes.startIndex(of: .blank, before: first)
      let value = text[start..<stop]
      if finder.visit(finder.leaf(.line, currentName(), text[first..<stop])) { finder.read(value) }
    }
    frame.hasValue = true
    (position, runStart) = (max(end, stop), max(end, stop))
    lineName = nil
    return true
  }
}

extension UInt8 {
  fileprivate var isLetterOrMore: Bool { isLetter || self >= 0x80 }
}
