import Foundation
import StubKitFormats

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON with sorted keys. Equal values print the same.
  public var description: String { String(decoding: utf8, as: UTF8.self) }

  /// The value as compact JSON in UTF-8: with sorted keys, unescaped slashes and exact integers.
  var data: Data { Data(utf8) }

  private var utf8: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.utf8
  }
}

/// Writes JSON values one after another, without white space.
private struct JSONWriter {
  private(set) var utf8: [UInt8] = []

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: utf8 += "null".utf8
    case .bool(let value): utf8 += (value ? "true" : "false").utf8
    case .number(let number): utf8 += number.description.utf8
    case .string(let string): write(string)
    case .array(let elements):
      utf8.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { utf8.append(UInt8(ascii: ",")) }
        write(element)
      }
      utf8.append(UInt8(ascii: "]"))
    case .object(let members):
      utf8.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { utf8.append(UInt8(ascii: ",")) }
        write(member.key)
        utf8.append(UInt8(ascii: ":"))
        write(member.value)
      }
      utf8.append(UInt8(ascii: "}"))
    }
  }

  private mutating func write(_ string: String) {
    utf8.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { utf8.appendEscaped($0) }
    utf8.append(UInt8(ascii: "\""))
  }
}
