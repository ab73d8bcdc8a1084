import Foundation
import StubKitFormats

/// A JSON value with its place in the text, so that the text can be edited there.
package struct JSONTree {
  package enum Content {
    case object([Member])
    case array([JSONTree])
    case string(String)
    /// A number, `true`, `false` or `null`.
    case other
  }

  package struct Member {
    package let name: String
    /// The position of the name in the text.
    package let start: Int
    package let value: JSONTree
  }

  /// The place of the value in the text.
  package let range: Range<Int>
  package let content: Content

  /// Reads the next value of a text.
  init(scanning scanner: inout JSONScanner) throws {
    let token = try scanner.next()
    switch token {
    case .beginObject:
      let start = scanner.position - 1
      var members: [Member] = []
      while case .key(let key) = try scanner.next() {
        members.append(Member(name: key.text, start: key.start, value: try JSONTree(scanning: &scanner)))
      }
      (range, content) = (start..<scanner.position, .object(members))
    case .beginArray:
      let start = scanner.position - 1
      var elements: [JSONTree] = []
      while scanner.nextPosition() < scanner.utf8.count, scanner.current != UInt8(ascii: "]") {
        elements.append(try JSONTree(scanning: &scanner))
      }
      _ = try scanner.next()
      (range, content) = (start..<scanner.position, .array(elements))
    case .string(let string): (range, content) = (string.range, .string(string.text))
    case .number(let range): (self.range, content) = (range, .other)
    case .bool(let value): (range, content) = (scanner.position - (value ? 4 : 5)..<scanner.position, .other)
    case .null: (range, content) = (scanner.position - 4..<scanner.position, .other)
    case .endObject, .endArray, .key, .end: throw scanner.error("there is no value")
    }
  }

  /// Reads a text that is one value.
  package init(_ text: [UInt8]) throws {
    self = try text.withUnsafeBufferPointer { utf8 in
      var scanner = JSONScanner(utf8)
      return try JSONTree(scanning: &scanner)
    }
  }

  package subscript(name: String) -> JSONTree? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var string: String? { if case .string(let text) = content { text } else { nil } }

  package var elements: [JSONTree]? { if case .array(let elements) = content { elements } else { nil } }
}

extension ByteEdits {
  /// Sets a member of an object, or adds it after the others.
  mutating func set(_ name: String, in object: JSONTree, to text: some Sequence<UInt8>) {
    guard case .object(let members) = object.content else { return }
    if let value = object[name] { return replace(value.range, with: text) }
    let end = members.last?.value.range.upperBound ?? object.range.lowerBound + 1
    replace(end..<end, with: Array("\(members.isEmpty ? "" : ", ")\(name.quoted): ".utf8) + Array(text))
  }

  /// Removes a member of an object, and the comma beside it.
  mutating func remove(_ name: String, from object: JSONTree) {
    guard case .object(let members) = object.content, let index = members.firstIndex(where: { $0.name == name }) else {
      return
    }
    if index + 1 < members.count {
      replace(members[index].start..<members[index + 1].start, with: [])
    } else {
      let start = index > 0 ? members[index - 1].value.range.upperBound : members[index].start
      replace(start..<members[index].value.range.upperBound, with: [])
    }
  }
}
