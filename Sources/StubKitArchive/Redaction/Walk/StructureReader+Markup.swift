import StubKit

extension StructureReader {
  /// Reads the beginning of a tag, a comment or CDATA. Another `<` is skipped.
  func tag() {
    let start = position
    endRun()
    if bytes.has("<!--", at: start) { return enclosed(from: start + 4, to: "-->") }
    if bytes.has("<![CDATA[", at: start) { return enclosed(from: start + 9, to: "]]>") }
    let isInMarkup = isMarkup || frames[top].kind == .element || frames[top].kind == .tag
    guard frames.count <= Self.deepest else {
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
    if frames[top].kind == .tag { removeFrame() }
    let isClosing = bytes.has("/", at: start + 1)
    let first = bytes.has(.afterLess, at: start + 1) ? start + 2 : start + 1
    let end = bytes.firstIndex(notIn: .inTagName, from: first)
    (position, nameBefore, runStart) = (end, nil, end)
    if isClosing { return closeElement(first..<end) }
    // A group of its own has the attributes.
    var frame = Frame(kind: .tag)
    frame.tagName = first..<end
    frame.isDeclaration = first > start + 1
    push(frame, below: nil)
  }

  /// Reads a comment or CDATA, which are texts of their own.
  private func enclosed(from start: Int, to mark: String) {
    let kind = mark.utf8[mark.startIndex]
    guard noMore[kind] == nil, let end = bytes.firstIndex(of: mark, from: start) else {
      noMore[kind] = position
      return position = start
    }
    let range = start..<end
    if frames[top].kind == .element {
      element(range, text[range])
    } else {
      finder.read(text[range])
    }
    position = end + 3
    readContent()
  }

  /// Ends a tag, and begins the element.
  func endTag() {
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
    if ["script", "style", "textarea"].contains(lowercased) { return rawElement(name, lowercased) }
    endElements(before: lowercased)
    var frame = Frame(kind: .element)
    frame.tagName = tagName
    frame.label = label(of: tagName, lowercased)
    if let named, finder.isKnown(named.bytes) { frame.label = named }
    openElements[name, default: 0] += 1
    push(frame, below: finder.elementName(frame.label ?? text[tagName], tag: lowercased))
    readContent()
  }

  /// The name of an element: that of its tag, unless the element before it or the head of its column names it.
  private func label(of tagName: Range<Int>, _ tag: String) -> SecretText {
    let before = frames[top].kind == .element ? currentName : nil
    var column: SecretText?
    switch tag {
    case "table": columns = []
    case "tr": cellNumber = 0
    case "td", "th":
      if tag == "td", before == nil, cellNumber < columns.count { column = columns[cellNumber] }
      cellNumber += 1
    default: break
    }
    return tag != "th" && WordRules.valueTags.words.contains(tag) ? before ?? column ?? text[tagName] : text[tagName]
  }

  private static let emptyElements: Set<String> = ["br", "img", "input", "meta", "link", "hr", "wbr", "col", "source"]
  /// Elements whose text names the next one.
  private static let namingElements: Set<String> = ["key", "name", "dt", "th", "label", "b", "strong"]

  /// Reads an element whose text has no tags.
  private func rawElement(_ name: String, _ lowercased: String) {
    let end = bytes.firstIndex(of: "</\(name)", from: position) ?? bytes.count
    if position < end, lowercased != "style" {
      let content = text[position..<end].trimmed()
      if !finder.readEncoded(content) { finder.read(content) }
    }
    (position, runStart, wordCount) = (end, end, 0)
  }

  private func closeElement(_ name: Range<Int>) {
    let close = bytes.firstIndex(in: .tagMarks, from: position)
    position = bytes.has(">", at: close) ? close + 1 : close
    let closed = text[name].string
    guard openElements[closed, default: 0] > 0 else { return readContent() }
    var frame = removeFrame()
    while frame.kind != .element || frame.tagName.map({ text[$0].string }) != closed { frame = removeFrame() }
    noteName(in: frame, closed.lowercased())
    readContent()
  }

  /// Notes the name that the text of an element is for the next one.
  private func noteName(in frame: Frame, _ tag: String) {
    if frames[top].kind == .element { frames[top].name = nil }
    guard let content = frame.content else { return }
    // The first cell of a row without a head can be the name of the second one.
    let isFirstCell = tag == "td" && cellNumber == 1 && columns.isEmpty && finder.isKnown(text[content].bytes)
    guard isFirstCell || Self.namingElements.contains(tag) else { return }
    if frames[top].kind == .element { frames[top].name = Name(range: content) }
    if tag == "th" { columns.append(text[content]) }
  }

  /// The elements of HTML that end without a tag where another one begins.
  private static let endedElements: [String: Set<String>] = [
    "dt": ["dt", "dd"], "dd": ["dt", "dd"], "li": ["li"], "td": ["td", "th"], "th": ["td", "th"],
    "tr": ["td", "th", "tr"],
  ]

  private func endElements(before tag: String) {
    guard let ended = Self.endedElements[tag] else { return }
    while frames[top].kind == .element, let name = frames[top].tagName.map({ text[$0].string.lowercased() }),
      ended.contains(name)
    {
      noteName(in: removeFrame(), name)
    }
  }

  /// Takes the text up to the next tag.
  func readContent() {
    runStart = position
    guard frames[top].kind == .element else { return }
    let end = bytes.firstIndex(of: UInt8(ascii: "<"), from: position) ?? bytes.count
    let start = min(end, bytes.firstIndex(notIn: .space, from: position))
    let last = bytes.startIndex(of: .space, before: end, notBefore: start)
    (position, runStart, wordCount) = (end, end, 0)
    guard start < last else { return }
    let isLabel = bytes.has(":", at: last - 1)
    let content = start..<(isLabel ? last - 1 : last)
    frames[top].content = content
    element(start..<last, text[start..<last].decoded(.entity))
    if isLabel { frames[top].name = Name(range: content) }
  }

  /// Takes a text of an element.
  private func element(_ range: Range<Int>, _ value: SecretText) {
    let leaf = finder.leaf(.element, frames[top].label, value)
    if finder.visit(element: leaf), !finder.readEncoded(value) { finder.read(value) }
  }
}
