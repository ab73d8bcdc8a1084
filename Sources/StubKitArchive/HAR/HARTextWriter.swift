import Foundation
import StubKitFormats

/// Writes readable JSON, with each member on a line of its own and in the order of the calls.
struct HARTextWriter {
  private struct Level {
    let isInline: Bool
    var isEmpty = true
    let end: String
  }

  private(set) var utf8: [UInt8] = []
  private var levels: [Level] = []
  /// Whether the next value belongs to the last key.
  private var isAfterKey = false

  mutating func object(isInline: Bool = false, _ members: (inout HARTextWriter) -> Void) {
    begin("{", end: "}", isInline: isInline)
    members(&self)
    end()
  }

  mutating func array(isInline: Bool = false, _ elements: (inout HARTextWriter) -> Void) {
    begin("[", end: "]", isInline: isInline)
    elements(&self)
    end()
  }

  mutating func key(_ key: StaticString) {
    beginValue()
    utf8.appendQuoted(key.description)
    utf8 += ": ".utf8
    isAfterKey = true
  }

  mutating func value(_ text: String) {
    beginValue()
    utf8.appendQuoted(text)
  }

  mutating func value(_ number: Int) { literal(String(number)) }
  mutating func value(_ isTrue: Bool) { literal(isTrue ? "true" : "false") }
  mutating func value(_ duration: Duration) { literal(duration.harText) }
  mutating func null() { literal("null") }

  /// - Parameter text: The text, in valid UTF-8.
  mutating func value(utf8 text: Data) {
    beginValue()
    quote { writer in text.withUnsafeBytes { writer.utf8.appendEscaped($0.bindMemory(to: UInt8.self)) } }
  }

  mutating func value(base64 data: Data) {
    beginValue()
    quote { $0.utf8 += data.base64EncodedData() }
  }

  private mutating func literal(_ text: String) {
    beginValue()
    utf8 += text.utf8
  }

  private mutating func begin(_ start: String, end: String, isInline: Bool) {
    beginValue()
    utf8 += start.utf8
    levels.append(Level(isInline: isInline || levels.last?.isInline == true, end: end))
  }

  private mutating func end() {
    let level = levels.removeLast()
    if !level.isEmpty { if level.isInline { utf8.append(0x20) } else { lineBreak() } }
    utf8 += level.end.utf8
    if levels.isEmpty { utf8.append(0x0A) }
  }

  private mutating func beginValue() {
    if isAfterKey {
      isAfterKey = false
      return
    }
    guard let level = levels.last else { return }
    if !level.isEmpty { utf8.append(UInt8(ascii: ",")) }
    levels[levels.count - 1].isEmpty = false
    if level.isInline { utf8.append(0x20) } else { lineBreak() }
  }

  private mutating func lineBreak() {
    utf8.append(0x0A)
    for _ in 0..<levels.count { utf8 += "  ".utf8 }
  }

  private mutating func quote(_ content: (inout HARTextWriter) -> Void) {
    utf8.append(UInt8(ascii: "\""))
    content(&self)
    utf8.append(UInt8(ascii: "\""))
  }
}

extension String {
  /// The text as a JSON string, with quotation marks.
  var quoted: String {
    var utf8: [UInt8] = []
    utf8.appendQuoted(self)
    return String(decoding: utf8, as: UTF8.self)
  }
}
