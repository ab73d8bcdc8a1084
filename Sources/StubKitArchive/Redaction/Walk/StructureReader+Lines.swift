import StubKit

extension StructureReader {
  mutating func newline() {
    endRun()
    if frame.kind.isGroup {
      let next = bytes.firstIndex(notIn: .space, from: position)
      // Several words can be in a line.
      if wordCount > 0, !bytes.has(.opening, at: next) { endWords() }
      // Below a value in brackets, a list is a name, as PHP prints it.
      if frame.hasValue, !bytes.has("{", at: next) { frame.name = nil }
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
    var isItem = isItemMark(at: first)
    openBelow(lineName, isItem: isItem)
    lineName = nil
    if table() { return false }
    if escapedLine() || section() { return true }
    var itemCount = 0
    while isItem, itemCount < 16 {
      itemCount += 1
      // Each item is a group of its own.
      let outer = finder.memberName(of: nil)
      push(Frame(kind: .item, indent: indent), below: outer)
      let mark = bytes[position] >= 0x80 ? 3 : 1
      let next = bytes.firstIndex(notIn: .blank, from: position + mark)
      (indent, position) = (indent + next - position - (mark - 1), next)
      isItem = next < bytes.count && isItemMark(at: next)
    }
    runStart = position
    while bytes.has(.transcript, at: position), bytes.has(" ", at: position + 1) {
      position += 2
      runStart = position
    }
    return true
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

  // MARK: Tables

  /// Reads a table: a head with a name of a secret, and lines with as many cells. Returns whether there is one.
  private mutating func table() -> Bool {
    let end = bytes.firstIndex(in: .newline, from: position, to: min(bytes.count, position + 8_192))
    guard bytes.has(.newline, at: end) else { return false }
    let mark = bytes.firstIndex(in: .betweenCells, from: position, to: end)
    guard mark < end, bytes.firstIndex(in: .notInHead, from: position, to: end) == end else { return false }
    let delimiter = bytes[mark]
    let head = cells(from: position, delimiter)
    if delimiter == UInt8(ascii: "\t"), head.cells.count == 2, pair(head.cells[0], head.cells[1]) {
      position = head.next
      return true
    }
    let isHead =
      head.cells.count > 1
      && head.cells.allSatisfy { cell in
        cell.isEmpty || cell.count < 80 && !bytes[cell.lowerBound].isDigit
      }
    // A statement ends with a semicolon.
    guard isHead, head.cells.count(where: { !$0.isEmpty }) > 1,
      head.cells.contains(where: { finder.isKnown(text[$0].bytes) })
    else { return false }
    var row = head.next
    let isRuled =
      row < bytes.count && bytes.firstIndex(notIn: .rule, from: row) >= bytes.firstIndex(in: .newline, from: row)
    if isRuled { row = bytes.afterNewline(bytes.firstIndex(in: .newline, from: row)) }
    // Rows between bars need no rule, as in Gherkin.
    let isEdged = bytes.has("|", at: position) && bytes.has("|", at: bytes.firstIndex(notIn: .blank, from: row))
    guard row < bytes.count, isRuled || isEdged || delimiter != UInt8(ascii: "|") else { return false }
    var cells = cells(from: row, delimiter)
    guard cells.cells.count == head.cells.count else { return false }
    while row < bytes.count, cells.cells.count == head.cells.count {
      finder.begin(SecretName.nothing)
      let isPair = delimiter == UInt8(ascii: "\t") && cells.cells.count == 2 && pair(cells.cells[0], cells.cells[1])
      for (column, cell) in zip(head.cells, cells.cells) where !isPair && !cell.isEmpty && !column.isEmpty {
        let value =
          bytes.has("\"", at: cell.lowerBound - 1) ? text[cell].decoded(.backslash) : text[cell].trimmed(.backtick)
        finder.take(finder.leaf(.cell, text[column], value))
      }
      finder.end()
      row = cells.next
      if row < bytes.count { cells = self.cells(from: row, delimiter) }
    }
    position = row
    return true
  }

  /// Takes a name and a value with a digit between which a tab is, as in what `aws --output text` prints. Returns
  /// whether something decides about it.
  private mutating func pair(_ name: Range<Int>, _ value: Range<Int>) -> Bool {
    let name = text[name]
    guard finder.isKnown(name.bytes), finder.name(name.string, in: .member).isSecret,
      bytes.firstIndex(in: .digit, from: value.lowerBound, to: value.upperBound) < value.upperBound,
      !finder.name(text[value].string, in: .member).isSecret
    else { return false }
    return !finder.visit(finder.leaf(.cell, name, text[value]))
  }

  /// Returns the cells of a line, and where the next line begins. A cell in quotation marks can have several lines.
  private mutating func cells(from start: Int, _ delimiter: UInt8) -> (cells: [Range<Int>], next: Int) {
    var (cells, cell, end) = ([Range<Int>](), start, start)
    while true {
      if bytes.has("\"", at: cell) {
        end = cell + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") || bytes.has("\"", at: end + 1) {
          end += bytes[end] == UInt8(ascii: "\"") ? 2 : 1
        }
        end = min(end, bytes.count)
        cells.append((cell + 1)..<max(cell + 1, end))
        end = min(end + 1, bytes.count)
        while end < bytes.count, bytes[end] != delimiter, !ByteSet.newline[bytes[end]] { end += 1 }
      } else {
        end = cell
        while end < bytes.count, bytes[end] != delimiter, !ByteSet.newline[bytes[end]] { end += 1 }
        let first = min(end, bytes.firstIndex(notIn: .spaceOnly, from: cell))
        let range = first..<bytes.startIndex(of: .spaceOnly, before: end, notBefore: first)
        // The edges of a table of Markdown are no cells.
        if delimiter != UInt8(ascii: "|") || !range.isEmpty || !cells.isEmpty { cells.append(range) }
      }
      guard end < bytes.count, bytes[end] == delimiter else { break }
      cell = end + 1
    }
    if delimiter == UInt8(ascii: "|"), cells.last?.isEmpty == true { cells.removeLast() }
    return (cells, bytes.afterNewline(end))
  }
}

extension UInt8 {
  fileprivate var isLetterOrMore: Bool { isLetter || self >= 0x80 }
}
