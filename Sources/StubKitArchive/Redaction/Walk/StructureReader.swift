import StubKit

/// Reads any text in one pass from its first to its last byte, and knows the names of each value.
///
/// What is open stands on a stack: brackets, tags and elements. Nothing fails: a byte that means nothing is skipped. A
/// search for an end, such as that of a quotation, either succeeds, and the pass goes on after it, or is remembered, so
/// that the time is in proportion to the length, whatever a text is.
///
/// A quotation and the text of an element are texts of their own: what is in them opens and closes nothing around them.
///
/// It is no object, and all of its methods are mutating: a debug build checks each access to a property of an object,
/// and copies the reader for a method that isn't mutating.
struct StructureReader {
  struct Frame {
    enum Kind {
      case text, brace, bracket, parenthesis, tag, element

      /// Whether a line break ends nothing in it.
      var isGroup: Bool {
        switch self {
        case .brace, .bracket, .parenthesis: true
        case .text, .tag, .element: false
        }
      }
    }
    var kind: Kind
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

  /// How many brackets and elements can be open. What is deeper is read without them.
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
  var lineStart = 0
  /// The ends of values that begin here or later, so that each is searched once.
  var valueEnd = (from: 0, end: 0), bareEnd = (from: 0, end: 0), runEnd = (from: 0, end: 0), lineEnd = (from: 0, end: 0)
  /// Where the pairs of hexadecimal digits and the escapes end that were looked at last.
  var pairsEnd = 0, escapesEnd = 0
  /// Up to where names that a rule can know were searched before words, and where the last one ends.
  var known = (searched: 0, end: -1)
  /// From where on there is no more such mark.
  var noMore: [UInt8: Int] = [:]
  /// The names of the columns of a table of HTML, how many there were before the current row, and the number of the
  /// next cell in that.
  var columns: [SecretText] = [], headCount = 0, cellNumber = 0
  /// Whether a quotation before the position is a label of a block.
  var isAfterLabel = false

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
      case .backslash: backslash()
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
