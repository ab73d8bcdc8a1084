import Foundation
import StubKitFormats

extension SecretFinder {
  mutating func searchBody(_ text: SecretText, _ type: String) {
    if let boundary = MultipartBody.boundary(ofContentType: type) ?? text.bytes.boundary {
      let body = Data(text.bytes)
      for part in MultipartBody(parsing: body, boundary: boundary).parts {
        let start = part.body.startIndex - body.startIndex
        let content = text[start..<start + part.body.count]
        let name = self.name(part.name ?? "", in: .form)
        if String(validUTF8: part.body) != nil, decide(content, name) { continue }
        searchReturned(content)
        searchBody(content, part.contentType)
      }
    } else if type.lowercased().hasPrefix("application/x-www-form-urlencoded"), text.bytes.startOfJSON == nil {
      searchItems(text, .form)
    } else {
      search(text)
    }
  }

  /// Searches a text of an unknown kind.
  mutating func search(_ text: SecretText) {
    // Names and values don't fit into less, and have one of these characters between them.
    guard text.bytes.count > 7, depth < 6, text.bytes.contains(where: { "=:>".utf8.contains($0) }) else { return }
    depth += 1
    defer { depth -= 1 }
    if let start = text.bytes.startOfJSON {
      searchJSON(text[start...])
    } else if text.bytes.isURL {
      searchURL(text)
      // A link in a link.
      text.decoded("%") { if $0.bytes.count < text.bytes.count { search($0) } }
    } else if text.bytes.isForm {
      searchItems(text, .form)
    } else {
      text.decoded("\\&") { searchText($0) }
    }
  }

  // MARK: Text

  /// Searches text: for URLs, and for names with a value in quotation marks or an element, or with one that looks random.
  private mutating func searchText(_ text: SecretText) {
    let bytes = text.bytes
    // The attributes of an element, or the key before one.
    var pairs: [Pair] = []
    for mark in bytes.indices where ":=>".utf8.contains(bytes[mark]) {
      if bytes[mark...].starts(with: "://".utf8) {
        let start = bytes[..<mark].lastIndex { !($0.isAlphanumeric || "+-.".utf8.contains($0)) }.map { $0 + 1 } ?? 0
        let end = bytes[mark...].firstIndex { $0 <= 0x20 || "\"'<>\\`".utf8.contains($0) } ?? bytes.count
        searchURL(text[start..<end])
        continue
      }
      let isElement = bytes[mark] == UInt8(ascii: ">")
      guard let name = bytes.name(before: mark) else { continue }
      if isElement, bytes[..<mark].dropLast(name.utf8.count).last == UInt8(ascii: "/") { continue }
      let next = bytes[(mark + 1)...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? bytes.count
      let quote = isElement ? UInt8(ascii: "<") : bytes[next...].first.flatMap { "\"'`".utf8.contains($0) ? $0 : nil }
      let start = isElement || quote == nil ? next : next + 1
      let end = bytes[start...].firstIndex { $0 <= 0x20 || "\"'<>&;,`\\(){}".utf8.contains($0) } ?? bytes.count
      let value = text[start..<end]
      pairs.append((isElement && name == "string" ? "value" : name, value))
      // The attributes end with their element, except for the `key` of a property list.
      if isElement, name != "key" {
        searchNeighbours(pairs, .other, "")
        pairs = []
      }
      let secret = self.name(name, in: .other)
      let isEnclosed = quote != nil && (end == bytes.count || bytes[end] == quote)
      let isMeant =
        isEnclosed && (isInRequest || value.string.couldBeCredential) || value.string.looksRandom(atLeast: 12)
      if [.kept, .own].contains(secret.kind) || secret.kind == .strong && isMeant { decide(value, secret) }
    }
    searchNeighbours(pairs, .other, "")
  }

  // MARK: JSON

  /// An object or an array around a value.
  private struct Level {
    /// The last key, or `nil` in an array.
    var key: String?
    var index = 0
    /// What the last key says.
    var name = SecretName(.none)
    /// What the name of the object or array says.
    let outer: SecretName
    /// The members that are strings.
    var strings: [Pair] = []
  }

  /// Searches one or more consecutive JSON texts. What is none is searched as text.
  private mutating func searchJSON(_ whole: SecretText) {
    var (text, levels) = (whole, [Level]())
    var scanner = JSONScanner(text.bytes, deepest: 512)
    while true {
      let position = scanner.nextPosition()
      let last = levels.count - 1
      switch try? scanner.next() {
      case nil where levels.isEmpty && position > 0:
        text = text[position...]
        scanner = JSONScanner(text.bytes, deepest: 512)
      case nil: return text[max(0, position - 100)...].decoded("\\&") { searchText($0) }
      case .end: return
      case .key(let key):
        (levels[last].key, levels[last].name) = (key.text, name(key.text, in: .json))
        continue
      case .beginObject:
        levels.append(Level(key: "", outer: name(in: levels)))
        continue
      case .beginArray:
        levels.append(Level(outer: name(in: levels)))
        continue
      case .endObject, .endArray: searchNeighbours(levels.removeLast().strings, .json, "\\")
      case .string(let string):
        let value = text[string.range.lowerBound + 1..<string.range.upperBound - 1]
        if last >= 0, let key = levels[last].key { levels[last].strings.append((key, value)) }
        let name = name(in: levels)
        value.decoded("\\") { searchValue($0, name) }
      case .number(let range):
        isNumber = true
        searchValue(text[range], name(in: levels))
        isNumber = false
      case .bool, .null: break
      }
      if !levels.isEmpty { levels[levels.count - 1].index += 1 }
    }
  }

  /// Returns what names and paths say about the current value.
  private func name(in levels: [Level]) -> SecretName {
    guard let level = levels.last else { return SecretName(.none) }
    let (outer, name) = (level.outer, level.name)
    if outer.kind == .kept || name.kind == .kept { return SecretName(.kept) }
    if let path = rules.jsonPaths.first(where: { $0.parts == levels.map { $0.key ?? String($0.index) } }) {
      return SecretName(.own, "", .own, "json(at: \(path.text))")
    }
    guard let key = level.key else { return outer }
    if name.kind != .none { return name }
    if outer.kind == .own { return Self.descriptions.contains(key.comparableName) ? name : outer }
    return outer.kind == .strong && Self.parts.contains(key.lowercased()) ? outer : name
  }

  /// Members that describe a secret.
  private static let descriptions =
    "type tokentype typ kind alg algorithm scope scopes status state provider issuer format method realm granttype"
    .pieces(at: " ").map(String.init)
  /// Members of an object with the name of a secret that are the secret itself.
  private static let parts: Set = ["access", "refresh", "value", "token", "secret", "raw", "plain"]
}

extension JSONPath {
  /// The keys, and the indices as text.
  fileprivate var parts: [String] {
    steps.map { step in
      switch step {
      case .key(let key): key
      case .index(let index): String(index)
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The beginning of an object or an array, perhaps after what servers put before it so that no script can load it.
  fileprivate var startOfJSON: Int? {
    let start = prefix(15).prefix { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "[") }
    let isGuard = start.allSatisfy { $0 <= 0x20 || $0 > 0x7E || ")]}',;for(while1)".utf8.contains($0) }
    return isGuard && "{[".utf8.contains(self[start.endIndex...].first ?? 0) ? start.count : nil
  }

  /// Whether the text is a list of names and values, and nothing else.
  fileprivate var isForm: Bool {
    let name = prefix { $0.isAlphanumeric || "-_.[]%+~*".utf8.contains($0) }
    return 1...64 ~= name.count && self[name.endIndex...].first == UInt8(ascii: "=")
      && allSatisfy { 0x21...0x7E ~= $0 && !"\"<>{}()\\;,!".utf8.contains($0) }
  }

  /// Whether the whole text is a URL, perhaps without a host.
  fileprivate var isURL: Bool {
    let path = prefix { $0.isAlphanumeric || "-_.~/:@%+$,;=*".utf8.contains($0) }
    return self[path.endIndex...].first.map { "?#".utf8.contains($0) } ?? (firstRange(of: Array("://".utf8)) != nil)
      && self[path.endIndex...].allSatisfy { $0 > 0x20 && !"\"<>\\`(){}".utf8.contains($0) }
  }

  /// The boundary of a multipart body whose type doesn't say that it is one.
  fileprivate var boundary: String? {
    guard starts(with: "--".utf8), let end = prefix(80).firstIndex(where: { $0 == 0x0D || $0 == 0x0A }), end > 2,
      String(decoding: self[end...].prefix(24), as: UTF8.self).lowercased().contains("content-")
    else { return nil }
    return String(decoding: self[2..<end], as: UTF8.self)
  }

  /// Returns the name before a colon or an equals sign, without quotation marks.
  fileprivate func name(before mark: Int) -> String? {
    let text = self[Swift.max(0, mark - 140)..<mark]
    guard let end = text.lastIndex(where: { !" \"'\\".utf8.contains($0) }) else { return nil }
    let start = text[...end].lastIndex { !$0.isAlphanumeric && !"_-.".utf8.contains($0) } ?? text.startIndex - 1
    return start < end ? String(decoding: text[(start + 1)...end], as: UTF8.self) : nil
  }
}
