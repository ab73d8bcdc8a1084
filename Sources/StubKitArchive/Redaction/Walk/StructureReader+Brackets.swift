import StubKit

/// Brackets of three kinds.
extension StructureReader {
  mutating func open() {
    let byte = bytes[position]
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
    finder.group.isTuple = kind == .brace
    position += 1
    (wordCount, nameBefore, runStart) = (0, nil, position)
  }

  /// Whether the word before a bracket names a type or a function that only contains a value, as `Optional(` does.
  mutating func isWrapper() -> Bool {
    let name = text[words.last..<wordEnd].string
    return bytes[words.last].isUppercase
      || ["array", "string", "str", "bytes", "list", "set", "tuple", "dict"].contains(name)
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
