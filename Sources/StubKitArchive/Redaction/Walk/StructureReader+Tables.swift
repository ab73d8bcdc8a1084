import StubKit

/// Tables whose cells have marks or spaces between them.
extension StructureReader {
  /// Reads a table: a head with a name of a secret, and lines with as many cells. Returns whether there is one.
  mutating func table() -> Bool {
    let end = bytes.firstIndex(in: .newline, from: position, to: min(bytes.count, position + 8_192))
    guard bytes.has(.newline, at: end) else { return false }
    let mark = bytes.firstIndex(in: .betweenCells, from: position, to: end)
    guard bytes.firstIndex(in: .notInHead, from: position, to: end) == end else { return false }
    if mark == end { return alignedTable(until: end) }
    let delimiter = bytes[mark]
    let head = cells(from: position, delimiter)
    if head.cells.count == 2, pair(head.cells[0], head.cells[1], delimiter) {
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
    let isRuled = isRule(at: row)
    if isRuled { row = bytes.afterNewline(bytes.firstIndex(in: .newline, from: row)) }
    // Rows between bars need no rule, as in Gherkin.
    let isEdged = bytes.has("|", at: position) && bytes.has("|", at: bytes.firstIndex(notIn: .blank, from: row))
    guard row < bytes.count, isRuled || isEdged || delimiter != UInt8(ascii: "|") else { return false }
    var cells = cells(from: row, delimiter)
    guard cells.cells.count == head.cells.count else { return false }
    while row < bytes.count, cells.cells.count == head.cells.count {
      finder.begin(SecretName.nothing)
      let isPair = cells.cells.count == 2 && pair(cells.cells[0], cells.cells[1], delimiter)
      for (column, cell) in zip(head.cells, cells.cells) where !isPair && !cell.isEmpty && !column.isEmpty {
        let value =
          bytes.has("\"", at: cell.lowerBound - 1) ? text[cell].decoded(.backslash) : text[cell].trimmed(.backtick)
        finder.take(finder.leaf(.cell, text[column], value))
      }
      finder.end()
      row = cells.next
      // A line can be between two rows, too.
      while bytes.has(.edge, at: row), isRule(at: row) {
        row = bytes.afterNewline(bytes.firstIndex(in: .newline, from: row))
      }
      if row < bytes.count { cells = self.cells(from: row, delimiter) }
    }
    position = row
    return true
  }

  /// Whether a line only rules off the head of a table.
  private mutating func isRule(at row: Int) -> Bool {
    row < bytes.count && bytes.firstIndex(notIn: .rule, from: row) >= bytes.firstIndex(in: .newline, from: row)
  }

  /// Reads a table whose cells begin or end in the same columns, with two spaces between them at least. Returns whether
  /// there is one.
  private mutating func alignedTable(until end: Int) -> Bool {
    guard bytes.firstIndex(of: "  ", from: position, to: end) != nil else { return false }
    let head = alignedCells(position..<end)
    guard head.count > 1, head.allSatisfy({ $0.count < 80 && !bytes[$0.lowerBound].isDigit }),
      head.contains(where: { finder.isKnown(text[$0].bytes) })
    else { return false }
    // Two cells can begin together only if they are one.
    let columns = Dictionary(head.map { ($0.lowerBound - lineStart, $0) }) { first, _ in first }
    let ends = Dictionary(head.map { ($0.upperBound - lineStart, $0) }) { first, _ in first }
    var row = bytes.afterNewline(end)
    if isRule(at: row) { row = bytes.afterNewline(bytes.firstIndex(in: .newline, from: row)) }
    let first = row
    while row < bytes.count {
      let end = bytes.firstIndex(in: .newline, from: row)
      let cells = alignedCells(row..<end)
      let names = cells.compactMap { columns[$0.lowerBound - row] ?? ends[$0.upperBound - row] }
      guard cells.count > 1, names.count == cells.count else { break }
      finder.begin(SecretName.nothing)
      for (name, cell) in zip(names, cells) { finder.take(finder.leaf(.cell, text[name], text[cell])) }
      finder.end()
      row = bytes.afterNewline(end)
    }
    if row > first { position = row }
    return row > first
  }

  /// Returns the cells of a line between which there are two spaces at least.
  private mutating func alignedCells(_ line: Range<Int>) -> [Range<Int>] {
    var (cells, start) = ([Range<Int>](), bytes.firstIndex(notIn: .spaceOnly, from: line.lowerBound))
    while start < line.upperBound {
      var end = bytes.firstIndex(in: .spaceOnly, from: start, to: line.upperBound)
      while end + 1 < line.upperBound, !bytes.has(" ", at: end + 1) {
        end = bytes.firstIndex(in: .spaceOnly, from: end + 1, to: line.upperBound)
      }
      cells.append(start..<end)
      start = bytes.firstIndex(notIn: .spaceOnly, from: end)
    }
    return cells
  }

  /// Takes a name and a value with a digit between which a mark is, as in what `aws --output text` prints. Returns
  /// whether something decides about it.
  private mutating func pair(_ name: Range<Int>, _ value: Range<Int>, _ delimiter: UInt8) -> Bool {
    let name = text[name]
    guard finder.isKnown(name.bytes), finder.name(name.string, in: .member).isSecret,
      bytes.firstIndex(in: .digit, from: value.lowerBound, to: value.upperBound) < value.upperBound,
      !finder.name(text[value].string, in: .member).isSecret
    else { return false }
    // Only a tab is no mark of a sentence.
    return !finder.visit(finder.leaf(delimiter == UInt8(ascii: "\t") ? .cell : .bare, name, text[value]))
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
