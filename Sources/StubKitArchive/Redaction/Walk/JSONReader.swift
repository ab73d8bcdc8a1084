import StubKit

extension SecretFinder {
  /// Reads a JSON text. What is none, or comes after it, is read as text.
  mutating func readJSON(_ text: SecretText) {
    var scanner = JSONScanner(text.bytes, deepest: 512)
    while true {
      scanner.skipWhiteSpace()
      // A comma before a token counts as its beginning.
      let position = scanner.position
      var leaf = Leaf(place: .member, name: group.key, value: text[position..<position])
      switch try? scanner.next() {
      case nil:
        for _ in 0..<scanner.depth { end() }
        return readText(text[max(0, position - 100)...].decoded(.inText))
      case .end: return
      case .key(let key): group.key = key.text
      case .beginObject, .beginArray: begin(memberName(group.key))
      case .endObject, .endArray: end()
      case .string(let string):
        leaf.value = text[string.range.lowerBound + 1..<string.range.upperBound - 1].decoded(.inText)
        take(leaf)
      case .number(let range):
        (leaf.value, leaf.isNumber) = (text[range], true)
        take(leaf)
      // A value without text is none.
      case .bool, .null: take(leaf)
      }
    }
  }
}
