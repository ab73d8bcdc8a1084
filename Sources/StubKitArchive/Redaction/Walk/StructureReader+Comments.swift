import StubKit

/// Comments, which are texts of their own.
extension StructureReader {
  /// Returns the end of a short comment between marks that begins at an index, or `nil` if none does.
  mutating func endOfComment(at start: Int) -> Int? {
    guard bytes.has("/*", at: start) else { return nil }
    return bytes.firstIndex(of: "*/", from: start, to: min(bytes.count, start + 512)).map { $0 + 2 }
  }

  mutating func isComment(at start: Int) -> Bool {
    let byte = bytes[start]
    if byte == UInt8(ascii: "#") {
      return start == lineStart || bytes.has(.space, at: start - 1) && bytes.has(" ", at: start + 1)
    }
    guard byte == UInt8(ascii: "/"), bytes.has("/", at: start + 1) || bytes.has("*", at: start + 1) else {
      return false
    }
    if bytes.has("*", at: start + 1), bytes.has(.assigning, at: start - 1) { return true }
    return start == 0 || bytes.has(.space, at: start - 1) || bytes.has(.beforeComment, at: start - 1)
  }

  /// Reads a comment, which is a text of its own.
  mutating func comment() {
    let start = position
    let isLong = bytes.has("/*", at: start)
    let end: Int
    if isLong {
      guard noMore[UInt8(ascii: "*")] == nil, let close = bytes.firstIndex(of: "*/", from: start + 2) else {
        noMore[UInt8(ascii: "*")] = start
        position += 2
        return
      }
      end = close
    } else {
      end = bytes.firstIndex(in: .newline, from: start)
    }
    let first = min(end, bytes.firstIndex(notIn: .inCommentMark, from: start))
    finder.read(text[first..<end])
    position = isLong ? end + 2 : end
    let next = bytes.firstIndex(notIn: .blank, from: position)
    if isLong, bytes.has(.assigning, at: next) {
      // The word before it is a name.
      if nameBefore == nil, wordCount > 0 { nameBefore = Name(range: words.last..<wordEnd) }
      position = next
    } else {
      nameBefore = nil
    }
    (wordCount, runStart) = (0, position)
  }

  /// Reads the comments between marks at the position, and what is blank around them. Returns whether there are some.
  mutating func skipComments() -> Bool {
    let start = position
    while let end = endOfComment(at: position) {
      finder.read(text[min(end - 2, bytes.firstIndex(notIn: .inCommentMark, from: position))..<end - 2])
      position = bytes.firstIndex(notIn: frame.kind.isGroup ? .space : .blank, from: end)
    }
    return position > start
  }
}
