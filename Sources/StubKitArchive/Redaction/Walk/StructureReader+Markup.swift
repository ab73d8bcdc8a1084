import StubKit

extension StructureReader {
  /// Reads the beginning of a tag, a comment or CDATA. Another `<` is skipped.
  mutating func tag() {
    let start = position
    endRun()
    if bytes.has("<!--", at: start) { return enclosed(from: start + 4, to: "-->") }
    if bytes.has("<![CDATA[", at: start) { return enclosed(from: start + 9, to: "]]>") }
    let isInMarkup = isMarkup || frame.kind == .element || frame.kind == .tag
    guard frames.count < Self.deepest else {
      finder.isCutShort = true
      return skipMark()
    }
    // An address can be in brackets of this kind.
    let scheme = bytes.firstIndex(notIn: .inTagName, from: start + 1)
    if bytes.has("//", at: scheme), bytes.has(.colon, at: scheme - 1) { return skipMark() }
    guard bytes.has(.startOfTag, at: start + 1), isInMarkup || !bytes.has(.inWord, at: start - 1) else {
      return skipMark()
    }
    endWords()
    if frame.kind == .tag { removeFrame() }
    let isClosing = bytes.has("/", at: start + 1)
    let first = bytes.has(.afterLess, at: start + 1) ? start + 2 : start + 1
    let end = bytes.firstIndex(notIn: .inTagName, from: first)
    (position, nameBefore, runStart) = (end, nil, end)
    if isClosing { return closeElement(first..<end) }
    // A group of its own has the attributes.
    var tag = Frame(kind: .tag)
    tag.tagName = first..<end
    tag.isDeclaration = first > start + 1
    push(tag, below: nil)
  }

  /// Reads a comment or CDATA, which are texts of their own.
  private mutating func enclosed(from start: Int, to mark: String) {
    let kind = mark.utf8[mark.startIndex]
    guard noMore[kind] == nil, let end = bytes.firstIndex(of: mark, from: start) else {
      noMore[kind] = position
      return position = start
    }
    let range = start..<end
    if frame.kind == .element {
      element(range, text[range])
    } else {
      finder.read(text[range])
    }
    position = end + 3
    readContent()
  }

  /// Ends a tag, and begins the element.
  mutating func endTag() {
    endWords()
    let isEmpty = bytes.has("/", at: position - 1)
    position += 1
    // Of an element with a name and without a value, the content is that.
    let named = finder.group.roles[.value] == nil ? finder.group.roles[.name]?.value : nil
    let tag = removeFrame()
    guard let tagName = tag.tagName else { return }
    let name = text[tagName].string
    let lowercased = name.lowercased()
    if isEmpty || tag.isDeclaration || Self.emptyElements.contains(lowercased) { return readContent() }
    if ["script", "style", "textarea"].contains(lowercased) { return rawElement(name, lowercased, named) }
    endElements(before: lowercased)
    var element = Frame(kind: .element)
    element.tagName = tagName
    element.label = label(of: tagName, lowercased)
    if let named, finder.isKnown(named.bytes) { element.label = named }
    openElements[name, default: 0] += 1
    push(element, below: finder.elementName(element.label ?? text[tagName], tag: lowercased))
    readContent()
  }

  /// The name of an element: that of its tag, unless the element before it or the head of its column names it.
  private mutating func label(of tagName: Range<Int>, _ tag: String) -> SecretText {
    let before = frame.kind == .element ? currentName() : nil
    var column: SecretText?
    switch tag {
    case "table": columns = []
    case "tr": (cellNumber, headCount) = (0, columns.count)
    case "td", "th":
      // The head of a row is that of no column.
      if tag == "td", headCount < columns.count { columns.removeLast(columns.count - headCount) }
      if tag == "td", before == nil, cellNumber < columns.count { column = columns[cellNumber] }
      cellNumber += 1
    default: break
    }
    return tag != "th" && WordRules.valueTags.contains(tag) ? before ?? column ?? text[tagName] : text[tagName]
  }

  private static let emptyElements: Set<String> = ["br", "img", "input", "meta", "link", "hr", "wbr", "col", "source"]
  /// Elements whose text names the next one.
  private static let namingElements: Set<String> = ["key", "name", "dt", "th", "label", "b", "strong"]

  /// Reads an element whose text has no tags.
  private mutating func rawElement(_ name: String, _ lowercased: String, _ label: SecretText?) {
    let end = bytes.firstIndex(of: "</\(name)", from: position) ?? bytes.count
    if position < end, lowercased != "style" {
      let content = text[position..<end].trimmed()
      // A field of a form has its name as an attribute.
      let isDecided = lowercased == "textarea" && !finder.visit(finder.leaf(.member, label, content.decoded(.entity)))
      if !isDecided, !finder.readEncoded(content) { finder.read(content) }
    }
    (position, runStart, wordCount) = (end, end, 0)
  }

  private mutating func closeElement(_ name: Range<Int>) {
    let close = bytes.firstIndex(in: .tagMarks, from: position)
    position = bytes.has(">", at: close) ? close + 1 : close
    let closed = text[name].string
    guard openElements[closed, default: 0] > 0 else { return readContent() }
    var element = removeFrame()
    while element.kind != .element || element.tagName.map({ text[$0].string }) != closed { element = removeFrame() }
    noteName(in: element, closed.lowercased())
    readContent()
  }

  /// Notes the name that the text of an element is for the next one.
  private mutating func noteName(in element: Frame, _ tag: String) {
    if frame.kind == .element { frame.name = nil }
    guard let content = element.content else { return }
    // The first cell of a row without a head can be the name of the second one.
    let isFirstCell = tag == "td" && cellNumber == 1 && columns.isEmpty && finder.isKnown(text[content].bytes)
    let isBeforeColon = element.name?.range == content
    guard isFirstCell || isBeforeColon || Self.namingElements.contains(tag) else { return }
    if frame.kind == .element { frame.name = Name(range: content) }
    if tag == "th" { columns.append(text[content]) }
  }

  /// The elements of HTML that end without a tag where another one begins.
  private static let endedElements: [String: Set<String>] = [
    "dt": ["dt", "dd"], "dd": ["dt", "dd"], "li": ["li"], "td": ["td", "th"], "th": ["td", "th"],
    "tr": ["td", "th", "tr"],
  ]

  private mutating func endElements(before tag: String) {
    guard let ended = Self.endedElements[tag] else { return }
    while frame.kind == .element, let name = frame.tagName.map({ text[$0].string.lowercased() }),
      ended.contains(name)
    {
      noteName(in: removeFrame(), name)
    }
  }

  /// Takes the text up to the next tag.
  mutating func readContent() {
    runStart = position
    guard frame.kind == .element else { return }
    let end = bytes.firstIndex(of: UInt8(ascii: "<"), from: position) ?? bytes.count
    let start = min(end, bytes.firstIndex(notIn: .space, from: position))
    let last = bytes.startIndex(of: .space, before: end, notBefore: start)
    (position, runStart, wordCount) = (end, end, 0)
    guard start < last else { return }
    // A word after `<b>API key:</b>` or `<b>API key</b>:`.
    let isAfterColon =
      bytes.has(":", at: start) || frame.name.map { bytes.has(":", at: $0.range.upperBound) } == true
    let word = min(last, bytes.has(":", at: start) ? bytes.firstIndex(notIn: .space, from: start + 1) : start)
    if isAfterColon, let name = currentName(), finder.isKnown(name.bytes), word < last,
      bytes.firstIndex(in: .space, from: word) >= last,
      !finder.visit(finder.leaf(.line, name, text[word..<last].decoded(.entity)))
    {
      return
    }
    let isLabel = bytes.has(":", at: last - 1)
    let content = start..<(isLabel ? last - 1 : last)
    // In other texts, what no tag closes isn't an element, as in `Bearer <token>`.
    guard isMarkup || bytes.has("</", at: end) else { return finder.read(text[content]) }
    frame.content = content
    element(start..<last, text[start..<last].decoded(.entity))
    if isLabel { frame.name = Name(range: content) }
  }

  /// Takes a text of an element.
  private mutating func element(_ range: Range<Int>, _ value: SecretText) {
    finder.take(element: finder.leaf(.element, frame.label, value))
  }
}
