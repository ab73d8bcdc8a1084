import StubKit

/// Brackets of three kinds, and indices in them.
extension StructureReader {
  func open() {
    let byte = bytes[position]
    if byte == UInt8(ascii: "["), wordCount > 0, wordEnd == position, subscripts() { return }
    if frames[top].kind == .tag || frames.count > Self.deepest {
      finder.isCutShort = finder.isCutShort || frames[top].kind != .tag
      position += 1
      return
    }
    let kind: Frame.Kind =
      switch byte {
      case UInt8(ascii: "{"): .brace
      case UInt8(ascii: "["): .bracket
      default: .parenthesis
      }
    let frame = frames[top]
    var outer: SecretName?
    if let name = frame.name {
      outer = finder.memberName(of: self.name(name))
      // Arguments of a call are no values of the name, but for those of what only contains a value.
      if kind == .parenthesis, wordCount > 0, !isWrapper { outer = SecretName.nothing }
    } else if let name = nameBefore {
      outer = finder.memberName(of: self.name(name))
    } else if wordCount > 0, frame.kind != .bracket || kind == .parenthesis || kind == .brace {
      outer = finder.weakName()
    } else {
      outer = frame.isGroup || frame.kind == .item ? finder.memberName(of: nil) : SecretName.nothing
    }
    frames[top].hasValue = true
    switch kind {
    case .brace: openBraces += 1
    case .bracket: openBrackets += 1
    default: openParentheses += 1
    }
    let isRow = kind == .bracket || kind == .parenthesis && (isAfterRow || isAfterValues)
    push(Frame(kind: kind), below: outer)
    finder.group.isRow = isRow
    (finder.group.isList, finder.group.isTuple) = (kind != .brace, kind == .brace)
    isAfterRow = false
    position += 1
    (wordCount, nameBefore, runStart) = (0, nil, position)
  }

  /// Whether the values of an insertion into a table of SQL follow.
  private var isAfterValues: Bool { wordCount > 0 && text[words.last..<wordEnd].string.lowercased() == "values" }

  /// Whether the word before a bracket names a type or a function that only contains a value, as `Optional(` does.
  private var isWrapper: Bool {
    let name = text[words.last..<wordEnd].string
    return bytes[words.last].isUppercase
      || ["array", "string", "str", "bytes", "list", "set", "tuple", "dict"].contains(name)
  }

  /// Reads indices after a name: `a[0]`, `a["b"]['c']`. Returns whether there are some. The last one that isn't a
  /// number names what follows a sign, or what it is the value of.
  private func subscripts() -> Bool {
    var (end, name) = (
      position, Name(range: bytes.startIndex(of: .inName, before: wordEnd, notBefore: words.last)..<wordEnd)
    )
    while bytes.has("[", at: end) {
      let close = bytes.firstIndex(in: .subscriptEnd, from: end + 1)
      guard bytes.has("]", at: close), close - end < 80 else { return false }
      var key = (end + 1)..<close
      if key.count > 1, bytes.has(.quotes, at: key.lowerBound), bytes.has(.quotes, at: key.upperBound - 1) {
        key = (key.lowerBound + 1)..<(key.upperBound - 1)
      }
      let isNumber = bytes[key].allSatisfy(\.isDigit)
      if !isNumber, !WordRules.containers.contains(text[key].string.lowercased()) {
        name = Name(range: key, isQuoted: true)
      }
      end = close + 1
    }
    let next = bytes.firstIndex(notIn: .blank, from: end)
    guard bytes.has("=", at: next) || bytes.has(":", at: next) else { return false }
    (position, nameBefore, wordCount) = (end, name, 0)
    return true
  }

  func close() {
    let byte = bytes[position]
    endRun()
    endWords()
    position += 1
    (wordCount, nameBefore, runStart) = (0, nil, position)
    let kind: Frame.Kind
    switch byte {
    case UInt8(ascii: "}"): kind = .brace
    case UInt8(ascii: "]"): kind = .bracket
    default: kind = .parenthesis
    }
    let count = kind == .brace ? openBraces : kind == .bracket ? openBrackets : openParentheses
    // What closes nothing is skipped.
    guard count > 0 else { return }
    var frame = removeFrame()
    while frame.kind != kind { frame = removeFrame() }
    frames[top].hasValue = true
    isAfterRow = kind == .parenthesis && bytes.has(",", at: position)
    // What is in brackets before a sign is a name: `["a"] = `, `[a] => `.
    guard kind == .bracket, let content = frame.content else { return }
    let next = bytes.firstIndex(notIn: .blank, from: position)
    if bytes.has("=", at: next) { nameBefore = Name(range: content, isQuoted: true) }
  }
}
