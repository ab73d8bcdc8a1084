import StubKit

/// Values after a sign, without quotation marks, and addresses.
extension StructureReader {
  mutating func attribute() {
    if bytes.has(.quotes, at: position) { return }
    var end = position
    while end < bytes.count, !bytes.has(.space, at: end), !bytes.has(.greater, at: end) { end += 1 }
    if bytes.has("/>", at: end - 1) { end -= 1 }
    guard position < end else { return }
    let range = position..<end
    take(range, .attribute, .entity, isRead: true)
    (frame.name, position, runStart) = (nil, end, end)
  }

  /// Takes a value without quotation marks.
  mutating func plainValue(isFirst: Bool, isTight: Bool, isEquals: Bool) {
    let start = position
    if frame.kind.isGroup {
      // With a sign without white space, members can have white space between them.
      var end = isTight ? endOfRun(from: start) : endOfBare(from: start)
      end = bytes.startIndex(of: .blank, before: end, notBefore: start)
      // What a bracket follows names that.
      // Of many names and values without anything between them, only the last is looked at as a whole.
      let isLast = bytes.firstIndex(in: .textMarks, from: start, to: end) + 2 >= end
      if end > start, !bytes.has(.brackets, at: end), isLast && end - start <= 8_192 || end - start <= 256 {
        let isOver = take(start..<end, .bare, isRead: false)
        if frame.content == nil { frame.content = start..<end }
        if isOver || bytes.isNumberOfJSON(start..<end) || bytes.isLiteralOfJSON(start..<end) {
          (position, runStart) = (end, end)
        }
      }
      return
    }
    var end = endOfValue(from: start)
    guard start < end, !bytes.has(.brackets, at: end) else { return }
    // Only code has this operator.
    if bytes.has("??", at: bytes.firstIndex(notIn: .blank, from: end)) { return }
    // Credentials follow a scheme (RFC 9110, section 11.4).
    if bytes.has(" ", at: end), bytes.has(.word, at: end + 1), isOfCredentials() { end = endOfValue(from: end + 1) }
    let isLast = bytes.firstIndex(in: .textMarks, from: start, to: end) + 2 >= end
    guard isLast || end - start <= 256 else { return }
    // What a line has after its name, but for a mark at its end.
    let rest = bytes.firstIndex(notIn: .lineEnd, from: end)
    let endsLine = rest == bytes.count || bytes.has(.newline, at: rest)
    let isWholeLine = isFirst && (endsLine || isTight && rest > end)
    let place: Leaf.Place = isWholeLine ? .line : isEquals && isTight ? .assigned : .text
    if take(start..<end, place, isRead: false) {
      position = end
      runStart = end
    } else if isTight, ByteKind.of[bytes[start]] == .word {
      // What is encoded in it.
      readPlain(start..<end)
    }
  }

  /// Whether the current name is that of a field with credentials.
  private mutating func isOfCredentials() -> Bool {
    guard let name = frame.name, name.range.count >= 13 else { return false }
    return text[(name.range.upperBound - 13)..<name.range.upperBound].string.lowercased() == "authorization"
  }

  private mutating func readPlain(_ range: Range<Int>) {
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
  private mutating func isBeforeName(_ index: Int) -> Bool {
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

  // MARK: Addresses

  /// Reads a URL, whose scheme is before the position.
  mutating func address() {
    let start = bytes.startIndex(of: .name, before: position, notBefore: position - 30)
    let end = bytes.firstIndex(in: .urlEnd, from: position + 3)
    if frame.name != nil { frame.hasValue = true }
    finder.readURL(text[start..<end])
    (position, runStart, wordCount, nameBefore) = (end, end, 0, nil)
  }
}
