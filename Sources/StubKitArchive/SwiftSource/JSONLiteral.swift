import Foundation
import StubKitFormats

/// A JSON text as a Swift literal with sorted keys: `["id": 1, "tags": ["a", nil]]`.
struct JSONLiteral {
  /// An array or object whose end has not been read.
  private struct Container {
    let isObject: Bool
    var elements: [String] = []
    var members: [String: String] = [:]
    var key = ""

    mutating func add(_ literal: String) {
      if isObject { members[key] = literal } else { elements.append(literal) }
    }

    var literal: String {
      if isObject, members.isEmpty { return "[:]" }
      let members = members.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value)" }
      return "[\((isObject ? members : elements).joined(separator: ", "))]"
    }
  }

  let text: String

  /// Returns `nil` unless the data is an object or an array in JSON, in which every number fits into a `Double`.
  init?(_ data: Data) {
    let text = data.withUnsafeBytes { bytes -> String? in
      let utf8 = bytes.bindMemory(to: UInt8.self)
      return utf8.firstInvalidUTF8 == nil ? Self.text(utf8) : nil
    }
    guard let text else { return nil }
    self.text = text
  }

  private static func text(_ utf8: UnsafeBufferPointer<UInt8>) -> String? {
    var scanner = JSONScanner(utf8)
    var containers: [Container] = []
    var root: String?
    while let token = try? scanner.next() {
      let literal: String
      switch token {
      case .beginObject, .beginArray:
        containers.append(Container(isObject: scanner.isInObject))
        continue
      case .key(let key):
        containers[containers.count - 1].key = key.text
        continue
      case .endObject, .endArray: literal = containers.removeLast().literal
      case .string(let string): literal = string.text.debugDescription
      case .number(let range):
        guard let number = number(String(decoding: UnsafeBufferPointer(rebasing: utf8[range]), as: UTF8.self)) else {
          return nil
        }
        literal = number
      case .bool(let value): literal = "\(value)"
      case .null: literal = "nil"
      case .end: return root
      }
      if !containers.isEmpty {
        containers[containers.count - 1].add(literal)
      } else if case .endObject = token {
        root = literal
      } else if case .endArray = token {
        root = literal
      }
    }
    return nil
  }

  private static func number(_ text: String) -> String? {
    if Int64(text) != nil { return text }
    // An integer literal can't exceed Int64.
    if UInt64(text) != nil { return "JSONValue(UInt64(\(text)))" }
    guard Double(text)?.isFinite == true else { return nil }
    return text.utf8.contains { ".eE".utf8.contains($0) } ? text : text + ".0"
  }
}
