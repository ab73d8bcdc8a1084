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
    value.forEachPiece { piece in
      switch piece {
      case .scalar(let value): write(scalar: value)
      case .open(let isObject, _): utf8.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
      case .key(let key):
        write(key)
        utf8.append(UInt8(ascii: ":"))
      case .comma: utf8.append(UInt8(ascii: ","))
      case .close(let isObject, _): utf8.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
      }
    }
  }

  private mutating func write(scalar: JSONValue) {
    switch scalar {
    case .bool(let value): utf8 += (value ? "true" : "false").utf8
    case .number(let number): utf8 += number.description.utf8
    case .string(let string): write(string)
    case .null, .array, .object: utf8 += "null".utf8
    }
  }

  private mutating func write(_ string: String) {
    utf8.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { utf8.appendEscaped($0) }
    utf8.append(UInt8(ascii: "\""))
  }
}
