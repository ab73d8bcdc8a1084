import StubKit

/// Brackets of three kinds, and indices in them.
extension StructureReader {
  mutating func open() {
    let byte = bytes[position]
    if byte == UInt8(ascii: "["), wordCount > 0, wordEnd == position, subscripts() { return }
    if frame.kind == .tag || frames.count >= Self.deepest {
      finder.isCutShort = finder.isCutShort || frame.kind != .tag
      position += 1
      return
    }
    let kind: Frame.Kind =
      byte == UInt8(ascii: "{") ? .brace : byte == UInt8(ascii: "[") ? .bracket : .parenthesis
    var outer: SecretName?
    if let name = frame.name {
      outer = finder.memberName(of: self.name(name))
      // Arguments of a call are no values of the name, but for those of what only contains a value.
      if kind == .parenthesis, wordCount > 0, !isWrapper() { outer = SecretName.nothing }
    } else if let name = nameBefore {
      outer = finder.memberName(of: self.name(name))
    } else if wordCount > 0, frame.kind != .bracket || kind == .parenthesis || kind == .brace {
      outer = finder.weakName()
    } else {
      outer = frame.kind.isGroup ? finder.memberName(of: nil) : SecretName.nothing
    }
    frame.hasValue = true
    switch kind {
    case .brace: openBraces += 1
    case .bracket: openBrackets += 1
    default: openParentheses += 1
    }
    push(Frame(kind: kind), below: outer)
    (finder.group.isList, finder.group.isTuple) = (kind != .brace, kind == .brace)
    position += 1
    (wordCount, nameBefore, runStart) = (0, nil, position)
  }

  /// Whether the word before a bracket names a type or a function that only contains a value, as `Optional(` does.
  mutating func isWrapper() -> Bool {
    let name = text[words.last..<wordEnd].string
    return bytes[words.last].isUppercase
      || ["array", "string", "str", "bytes", "list", "set", "tuple", "dict"].contains(name)
  }

  /// Reads indices after a name: `a[0]`, `a["b"]['c']`. Returns whether there are some. The last one that isn't a
  /// number names what follows a sign, or what it is the value of.
  private mutating func subscripts() -> Bool {
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

  mutating func close() {
    let byte = bytes[position]
    endRun()
    endWords()
    position += 1
    (wordCount, nameBefore, runStart) = (0, nil, position)
    let kind: Frame.Kind =
      byte == UInt8(ascii: "}") ? .brace : byte == UInt8(ascii: "]") ? .bracket : .parenthesis
    let count = kind == .brace ? openBraces : kind == .bracket ? openBrackets : openParentheses
    // What closes nothing is skipped.
    guard count > 0 else { return }
    var closed = removeFrame()
    while closed.kind != kind { closed = removeFrame() }
    frame.hasValue = true
    // What is in brackets before a sign is a name: `["a"] = `, `[a] => `.
    guard kind == .bracket, let content = closed.content else { return }
    let next = bytes.firstIndex(notIn: .blank, from: position)
    if bytes.has("=", at: next) { nameBefore = Name(range: content, isQuoted: true) }
  }
}
