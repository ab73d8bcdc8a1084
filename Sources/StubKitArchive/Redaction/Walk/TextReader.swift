import StubKit

extension SecretFinder {
  /// Reads text: tags and elements, URLs, names with a value after a colon or an equals sign, and words.
  mutating func readText(_ text: SecretText) {
    readWords(text)
    readMarks(text, isTag: false)
  }

  private mutating func readMarks(_ text: SecretText, isTag: Bool) {
    let bytes = text.bytes
    // The end of a value is searched once, wherever values begin.
    var (next, valueEnd) = (0, 0)
    while case let mark = bytes.firstIndex(in: .textMarks, from: next), mark < bytes.count {
      next = mark + 1
      if bytes.has("<", at: mark) {
        let close = bytes.firstIndex(in: .tagMarks, from: next)
        guard bytes.has(">", at: close) else { continue }
        let tag = text[next..<close]
        next = close + 1
        begin()
        readMarks(tag, isTag: true)
        end()
        let name = tag.pieces(at: .space)[0].string
        let leaf = Leaf(place: .element, name: name, value: text.content(from: next))
        if !name.hasPrefix("/"), visit(leaf) { readBase64(leaf.value) }
        continue
      }
      if bytes.has("://", at: mark) {
        next = bytes.firstIndex(in: .urlEnd, from: mark + 3)
        readURL(text[bytes.startIndex(of: .name, before: mark, notBefore: mark - 30)..<next])
        continue
      }
      let nameEnd = bytes.startIndex(of: .beforeMark, before: mark, notBefore: mark - 140)
      let nameStart = bytes.startIndex(of: .name, before: nameEnd, notBefore: mark - 140)
      let start = bytes.firstIndex(notIn: .blank, from: next)
      // A name before a colon can be a part of a URN or a path.
      let isInPath = start == next && bytes.has(":", at: mark) && bytes.has(.inPath, at: nameStart - 1)
      if nameStart == nameEnd || isInPath { continue }
      let isQuoted = bytes.has(.quotes, at: start)
      let isAssigned = start == next && bytes.has("=", at: mark)
      let first = isQuoted ? start + 1 : start
      if first >= valueEnd { valueEnd = bytes.endOfValue(from: first) }
      let closed = bytes.endOfQuotation(from: start)
      // The end of a sentence and a bracket aren't a part of a value.
      let end = closed ?? bytes.startIndex(of: .closing, before: min(valueEnd, first + 4_096), notBefore: first)
      // Of many names and values without anything between them, only the last is looked at as a whole.
      let isLast = bytes.firstIndex(in: .textMarks, from: first) + 2 >= end
      let isRead = closed != nil || isLast || end - first <= 256
      guard first < end, isRead else { continue }
      let place: Leaf.Place = isQuoted ? isTag ? .attribute : .quoted : isAssigned ? .assigned : .text
      let leaf = Leaf(place: place, name: text[nameStart..<nameEnd].string, value: text[first..<end])
      if !visit(leaf) {
        next = end
      } else if place == .attribute, leaf.value.bytes.isURL {
        readURL(leaf.value)
      }
    }
  }

  /// Reads each word with a digit, as in `--token x1` or `The API key is x1`. Its name is the words before it.
  mutating func readWords(_ text: SecretText) {
    let bytes = text.bytes
    var next = 0
    while case let digit = bytes.firstIndex(in: .digit, from: next), digit < bytes.count {
      let start = bytes.startIndex(of: .notSpace, before: digit, notBefore: digit - 200)
      next = bytes.firstIndex(in: .space, from: digit)
      let word = text[start..<next].trimmed(.aroundWord)
      // What has a name of its own is no word.
      let isWord = word.bytes.firstIndex(in: .markup) + 2 >= word.bytes.count
      guard isWord, 4...8_192 ~= word.bytes.count else { continue }
      let before = text[max(0, start - 80)..<start].pieces(at: .newline)
      decideWord(Leaf(place: .word, name: before[before.count - 1].string, value: word))
    }
  }
}

extension SecretText {
  /// Returns the text of an element up to the next tag, without the space around it.
  fileprivate func content(from start: Int) -> SecretText {
    let first = bytes.firstIndex(notIn: .space, from: start)
    if bytes.has("<![CDATA[", at: first), let end = bytes.firstIndex(of: "]]>", from: first, to: first + 4_096) {
      return self[first + 9..<end]
    }
    // The tag has ended too early if an attribute contains its end.
    return self[start..<(bytes.firstIndex(of: "<", from: start) ?? bytes.count)].trimmed()
  }
}

extension Bytes {
  /// Returns where a value without quotation marks ends: at white space, a quotation mark or `&`, at a tag, and at a
  /// `;` or `,` before the name of another value.
  fileprivate func endOfValue(from start: Int) -> Int {
    var end = start - 1
    repeat {
      end = firstIndex(in: .valueEnd, from: end + 1)
    } while has(.separators, at: end) && !has(.assigning, at: firstIndex(notIn: .name, from: end + 1))
    return end
  }

  /// Returns the index of the quotation mark that closes the one at an index, if it is in the same line.
  fileprivate func endOfQuotation(from start: Int) -> Int? {
    guard has(.quotes, at: start), let end = firstIndex(of: self[start], from: start + 1, to: start + 8_192) else {
      return nil
    }
    return self[start..<end].contains(.newline) ? nil : end
  }
}
