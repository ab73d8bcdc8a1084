import StubKit

/// Words, and what they encode.
extension StructureReader {
  mutating func word() {
    let start = position
    position = bytes.firstIndex(notIn: .inStructureWord, from: start + 1)
    var end = position
    // Padding belongs to Base64.
    if end - start >= 10, bytes.has("=", at: end) {
      let last = bytes.firstIndex(notIn: .equals, from: end)
      let isPadding = last - end < 3 && (last - start) % 4 == 0 && !bytes.has(.inStructureWord, at: last)
      if isPadding, !bytes.has(.quotes, at: last), !bytes.has(.greater, at: last) { end = last }
    }
    let isPair = end - start == 2 || end - start == 4 && bytes.has("0x", at: start)
    if isPair, start >= pairsEnd, readPairs(from: start) { return }
    if end - start >= EncodedText.leastDigits { readEncodedWord(start..<end) }
    position = max(position, end)
    nameBefore = nil
    words = (start, words.last, words.second, words.third)
    wordCount += 1
    wordEnd = position
  }

  /// Reads pairs of hexadecimal digits. Returns whether they are text.
  private mutating func readPairs(from start: Int) -> Bool {
    pairsEnd = bytes.pairs(from: start).end
    guard pairsEnd - start >= EncodedText.leastDigits, finder.readEncoded(text[start..<pairsEnd]) else { return false }
    (position, runStart, wordCount, nameBefore) = (pairsEnd, pairsEnd, 0, nil)
    return true
  }

  /// Reads escapes such as `\x7B\x22` up to white space.
  mutating func backslash() {
    let start = position
    position += 2
    guard start >= escapesEnd, bytes.has(.escapedByte, at: start + 1) else { return }
    escapesEnd = bytes.firstIndex(in: .space, from: start)
    let decoded = text[start..<escapesEnd].decoded(.backslash)
    guard decoded.bytes.count < escapesEnd - start, decoded.bytes.firstIndex(in: .structure) < decoded.bytes.count
    else { return }
    finder.read(decoded)
    (position, runStart, wordCount, nameBefore) = (escapesEnd, escapesEnd, 0, nil)
  }

  /// Reads what a word encodes: a text in Base64 or hexadecimal digits, parts of it between full stops, or escapes.
  private mutating func readEncodedWord(_ range: Range<Int>) {
    let word = text[range]
    // A placeholder can be a token with claims.
    if finder.readEncoded(word) || finder.placeholders.isWhole(word.string) { return }
    if bytes.has("eyJ", at: range.lowerBound) {
      for part in word.pieces(at: .fullStop) { finder.readEncoded(part) }
    } else if word.bytes.firstIndex(of: UInt8(ascii: "%"), from: 0) != nil, !bytes.has("=", at: range.upperBound) {
      let decoded = word.decoded(.inURL)
      if decoded.bytes.count < word.bytes.count, decoded.bytes.firstIndex(in: .structure) < decoded.bytes.count {
        finder.read(decoded)
      }
    }
  }

  /// Ends a run of bytes that aren't white space: decides about it if it is a word with a digit that has no name.
  mutating func endRun() {
    let end = position
    let first = end - runStart > 8_400 ? end - 8_400 : runStart
    guard bytes.firstIndex(in: .digit, from: first, to: end) < end else { return }
    let start = startOfGroups(first, end)
    guard end - start > 3 else { return }
    // A member has its name before it.
    if frame.kind.isGroup, frame.name != nil { return }
    if !isWorthLooking(start, end) { return }
    let run = text[start..<end].trimmed(.aroundWord)
    // What has a name of its own is no word.
    let isWord = run.bytes.firstIndex(in: .markup) + 2 >= run.bytes.count
    guard isWord, 4...8_192 ~= run.bytes.count else { return }
    finder.decideWord(Leaf(place: .word, value: run), after: text[min(start, max(lineStart, start - 80))..<start])
  }

  /// Where a run begins, or the run before it, if both are groups of a number such as `493 817`.
  private mutating func startOfGroups(_ start: Int, _ end: Int) -> Int {
    guard 2...5 ~= end - start, bytes.has(" ", at: start - 1), bytes.has(.digit, at: start - 2) else { return start }
    let last = bytes.startIndex(of: .aroundWord, before: end, notBefore: start)
    let first = bytes.startIndex(of: .digit, before: start - 1, notBefore: max(lineStart, start - 6))
    let isGroup = 2...4 ~= last - start && bytes.firstIndex(notIn: .digit, from: start) == last
    return isGroup && 2...4 ~= start - 1 - first && bytes.has(.space, at: first - 1) ? first : start
  }

  /// Whether a run is long enough to look random, or something before it can say that it is a secret. Most are neither.
  private mutating func isWorthLooking(_ start: Int, _ end: Int) -> Bool {
    if end - start >= 16 { return true }
    let last = bytes.startIndex(of: .space, before: start, notBefore: lineStart)
    if bytes.has("-u", at: start) || bytes.has(.colon, at: last - 1) || bytes.has("-u", at: last - 2)
      || bytes.has("-user", at: last - 5)
    {
      return true
    }
    // Names are searched once in each word, however many words follow it.
    let first = max(lineStart, last - 32, known.searched)
    if first < last {
      let start = max(0, first - 128)
      if finder.isKnown(in: bytes.part(start..<last), after: first - start) { known.end = last }
      known.searched = last
    }
    return known.end >= max(lineStart, last - 32)
  }

  /// Takes the words of brackets that have no name.
  mutating func endWords() {
    defer { wordCount = 0 }
    guard wordCount > 0, wordEnd <= position, frame.name == nil || !frame.hasValue else { return }
    let start =
      wordCount == 1 ? words.last : wordCount == 2 ? words.second : wordCount == 3 ? words.third : words.fourth
    guard start < wordEnd, frame.kind.isGroup else { return }
    if frame.content == nil { frame.content = start..<wordEnd }
    take(start..<wordEnd, .bare, isRead: false)
  }
}
