import StubKit

/// Reads any text in one pass from its first to its last byte, and knows the names of each value.
///
/// What is open stands on a stack: brackets, tags, elements, sections, and lines with deeper ones below them. Nothing
/// fails: a byte that means nothing is skipped. A search for an end, such as that of a quotation, either succeeds, and
/// the pass goes on after it, or is remembered, so that the time is in proportion to the length, whatever a text is.
///
/// A quotation, a comment, a cell and the text of an element are texts of their own: what is in them opens and closes
/// nothing around them.
///
/// It is no object, and all of its methods are mutating: a debug build checks each access to a property of an object,
/// and copies the reader for a method that isn't mutating.
struct StructureReader {
  struct Frame {
    enum Kind {
      case text, section, line, item, brace, bracket, parenthesis, tag, element

      /// Whether a line break ends nothing in it.
      var isGroup: Bool {
        switch self {
        case .brace, .bracket, .parenthesis: true
        case .text, .section, .line, .item, .tag, .element: false
        }
      }
      /// Whether lines have a meaning in it.
      var isOfLines: Bool {
        switch self {
        case .text, .section, .line, .item: true
        case .brace, .bracket, .parenthesis, .tag, .element: false
        }
      }
    }
    var kind: Kind
    /// How far its line is indented.
    var indent = -1
    /// The name that waits for its value or has it, the sign after it, and whether there was a value.
    var name: Name?
    var sign: UInt8 = 0
    var hasValue = false
    /// The name of a tag or an element, and the name of an element's text, which another element can be.
    var tagName: Range<Int>?
    var label: SecretText?
    /// Whether a tag is a declaration, which has no content.
    var isDeclaration = false
    /// The first value in brackets, which a sign after them can make a name, or the text of an element.
    var content: Range<Int>?
  }

  struct Name {
    var range: Range<Int>
    var isQuoted = false
  }

  /// How many brackets, elements and lines can be open. What is deeper is read without them.
  static let deepest = 100_000

  let text: SecretText
  let bytes: Bytes
  /// What decides about the values.
  let finder: SecretFinder
  /// Whether the text begins with a tag, so that each `<` is one.
  let isMarkup: Bool
  var position = 0
  /// The innermost frame, and those around it.
  var frame = Frame(kind: .text)
  var frames: [Frame] = []
  /// How many brackets of each kind, and elements of each name are open.
  var openBraces = 0, openBrackets = 0, openParentheses = 0
  var openElements: [String: Int] = [:]

  /// The words since the last mark: where the last four begin, and where the last one ends.
  var words: (last: Int, second: Int, third: Int, fourth: Int) = (0, 0, 0, 0)
  var wordCount = 0, wordEnd = 0
  /// A quotation or brackets right before the position, which a sign can make a name.
  var nameBefore: Name?
  /// Where the current run of bytes that aren't white space begins.
  var runStart = 0
  var lineStart = 0, indent = 0, isLineOpen = false
  /// The name of the last line, below which deeper lines are.
  var lineName: (name: Name, indent: Int, hasValue: Bool)?
  /// The ends of values that begin here or later, so that each is searched once.
  var valueEnd = (from: 0, end: 0), bareEnd = (from: 0, end: 0), runEnd = (from: 0, end: 0), lineEnd = (from: 0, end: 0)
  /// Where the Base64 of several lines ends that was looked at last.
  var encodedEnd = 0
  /// Up to where names that a rule can know were searched before words, and where the last one ends.
  var known = (searched: 0, end: -1)
  /// From where on there is no more such mark.
  var noMore: [UInt8: Int] = [:]
  /// The names of the columns of a table of HTML, how many there were before the current row, and the number of the
  /// next cell in that.
  var columns: [SecretText] = [], headCount = 0, cellNumber = 0
  /// Whether the last line was an item of a list, and whether brackets before the position were a row of values.
  var hasItems = false, isAfterRow = false

  init(_ text: SecretText, _ finder: SecretFinder) {
    (self.text, bytes, self.finder) = (text, text.bytes, finder)
    let first = text.bytes.firstIndex(notIn: .space)
    isMarkup = text.bytes.has("<", at: first)
  }

  mutating func read() {
    if bytes.has("\u{FEFF}", at: 0) { position = 3 }
    beginLine()
    while position < bytes.count {
      let before = position
      switch ByteKind.of[bytes[position]] {
      case .word: word()
      case .blank:
        endRun()
        position = bytes.firstIndex(notIn: .blank, from: position)
        runStart = position
      case .newline: newline()
      case .quote: quotation()
      case .opening: open()
      case .closing: close()
      case .sign: sign()
      case .less: tag()
      case .greater: if frame.kind == .tag { endTag() } else { skipMark() }
      case .comma: comma()
      case .ampersand:
        if frame.sign == UInt8(ascii: "=") { frame.name = nil }
        skipMark()
      case .backslash: position += 2
      // As in `NAME ?= x`.
      case .other: if bytes.has("=", at: position + 1) { position += 1 } else { skipMark() }
      }
      if position <= before { position = before + 1 }
    }
    position = bytes.count
    endRun()
    endWords()
    while !frames.isEmpty { removeFrame() }
  }

  mutating func skipMark() {
    wordCount = 0
    nameBefore = nil
    position += 1
  }

  private mutating func comma() {
    endWords()
    if frame.kind != .element { frame.name = nil }
    frame.hasValue = false
    if frame.kind.isGroup, bytes[position] == UInt8(ascii: ",") { frame.content = nil }
    skipMark()
  }

  // MARK: Values

  /// The text of a name without its escapes.
  mutating func name(_ name: Name) -> SecretText {
    name.isQuoted ? text[name.range].decoded(.backslash) : text[name.range]
  }

  /// The current name, or `nil` if there is none.
  mutating func currentName() -> SecretText? {
    guard let current = frame.name else { return nil }
    return name(current)
  }

  /// Takes the value of the current name, or of none.
  ///
  /// - Parameters:
  ///   - isRead: Whether a value that stays is a text of its own. This pass goes through the others.
  /// - Returns: Whether something decides about it.
  @discardableResult
  mutating func take(
    _ range: Range<Int>, _ place: Leaf.Place, _ escapes: ByteSet? = nil, isRead: Bool
  ) -> Bool {
    var value = text[range]
    if let escapes { value = value.decoded(escapes) }
    var leaf = finder.leaf(place, currentName(), value)
    if place == .bare, frame.kind != .parenthesis {
      leaf.isNumber = value.bytes.isNumberOfJSON
      if value.bytes.isLiteralOfJSON { leaf.value = text[range.lowerBound..<range.lowerBound] }
    }
    frame.hasValue = true
    if isRead {
      finder.take(leaf)
      return true
    }
    return !finder.visit(leaf)
  }

  // MARK: Words

  mutating func word() {
    let start = position
    if isComment(at: start) { return comment() }
    position = bytes.firstIndex(notIn: .inStructureWord, from: start + 1)
    var end = position
    // Padding belongs to Base64.
    if end - start >= 10, bytes.has("=", at: end) {
      let last = bytes.firstIndex(notIn: .equals, from: end)
      let isPadding = last - end < 3 && (last - start) % 4 == 0 && !bytes.has(.inStructureWord, at: last)
      if isPadding, !bytes.has(.quotes, at: last), !bytes.has(.greater, at: last) { end = last }
    }
    if end - start >= EncodedText.leastDigits, !readEncodedLines(from: start) { readEncodedWord(start..<end) }
    position = max(position, end)
    nameBefore = nil
    words = (start, words.last, words.second, words.third)
    wordCount += 1
    wordEnd = position
    if isFlag(start) { flag(start) }
  }

  /// Reads Base64 that goes on in the next lines. Returns whether it is text.
  private mutating func readEncodedLines(from start: Int) -> Bool {
    guard start >= encodedEnd, bytes.has(.newline, at: position) else {
      return false
    }
    let end = bytes.endOfLines(from: start)
    guard end > position else { return false }
    // What is no text as a whole is none from a later line on.
    encodedEnd = end
    guard finder.readEncoded(text[start..<end]) else { return false }
    position = end
    return true
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

  /// Whether an option of a command begins, whose value is the next word.
  private mutating func isFlag(_ start: Int) -> Bool {
    bytes.has("-", at: start) && position - start > 2 && bytes.has(.alphanumeric, at: position - 1)
      && bytes.has(" ", at: position) && (start == 0 || !bytes.has(.inStructureWord, at: start - 1))
  }

  private mutating func flag(_ start: Int) {
    let next = bytes.firstIndex(notIn: .blank, from: position)
    guard bytes.has(.inStructureWord, at: next) || bytes.has(.quotes, at: next), !bytes.has("-", at: next) else {
      return
    }
    let name = text[start..<position]
    guard finder.isKnown(name.bytes) else { return }
    let isQuoted = bytes.has(.quotes, at: next)
    guard let end = isQuoted ? bytes.firstIndex(of: bytes[next], from: next + 1) : endOfValue(from: next) else {
      return
    }
    let value = isQuoted ? text[(next + 1)..<end] : text[next..<end]
    if finder.visit(finder.leaf(isQuoted ? .quoted : .line, name, value)) { return }
    position = isQuoted ? end + 1 : end
    (wordCount, runStart) = (0, position)
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
    if bytes.has(.colon, at: last - 1) || bytes.has("-u", at: last - 2) || bytes.has("--user", at: last - 6) {
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

  /// Takes the words of brackets, of an item of a list or of a deeper line that have no name.
  mutating func endWords() {
    defer { wordCount = 0 }
    guard wordCount > 0, wordEnd <= position, frame.name == nil || !frame.hasValue else { return }
    let start =
      wordCount == 1 ? words.last : wordCount == 2 ? words.second : wordCount == 3 ? words.third : words.fourth
    guard start < wordEnd else { return }
    if frame.kind.isGroup {
      if frame.content == nil { frame.content = start..<wordEnd }
      take(start..<wordEnd, .bare, isRead: false)
    } else if frame.kind == .item || frame.kind == .line, wordCount == 1, frame.name == nil {
      take(start..<wordEnd, .line, isRead: false)
    }
  }

  // MARK: Comments

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
  private mutating func comment() {
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
    (wordCount, nameBefore, runStart) = (0, nil, position)
  }

  // MARK: Frames

  mutating func push(_ frame: Frame, below outer: SecretName?) {
    frames.append(self.frame)
    self.frame = frame
    finder.begin(outer)
  }

  @discardableResult
  mutating func removeFrame() -> Frame {
    let ended = frame
    frame = frames.removeLast()
    switch ended.kind {
    case .brace: openBraces -= 1
    case .bracket: openBrackets -= 1
    case .parenthesis: openParentheses -= 1
    case .element: if let name = ended.tagName { openElements[text[name].string, default: 1] -= 1 }
    default: break
    }
    finder.end()
    return ended
  }
}

/// What a byte means in the structure of a text.
enum ByteKind: UInt8 {
  case word, blank, newline, quote, opening, closing, sign, less, greater, comma, ampersand, backslash, other

  /// The kinds of all bytes.
  static let of = ByteKinds { byte in
    switch byte {
    case 0x20, 0x09: .blank
    case 0x0A, 0x0D: .newline
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): .quote
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): .opening
    case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"): .closing
    case UInt8(ascii: ":"), UInt8(ascii: "="): .sign
    case UInt8(ascii: "<"): .less
    case UInt8(ascii: ">"): .greater
    case UInt8(ascii: ","), UInt8(ascii: ";"): .comma
    case UInt8(ascii: "&"): .ampersand
    case UInt8(ascii: "\\"): .backslash
    case UInt8(ascii: "|"), UInt8(ascii: "?"), 0..<0x20, 0x7F: .other
    default: .word
    }
  }
}

/// The kind of each byte as a table.
struct ByteKinds: @unchecked Sendable {
  // Holds: nothing writes to the table after the initialiser, and nothing frees it.
  private let kinds: UnsafePointer<ByteKind>

  init(_ kind: (UInt8) -> ByteKind) {
    let kinds = UnsafeMutablePointer<ByteKind>.allocate(capacity: 256)
    for byte in UInt8.min...UInt8.max { (kinds + Int(byte)).initialize(to: kind(byte)) }
    self.kinds = UnsafePointer(kinds)
  }

  subscript(byte: UInt8) -> ByteKind { kinds[Int(byte)] }
}
