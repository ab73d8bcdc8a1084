import Foundation
import StubKitFormats

extension RedactionRules {
  /// Returns the secrets in one or more consecutive JSON texts.
  ///
  /// If a text breaks off or stops being JSON, this redacts it up to that point, and after it wherever keys and values
  /// are recognisable. If the text ends within a secret, the rest is redacted too.
  func jsonEdits(_ text: UnsafeBufferPointer<UInt8>) -> ByteEdits {
    var edits = ByteEdits()
    var start = 0
    while start < text.count {
      var walk = JSONSecrets(rules: self, text: UnsafeBufferPointer(rebasing: text[start...]))
      walk.run()
      edits.append(walk.edits, at: start)
      if let problem = walk.problem {
        edits.append(looseEdits(UnsafeBufferPointer(rebasing: text[(start + problem)...])), at: start + problem)
      }
      guard let end = walk.end, end > 0 else { break }
      start += end
    }
    return edits
  }

  /// Returns the secrets in text that contains JSON somewhere, such as a page with a script: keys whose values are
  /// strings or numbers.
  func looseEdits(_ text: UnsafeBufferPointer<UInt8>) -> ByteEdits {
    var edits = ByteEdits()
    guard !jsonFields.isEmpty else { return edits }
    var position = 0
    while let start = text[position...].firstIndex(of: UInt8(ascii: "\"")) {
      position = start + 1
      let end = text.endOfQuoted(from: position)
      guard end < text.count,
        let colon = text[(end + 1)...].firstIndex(where: { $0 > 0x20 }), text[colon] == UInt8(ascii: ":"),
        let value = text[(colon + 1)...].firstIndex(where: { $0 > 0x20 })
      else { continue }
      let key = JSONString(
        utf8: UnsafeBufferPointer(rebasing: text[position..<end]), start: start,
        hasEscapes: false)
      guard jsonFields.contains(key.text.redactionName) else { continue }
      if text[value] == UInt8(ascii: "\"") {
        let last = text.endOfQuoted(from: value + 1)
        edits.redact(value..<min(text.count, last + 1), in: text, quoted: true)
        position = min(text.count, last + 1)
      } else {
        let last = text[value...].firstIndex { !($0.isDigit || "+-.eE".utf8.contains($0)) } ?? text.count
        edits.redact(value..<last, in: text, quoted: true)
        position = max(value, last)
      }
    }
    return edits
  }
}

/// Searches one JSON text.
private struct JSONSecrets {
  private enum Level {
    case object(key: String)
    case array(index: Int)
  }

  let rules: RedactionRules
  let text: UnsafeBufferPointer<UInt8>
  private(set) var edits = ByteEdits()
  /// The end of the text if something follows, or `nil` if nothing follows or the text isn't JSON.
  private(set) var end: Int?
  /// The position where the text stops being JSON, or `nil` if all of it is JSON or a secret extends to the end.
  private(set) var problem: Int?
  private var levels: [Level] = []
  /// The number of levels around the array or object that is secret as a whole.
  private var secretDepth: Int?
  private var hasValue = false

  init(rules: RedactionRules, text: UnsafeBufferPointer<UInt8>) {
    self.rules = rules
    self.text = text
  }

  mutating func run() {
    var scanner = JSONScanner(text)
    while true {
      let position = scanner.nextPosition()
      do {
        let token = try scanner.next()
        if case .end = token { return }
        take(token, scanner.position)
      } catch {
        if hasValue, levels.isEmpty {
          end = position
        } else if !levels.isEmpty, isSecret {
          // The comma before an element isn't part of it.
          let start = text[position...].firstIndex { $0 != UInt8(ascii: ",") && $0 > 0x20 } ?? text.count
          edits.redact(start..<text.count, in: text, quoted: true)
        } else {
          problem = position
        }
        return
      }
    }
  }

  private mutating func take(_ token: JSONScanner.Token, _ end: Int) {
    switch token {
    case .key(let key):
      levels[levels.count - 1] = .object(key: key.text)
      return
    case .beginObject, .beginArray:
      if secretDepth == nil, isSecret { secretDepth = levels.count }
      if case .beginObject = token { levels.append(.object(key: "")) } else { levels.append(.array(index: 0)) }
      return
    case .endObject, .endArray:
      levels.removeLast()
      if levels.count == secretDepth { secretDepth = nil }
    case .string(let string):
      if isSecret {
        edits.redact(string.range, in: text, quoted: true)
      } else if rules.readsURLs, string.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") }) {
        var count = 0
        let redacted = rules.redactedURLs(string.text, &count)
        if count > 0 { edits.replace(string.range, with: HARTextWriter.quoted(redacted)) }
      }
    case .number(let range): if isSecret { edits.redact(range, in: text, quoted: true) }
    case .bool, .null, .end: break
    }
    hasValue = true
    if case .array(let index) = levels.last { levels[levels.count - 1] = .array(index: index + 1) }
  }

  /// Whether the next value is secret.
  private var isSecret: Bool {
    if secretDepth != nil { return true }
    if case .object(let key) = levels.last, rules.jsonFields.contains(key.redactionName) { return true }
    return rules.jsonPaths.contains { leadsHere($0) }
  }

  private func leadsHere(_ path: JSONPath) -> Bool {
    guard path.steps.count == levels.count else { return false }
    return zip(path.steps, levels).allSatisfy { step, level in
      switch (step, level) {
      case (.key(let wanted), .object(let key)), (.token(let wanted), .object(let key)): wanted == key
      case (.index(let wanted), .array(let index)): wanted == index
      case (.token(let wanted), .array(let index)): wanted == String(index)
      default: false
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the position of the quotation mark that closes a string, or the end.
  fileprivate func endOfQuoted(from start: Int) -> Int {
    var position = start
    while position < count, self[position] != UInt8(ascii: "\"") {
      position += self[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return Swift.min(position, count)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
