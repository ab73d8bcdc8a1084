import StubKit

extension StructureReader {
  /// Reads the beginning of a tag, a comment or CDATA. Another `<` is skipped.
  mutating func tag(_ finder: inout SecretFinder) {
    let start = position
    endRun(&finder)
    if bytes.has("<!--", at: start) { return enclosed(from: start + 4, to: "-->", &finder) }
    if bytes.has("<![CDATA[", at: start) { return enclosed(from: start + 9, to: "]]>", &finder) }
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
    endWords(&finder)
    if frames[top].kind == .tag { removeFrame(&finder) }
    let isClosing = bytes.has("/", at: start + 1)
    let first = bytes.has(.afterLess, at: start + 1) ? start + 2 : start + 1
    let end = bytes.firstIndex(notIn: .inTagName, from: first)
    (position, nameBefore, runStart) = (end, nil, end)
    if isClosing { return closeElement(first..<end, &finder) }
    // A group of its own has the attributes.
    var frame = Frame(kind: .tag)
    frame.tagName = first..<end
    frame.isDeclaration = first > start + 1
    push(frame, below: nil, &finder)
  }

  /// Reads a comment or CDATA, which are texts of their own.
  private mutating func enclosed(from start: Int, to mark: String, _ finder: inout SecretFinder) {
    let kind = mark.utf8[mark.startIndex]
    guard noMore[kind] == nil, let end = bytes.firstIndex(of: mark, from: start) else {
      noMore[kind] = position
      return position = start
    }
    let range = start..<end
    if frames[top].kind == .element {
      element(range, text[range], &finder)
    } else {
      finder.read(text[range])
    }
    position = end + 3
    readContent(&finder)
  }

  /// Ends a tag, and begins the element.
  mutating func endTag(_ finder: inout SecretFinder) {
    endWords(&finder)
    let isEmpty = bytes.has("/", at: position - 1)
    position += 1
    let tag = removeFrame(&finder)
    guard let tagName = tag.tagName else { return }
    let name = text[tagName].string
    let lowercased = name.lowercased()
    if isEmpty || tag.isDeclaration || Self.emptyElements.contains(lowercased) { return readContent(&finder) }
    if ["script", "style", "textarea"].contains(lowercased) { return rawElement(name, lowercased, &finder) }
    var frame = Frame(kind: .element)
    frame.tagName = tagName
    frame.label = label(of: tagName, lowercased)
    openElements[name, default: 0] += 1
    push(frame, below: finder.elementName(frame.label ?? text[tagName], tag: lowercased), &finder)
    readContent(&finder)
  }

  /// The name of an element: that of its tag, unless the element before it or the head of its column names it.
  private mutating func label(of tagName: Range<Int>, _ tag: String) -> SecretText {
    let before = frames[top].kind == .element ? frames[top].name.map(name) : nil
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
  private mutating func rawElement(_ name: String, _ lowercased: String, _ finder: inout SecretFinder) {
    let end = bytes.firstIndex(of: "</\(name)", from: position) ?? bytes.count
    if position < end, lowercased != "style" {
      let content = text[position..<end].trimmed()
      if !finder.readEncoded(content) { finder.read(content) }
    }
    (position, runStart, wordCount) = (end, end, 0)
  }

  private mutating func closeElement(_ name: Range<Int>, _ finder: inout SecretFinder) {
    let close = bytes.firstIndex(in: .tagMarks, from: position)
    position = bytes.has(">", at: close) ? close + 1 : close
    let closed = text[name].string
    guard openElements[closed, default: 0] > 0 else { return readContent(&finder) }
    var frame = removeFrame(&finder)
    while frame.kind != .element || frame.tagName.map({ text[$0].string }) != closed { frame = removeFrame(&finder) }
    let lowercased = closed.lowercased()
    if frames[top].kind == .element { frames[top].name = nil }
    if Self.namingElements.contains(lowercased), let content = frame.content {
      if frames[top].kind == .element { frames[top].name = Name(range: content) }
      if lowercased == "th" { columns.append(text[content]) }
    }
    readContent(&finder)
  }

  /// Takes the text up to the next tag.
  mutating func readContent(_ finder: inout SecretFinder) {
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
    element(start..<last, text[start..<last].decoded(.entity), &finder)
    if isLabel { frames[top].name = Name(range: content) }
  }

  /// Takes a text of an element.
  private mutating func element(_ range: Range<Int>, _ value: SecretText, _ finder: inout SecretFinder) {
    let leaf = finder.leaf(.element, frames[top].label, value)
    if finder.visit(element: leaf), !finder.readEncoded(value) { finder.read(value) }
  }
}
