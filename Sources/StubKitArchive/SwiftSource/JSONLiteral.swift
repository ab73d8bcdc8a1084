import Foundation
import StubKitFormats

/// A JSON text as a Swift literal with sorted keys: `["id": 1, "tags": ["a", nil]]`.
struct JSONLiteral {
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
    guard let first = try? scanner.next() else { return nil }
    switch first {
    case .beginObject, .beginArray: break
    default: return nil
    }
    guard let text = try? literal(first, &scanner), (try? scanner.next()) != nil else { return nil }
    return text
  }

  private static func literal(_ token: JSONScanner.Token, _ scanner: inout JSONScanner) throws -> String? {
    switch token {
    case .beginObject:
      var members: [String: String] = [:]
      while case .key(let key) = try scanner.next() {
        guard let value = try literal(scanner.next(), &scanner) else { return nil }
        members[key.text] = value
      }
      if members.isEmpty { return "[:]" }
      let sorted = members.sorted { $0.key < $1.key }
      return "[\(sorted.map { "\($0.key.debugDescription): \($0.value)" }.joined(separator: ", "))]"
    case .beginArray:
      var elements: [String] = []
      while true {
        let token = try scanner.next()
        if case .endArray = token { return "[\(elements.joined(separator: ", "))]" }
        guard let element = try literal(token, &scanner) else { return nil }
        elements.append(element)
      }
    case .string(let string): return string.text.debugDescription
    case .number(let range):
      return number(String(decoding: UnsafeBufferPointer(rebasing: scanner.utf8[range]), as: UTF8.self))
    case .bool(let value): return "\(value)"
    case .null: return "nil"
    case .key, .endObject, .endArray, .end: return nil
    }
  }

  private static func number(_ text: String) -> String? {
    if Int64(text) != nil { return text }
    // An integer literal can't exceed Int64.
    if UInt64(text) != nil { return "JSONValue(UInt64(\(text)))" }
    guard Double(text)?.isFinite == true else { return nil }
    return text.utf8.contains { ".eE".utf8.contains($0) } ? text : text + ".0"
  }
}
