import Foundation
import StubKitFormats

/// JSON, at any depth.
extension ContainerSearch {
  /// Searches one or more consecutive JSON texts.
  ///
  /// If a text breaks off or stops being JSON, it is searched up to that point, and after it wherever names and values are
  /// recognisable. If the text ends within a secret, the rest is redacted too.
  mutating func searchJSON() {
    var start = 0
    while start < text.count {
      var search = JSONSearch(container: self, text: UnsafeBufferPointer(rebasing: text[start...]))
      search.run()
      append(search.edits, at: start)
      if let problem = search.problem { searchPlain(start + problem..<text.count) }
      guard let end = search.end, end > 0 else { break }
      start += end
    }
  }
}

/// Searches one JSON text.
private struct JSONSearch {
  /// An object or an array around the current value.
  private struct Level {
    /// The last key, or `nil` in an array.
    var key: String?
    var index = 0
    /// Whether the value of the last key is a secret.
    var isSecret = false
    /// The range of the value of a member `value`, whose name is that of a member `name`.
    var value: Range<Int>?
    var hasSecretName = false
    /// The range of a member `code`, which is a secret beside other names of OAuth 2.0.
    var code: Range<Int>?
    var isOfOAuth = false
  }

  let container: ContainerSearch
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

  private static let names: Set<String> = ["name", "key", "field", "header", "param", "parameter", "k"]
  private static let values: Set<String> = ["value", "v", "val", "content"]

  init(container: ContainerSearch, text: UnsafeBufferPointer<UInt8>) {
    self.container = container
    self.text = text
  }

  private var rules: SecretRules { container.rules }

  mutating func run() {
    var scanner = JSONScanner(text, deepest: 512)
    while true {
      let position = scanner.nextPosition()
      do {
        let token = try scanner.next()
        if case .end = token { return }
        take(token)
      } catch {
        stop(at: position)
        return
      }
    }
  }

  private mutating func stop(at position: Int) {
    if hasValue, levels.isEmpty {
      end = position
    } else if !levels.isEmpty, isSecret {
      // The comma before an element isn't part of it.
      let start = text[position...].firstIndex { $0 != UInt8(ascii: ",") && $0 > 0x20 } ?? text.count
      guard start < text.count else { return }
      let isString = text[start] == UInt8(ascii: "\"")
      var rest = String(decoding: text[(isString ? start + 1 : start)...], as: UTF8.self)
      if isString, rest.hasSuffix("\"") { rest.removeLast() }
      if let replacement = container.walk.secret(rest) { edits.replace(start..<text.count, with: replacement.quoted) }
    } else {
      problem = position
    }
    while !levels.isEmpty { close() }
  }

  private mutating func take(_ token: JSONScanner.Token) {
    switch token {
    case .key(let key):
      enter(key.text)
      return
    case .beginObject, .beginArray:
      if secretDepth == nil, isSecret { secretDepth = levels.count }
      var level = Level()
      if case .beginObject = token { level.key = "" }
      levels.append(level)
      return
    case .endObject, .endArray:
      close()
      if levels.count == secretDepth { secretDepth = nil }
    case .string(let string): take(string)
    case .number(let range): take(number: range)
    case .bool, .null, .end: break
    }
    hasValue = true
    guard !levels.isEmpty else { return }
    // What follows belongs to another name.
    if levels[levels.count - 1].key == nil { levels[levels.count - 1].index += 1 }
    levels[levels.count - 1].isSecret = false
  }

  private mutating func enter(_ key: String) {
    let last = levels.count - 1
    levels[last].key = key
    levels[last].isSecret = rules.isSecret(key, in: .json)
    if rules.usesStandardNames, SecretNames.ofOAuth.contains(key.comparableName) { levels[last].isOfOAuth = true }
  }

  /// Leaves an object or an array.
  private mutating func close() {
    let level = levels.removeLast()
    for range in [level.hasSecretName ? level.value : nil, level.isOfOAuth ? level.code : nil].compactMap(\.self) {
      replace(range)
    }
  }

  private mutating func take(_ string: JSONString) {
    if isSecret { return replace(string) }
    if let key = levels.last?.key?.lowercased() {
      if Self.names.contains(key) {
        if rules.isSecret(string.text, in: .other) { levels[levels.count - 1].hasSecretName = true }
      } else if Self.values.contains(key) {
        levels[levels.count - 1].value = string.range
      } else if key == "code" {
        levels[levels.count - 1].code = string.range
      }
    }
    guard mayContainSecrets(string) else { return }
    if let replacement = container.replacement(ofValue: string.text) {
      edits.replace(string.range, with: replacement.quoted)
    }
  }

  /// Whether it is worthwhile to look into a string.
  private func mayContainSecrets(_ string: JSONString) -> Bool {
    // A container has one of these characters, and a recognisable secret is long.
    container.walk.placeholders.hasWholeValues || string.utf8.count >= 16
      || string.utf8.contains { "=:{[<".utf8.contains($0) }
  }

  /// A number directly below a secret name stays a number. Deeper ones describe the secret.
  private mutating func take(number range: Range<Int>) {
    let isHere = levels.last?.key != nil && levels.last?.isSecret == true || leadsHere
    let value = String(decoding: text[range], as: UTF8.self)
    let replacement =
      isHere ? container.walk.secret(value) : container.walk.placeholders.replacement(ofWhole: value)
    if let replacement, replacement.isDecimal { edits.replace(range, with: replacement) }
  }

  private mutating func replace(_ string: JSONString) {
    if secretDepth != nil, levels.last?.isSecret != true, let key = levels.last?.key,
      SecretNames.ofDescriptions.contains(key.comparableName), !leadsHere
    {
      return
    }
    if let replacement = container.walk.secret(string.text) { edits.replace(string.range, with: replacement.quoted) }
  }

  /// - Parameter range: The range of a string, with its quotation marks.
  private mutating func replace(_ range: Range<Int>) {
    let inner = UnsafeBufferPointer(rebasing: text[range.lowerBound + 1..<range.upperBound - 1])
    replace(JSONString(utf8: inner, start: range.lowerBound, hasEscapes: inner.contains(UInt8(ascii: "\\"))))
  }

  /// Whether the next value is secret.
  private var isSecret: Bool { secretDepth != nil || levels.last?.isSecret == true || leadsHere }

  private var leadsHere: Bool { !rules.jsonPaths.isEmpty && rules.jsonPaths.contains { leadsHere($0) } }

  private func leadsHere(_ path: JSONPath) -> Bool {
    guard path.steps.count == levels.count else { return false }
    return zip(path.steps, levels).allSatisfy { step, level in
      switch (step, level.key) {
      case (.key(let wanted), let key): wanted == key ?? String(level.index)
      case (.index(let wanted), nil): wanted == level.index
      default: false
      }
    }
  }
}
