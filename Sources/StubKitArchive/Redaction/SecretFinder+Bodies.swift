import Foundation
import StubKitFormats

extension SecretFinder {
  mutating func searchBody(_ text: SecretText, _ type: String) {
    if let boundary = MultipartBody.boundary(ofContentType: type) ?? text.bytes.boundary {
      return searchMultipart(text, boundary)
    }
    let isForm = type.lowercased().starts(withBytesOf: "application/x-www-form-urlencoded")
    if isForm, text.bytes.startOfJSON == nil { searchItems(text, .form) } else { search(text) }
  }

  /// Searches a text of an unknown kind.
  mutating func search(_ text: SecretText) {
    // Names and values don't fit into less, and have one of these characters between them.
    guard text.bytes.count > 7, depth < 6, text.bytes.contains(where: { "=:>".utf8.contains($0) }) else { return }
    depth += 1
    defer { depth -= 1 }
    if let start = text.bytes.startOfJSON {
      searchJSON(text[start..<text.bytes.count])
    } else if text.bytes.isForm {
      searchItems(text, .form)
    } else if text.bytes.isURL {
      searchURL(text)
      // A link in a link.
      if text.bytes.contains(UInt8(ascii: "%")) {
        text.decoded(.percent) { if $0.bytes.count < text.bytes.count { search($0) } }
      }
    } else {
      searchText(text)
    }
  }

  private mutating func searchMultipart(_ text: SecretText, _ boundary: String) {
    let body = Data(text.bytes)
    for part in MultipartBody(parsing: body, boundary: boundary).parts {
      let start = part.body.startIndex - body.startIndex
      let content = text[start..<start + part.body.count]
      if let name = part.name, let secret = name.isEmpty ? nil : self.name(name, in: .form) {
        if String(validUTF8: part.body) != nil, decide(content, secret, name) { continue }
        searchReturned(content)
      } else if part.name != nil {
        keep(content)
      }
      searchBody(content, part.contentType)
    }
  }

  // MARK: Text

  /// Searches text: for URLs, and for names with a value in quotation marks or an element, or with one that looks random.
  private mutating func searchText(_ text: SecretText) {
    let bytes = text.bytes
    // The name of a pair of attributes, such as `name="a" value="b"`.
    var (pair, pairValue) = (nil as String?, nil as SecretText?)
    for mark in bytes.indices where ":=>".utf8.contains(bytes[mark]) {
      if bytes[mark] == UInt8(ascii: ":"), bytes[(mark + 1)...].starts(with: "//".utf8) {
        let start = bytes[..<mark].lastIndex { !($0.isAlphanumeric || "+-.".utf8.contains($0)) }.map { $0 + 1 } ?? 0
        let end = bytes[mark...].firstIndex { $0 <= 0x20 || "\"'<>\\`".utf8.contains($0) } ?? bytes.count
        searchURL(text[start..<end])
        continue
      }
      let isElement = bytes[mark] == UInt8(ascii: ">")
      guard var name = bytes.name(before: mark) else { continue }
      let isClosing = isElement && bytes[..<mark].dropLast(name.utf8.count).last == UInt8(ascii: "/")
      if isClosing { continue }
      var start = mark + 1
      while start < bytes.count, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
      let quote = isElement ? [UInt8(ascii: "<")] : bytes.quotationMark(at: start)
      if !isElement { start += quote?.count ?? 0 }
      let end = bytes[start...].firstIndex { $0 <= 0x20 || "\"'<>&;,`\\(){}".utf8.contains($0) } ?? bytes.count
      let value = text[start..<end]
      if Self.pairNames.contains(name.lowercased()) {
        pair = value.string
        if let before = pairValue, let secret = self.name(value.string, in: .other) {
          _ = decide(before, secret, value.string)
        }
      }
      pairValue = Self.pairValues.contains(name.lowercased()) ? value : nil
      if let known = pair, isElement ? name == "string" : Self.pairValues.contains(name.lowercased()) { name = known }
      // A pair ends with its element, except for the `key` of a property list.
      if isElement, name != "key" { pair = nil }
      guard let secret = self.name(name, in: .other) else { keep(value); continue }
      guard secret.kind == .strong || secret.kind == .own else { continue }
      let isEnclosed = quote.map { end == bytes.count || bytes[end...].starts(with: $0) } ?? false
      let string = value.string
      if isEnclosed && (isInRequest || string.couldBeCredential) || string.looksRandom(atLeast: 12) {
        _ = decide(value, secret, name)
      }
    }
  }

  private static let pairNames: Set = ["name", "key", "field", "header", "param", "parameter", "k", "property"]
  private static let pairValues: Set = ["value", "v", "val", "content"]

  // MARK: JSON

  /// Searches one or more consecutive JSON texts. What is none is searched as text.
  private mutating func searchJSON(_ text: SecretText) {
    var start = 0
    while start < text.bytes.count {
      let end = searchFirstJSON(text[start..<text.bytes.count])
      if end.isProblem { return searchText(text[max(start, start + end.position - 100)..<text.bytes.count]) }
      start += max(1, end.position)
    }
  }

  /// An object or an array around a value.
  private struct Level {
    /// The last key, or `nil` in an array.
    var key: String?
    var index = 0
    /// What the last key says, or `nil` if a rule keeps its value.
    var name: SecretName? = SecretName(.none)
    /// What the name of the object or array says.
    let outer: SecretName?
    let outerKey: String
    /// The members of a pair such as `name` and `value`.
    var pairName: String?
    var pairValue: SecretText?
    /// The member `code`, and whether another one says that it is OAuth's.
    var code: SecretText?
    var isGrant = false
  }

  /// Searches one JSON text. Returns where it ends, or where it stops being JSON.
  private mutating func searchFirstJSON(_ text: SecretText) -> (position: Int, isProblem: Bool) {
    var scanner = JSONScanner(text.bytes, deepest: 512)
    var levels: [Level] = []
    while true {
      let position = scanner.nextPosition()
      guard let token = try? scanner.next() else { return (position, !levels.isEmpty || position == 0) }
      switch token {
      case .key(let key):
        levels[levels.count - 1].key = key.text
        levels[levels.count - 1].name = name(key.text, in: .json)
        continue
      case .beginObject, .beginArray:
        var level = Level(outer: name(in: levels), outerKey: levels.last.map { $0.key ?? $0.outerKey } ?? "")
        if case .beginObject = token { level.key = "" }
        levels.append(level)
        continue
      case .endObject, .endArray: close(levels.removeLast())
      case .string(let string):
        take(text[string.range.lowerBound + 1..<string.range.upperBound - 1], isQuoted: true, in: &levels)
      case .number(let range): take(text[range], isQuoted: false, in: &levels)
      case .bool, .null: break
      case .end: return (text.bytes.count, false)
      }
      if !levels.isEmpty { levels[levels.count - 1].index += 1 }
    }
  }

  /// Returns what names and paths say about the current value, or `nil` if a rule keeps it.
  private func name(in levels: [Level]) -> SecretName? {
    guard let level = levels.last else { return SecretName(.none) }
    guard let outer = level.outer, let name = level.name else { return nil }
    if rules.jsonPaths.contains(where: { $0.leads(to: levels.map { ($0.key, $0.index) }) }) { return SecretName(.own) }
    guard let key = level.key else { return outer }
    if name.kind != .none { return name }
    if outer.kind == .own { return Self.descriptions.contains(key.comparableName) ? name : outer }
    return outer.kind == .strong && Self.parts.contains(key.lowercased()) ? outer : name
  }

  /// Members that describe a secret.
  private static let descriptions: Set = [
    "type", "tokentype", "typ", "kind", "alg", "algorithm", "scope", "scopes", "status", "state", "provider", "issuer",
    "format", "method", "realm", "granttype",
  ]
  /// Members of an object with the name of a secret that are the secret itself.
  private static let parts: Set = ["access", "refresh", "value", "token", "secret", "raw", "plain"]

  private mutating func take(_ value: SecretText, isQuoted: Bool, in levels: inout [Level]) {
    guard !value.bytes.isEmpty else { return }
    guard let secret = name(in: levels) else { return keep(value) }
    let key = levels.last.map { $0.key ?? $0.outerKey } ?? ""
    if !levels.isEmpty, isQuoted {
      let last = levels.count - 1
      switch key.comparableName {
      case let name where Self.pairNames.contains(name): levels[last].pairName = value.string
      case let name where Self.pairValues.contains(name): levels[last].pairValue = value
      case "code": levels[last].code = value
      case "granttype": levels[last].isGrant = true
      default: break
      }
    }
    isNumber = !isQuoted
    defer { isNumber = false }
    value.decoded(isQuoted ? .json : []) { value in
      if decide(value, secret, key, isQuoted: isQuoted) { return }
      searchReturned(value)
      if isQuoted { search(value) }
    }
  }

  private mutating func close(_ level: Level) {
    if let value = level.pairValue, let pair = level.pairName, let secret = name(pair, in: .other) {
      value.decoded(.json) { _ = decide($0, secret, pair) }
    } else if level.isGrant, let code = level.code, code.bytes.count >= 8, code.string.couldBeCredential {
      found(code, code.string, SecretReason(kind: .oauth, rule: "OAuth's code"))
    }
  }
}

extension JSONPath {
  /// Whether the path is that of the value with these keys and indices.
  fileprivate func leads(to place: [(key: String?, index: Int)]) -> Bool {
    steps.count == place.count
      && zip(steps, place).allSatisfy { step, place in
        switch (step, place.key) {
        case (.key(let wanted), let key): wanted == key ?? String(place.index)
        case (.index(let wanted), nil): wanted == place.index
        default: false
        }
      }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The beginning of an object or an array, perhaps after what servers put before it so that no script can load it.
  fileprivate var startOfJSON: Int? {
    guard let first = prefix(16).firstIndex(where: { "{[".utf8.contains($0) }),
      self[..<first].allSatisfy({ $0 <= 0x20 || $0 > 0x7E || ")]}',;for(while1)".utf8.contains($0) })
    else { return nil }
    guard let second = self[(first + 1)...].first(where: { $0 > 0x20 }) else { return first }
    let isJSON =
      self[first] == UInt8(ascii: "{")
      ? "\"}".utf8.contains(second) : second.isDigit || "{[\"]tfn-".utf8.contains(second)
    return isJSON ? first : nil
  }

  /// Whether the text is a list of names and values, and nothing else.
  fileprivate var isForm: Bool {
    guard let equals = firstIndex(of: UInt8(ascii: "=")), equals > 0, equals <= 64,
      self[..<equals].allSatisfy({ $0.isAlphanumeric || "-_.[]%+~*".utf8.contains($0) })
    else { return false }
    return allSatisfy { 0x21...0x7E ~= $0 && !"\"<>{}()\\;,!".utf8.contains($0) }
  }

  /// Whether the whole text is a URL, perhaps without a host.
  fileprivate var isURL: Bool {
    guard
      let query = firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
        ?? firstRange(of: Array("://".utf8))?.lowerBound
    else { return false }
    return self[..<query].allSatisfy { $0.isAlphanumeric || "-_.~/:@%+$,;=*".utf8.contains($0) }
      && self[query...].allSatisfy { $0 > 0x20 && !"\"<>\\`(){}".utf8.contains($0) }
  }

  /// The boundary of a multipart body whose type doesn't say that it is one.
  fileprivate var boundary: String? {
    guard starts(with: "--".utf8), let end = prefix(80).firstIndex(where: { $0 == 0x0D || $0 == 0x0A }), end > 2,
      String(decoding: self[end...].prefix(24), as: UTF8.self).lowercased().contains("content-")
    else { return nil }
    return String(decoding: self[2..<end], as: UTF8.self)
  }

  /// Returns the name before a colon or an equals sign, without quotation marks, however they are escaped.
  fileprivate func name(before mark: Int) -> String? {
    var end = mark
    let least = Swift.max(0, mark - 140)
    while end > least, self[end - 1] == 0x20 { end -= 1 }
    if end - 6 >= least, self[(end - 6)..<end].elementsEqual("&quot;".utf8) { end -= 6 }
    while end > least, "\"'\\".utf8.contains(self[end - 1]) { end -= 1 }
    let start = self[least..<end].lastIndex { !($0.isAlphanumeric || "_-.".utf8.contains($0)) }.map { $0 + 1 } ?? least
    return start < end ? String(decoding: self[start..<end], as: UTF8.self) : nil
  }

  /// Returns the quotation mark at a position, with what escapes it.
  fileprivate func quotationMark(at start: Int) -> [UInt8]? {
    if self[start...].starts(with: "&quot;".utf8) { return Array("&quot;".utf8) }
    let end = self[start...].prefix(8).firstIndex { $0 != UInt8(ascii: "\\") } ?? count
    return end < count && "\"'`".utf8.contains(self[end]) ? Array(self[start...end]) : nil
  }
}
