import StubKit

extension LeafVisitor {
  /// Reads a JSON text. What is none, or comes after it, is read as text.
  mutating func readJSON(_ text: SecretText) {
    var names = [String]()
    var scanner = JSONScanner(text.bytes, deepest: 512)
    func leaf(_ range: Range<Int>, _ kind: Leaf.Kind = .string) -> Leaf {
      Leaf(place: .member, name: names.last ?? "", value: text[range], escapes: .inJSON, kind: kind)
    }
    while true {
      scanner.skipWhiteSpace()
      // A comma before a token counts as its beginning.
      let position = scanner.position
      switch try? scanner.next() {
      case nil:
        for _ in names { end() }
        return text[max(0, position - 100)...].decoded(.inText) { readText($0) }
      case .end: return
      case .key(let key): names[names.count - 1] = key.text
      case .beginObject, .beginArray:
        begin(names.last ?? "")
        names.append("")
      case .endObject, .endArray:
        names.removeLast()
        end()
      case .string(let string): take(leaf(string.range.lowerBound + 1..<string.range.upperBound - 1))
      case .number(let range): take(leaf(range, .number))
      case .bool, .null: take(leaf(scanner.start..<scanner.position, .literal))
      }
    }
  }
}
