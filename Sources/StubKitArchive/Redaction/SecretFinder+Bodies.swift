import Foundation
import StubKit

extension SecretFinder {
  mutating func searchBody(_ text: SecretText, _ type: String, _ context: Context) {
    if let inner = context.inner, let boundary = text.bytes.boundary ?? MultipartBody.boundary(ofContentType: type) {
      let body = Data(text.bytes)
      for part in MultipartBody(parsing: body, boundary: boundary).parts {
        let start = part.body.startIndex - body.startIndex
        let content = text[start..<start + part.body.count]
        let name = self.name(part.name ?? "", in: .form)
        if String(validUTF8: part.body) != nil, decide(content, name, inner) { continue }
        searchReturned(content, inner)
        noteRandom(content, part.name ?? "", inner)
        searchBody(content, part.contentType, inner)
      }
    } else if text.bytes.firstIndex(in: .binary) < text.bytes.count {
      // Names in binary data name nothing. Pictures, sound and fonts have none.
      isBinary = isBinary || !["image/", "audio/", "video/", "font/"].contains(where: type.lowercased().hasPrefix)
    } else if type.lowercased().hasPrefix("application/x-www-form-urlencoded"), text.bytes.startOfJSON == nil {
      searchItems(text, .form, context)
    } else {
      search(text, context, canBeForm: ["", "text/plain"].contains(type.pieces(at: ";")[0].lowercased()))
    }
  }

  /// Searches a text of an unknown kind.
  mutating func search(_ text: SecretText, _ context: Context, canBeForm: Bool = true) {
    // Names and values don't fit into less, and have one of these characters between them.
    guard text.bytes.count > 7, let inner = context.inner else { return }
    let hasNames = text.bytes.firstIndex(in: .marks) < text.bytes.count || resource(in: context).kind != .none
    guard hasNames else { return searchWords(text, context) }
    if let start = text.bytes.startOfJSON {
      searchJSON(text[start...], inner)
    } else if text.bytes.isURL {
      searchLink(text, inner)
    } else if canBeForm, text.bytes.isForm {
      searchItems(text, .form, inner)
    } else {
      text.decoded(.inText) { searchText($0, inner) }
    }
  }

  // MARK: Text

  /// Searches text: for URLs, and for names with a value in quotation marks or an element, or with one that looks
  /// random.
  private mutating func searchText(_ text: SecretText, _ context: Context) {
    searchWords(text, context)
    let bytes = text.bytes
    // The tag that is open, its attributes, and the content of the last element that is a name, such as `<key>`.
    var tag: Int?
    var attributes = Siblings()
    var key: SecretText?
    var mark = bytes.firstIndex(in: .textMarks)
    while mark < bytes.count {
      defer { mark = bytes.firstIndex(in: .textMarks, from: mark + 1) }
      switch bytes[mark] {
      case UInt8(ascii: "<"): (tag, attributes) = (mark + 1, [:])
      case UInt8(ascii: ">"):
        guard let start = tag else { continue }
        tag = nil
        let (name, content) = (bytes.elementName(from: start), text.content(from: mark + 1))
        guard !name.isEmpty, !content.bytes.isEmpty, bytes[mark - 1] != UInt8(ascii: "/") else { continue }
        if let name = attributes[.name] {
          decide(content, self.name(name.string, in: .other), context)
        } else {
          let role = Self.roles[text[name].string]
          if role == .value, let name = key { search([.name: name, .value: content], .other, .none, context) }
          if role == .name { key = content }
          if role == .value { key = nil }
          decide(content, text[name], .other, context, isEnclosed: true)
        }
      case UInt8(ascii: ":") where bytes.has("://", at: mark):
        let end = bytes.endOfURL(from: mark + 3)
        let start = bytes.startIndex(of: .scheme, before: mark, notBefore: max(0, mark - 30))
        searchURL(text[start..<(bytes.has("://", at: end) ? bytes.startIndex(of: .scheme, before: end) : end)], context)
        mark = end - 1
      default:
        let next = bytes.firstIndex(notIn: .blank, from: mark + 1)
        let quote = next < bytes.count && ByteSet.quotes[bytes[next]] ? bytes[next] : nil
        let name = bytes.name(before: mark)
        guard !name.isEmpty else { continue }
        let (value, isEnclosed) = text.value(from: next, in: quote)
        if quote != nil || tag != nil, name.count < 14, let role = Self.roles[text[name].string] {
          attributes[role] = value
          search(attributes, .other, .none, context)
        }
        if quote != nil, tag != nil, value.bytes.isURL { searchLink(value, context) }
        let isAssigned = bytes[mark] == UInt8(ascii: "=") && next == mark + 1 && name.upperBound == mark && tag == nil
        let isMember = bytes[mark] == UInt8(ascii: ":") && ByteSet.quotes[bytes[name.upperBound]]
        decide(value, text[name], isMember ? .json : .other, context, isEnclosed: isEnclosed, isAssigned: isAssigned)
      }
    }
  }

  /// Searches the words after the name of a secret, as in `--token x` or `The API key is x`.
  private mutating func searchWords(_ text: SecretText, _ context: Context) {
    let bytes = text.bytes
    func word(before end: Int) -> Range<Int> {
      let last = bytes.startIndex(of: .blank, before: end, notBefore: max(0, end - 8))
      return bytes.startIndex(of: .notSpace, before: last, notBefore: max(0, last - 40))..<last
    }
    // Of a short word, the one before it counts, too, as in `identified by`.
    func isKnown(_ last: Range<Int>) -> Bool {
      rules.knows(
        text[(last.count < 3 ? word(before: last.lowerBound).lowerBound : last.lowerBound)..<last.upperBound].bytes)
    }
    var digit = bytes.firstIndex(in: .digit)
    while digit < bytes.count {
      let start = bytes.startIndex(of: .notSpace, before: digit, notBefore: max(0, digit - 200))
      var end = bytes.firstIndex(in: .space, from: digit)
      if let group = bytes.endOfDigits(from: end + 1), bytes.endOfDigits(from: start) == end { end = group }
      digit = bytes.firstIndex(in: .digit, from: end)
      var last = word(before: start)
      guard 4...8_192 ~= end - start, !last.isEmpty else { continue }
      let isSentence = last.count <= 6 && Self.copulas.contains(text[last].string)
      if isSentence { last = word(before: last.lowerBound) }
      let isAfterColon = bytes.has(":", at: last.upperBound - 1) && bytes.isLetter(before: last.upperBound - 1)
      guard isAfterColon || bytes.has("-", at: last.lowerBound) || isKnown(last) else { continue }
      let first = bytes.firstIndex(notIn: .aroundWord, from: start)
      let value = text[first..<bytes.startIndex(of: .aroundWord, before: end, notBefore: first)]
      var name = SecretName(.none)
      let secret = value.string
      let isCode = 4...8 ~= secret.utf8.count && secret.utf8.allSatisfy { $0.isDigit || "- ".utf8.contains($0) }
      let isRandom = secret.looksRandom(atLeast: 12) || secret.isUUID || secret.beginsRandom
      guard isCode || isRandom || secret.isMixed else { continue }
      if isSentence, isCode, Self.codes.contains(text[last].string.lowercased()),
        !SecretName.otherCodes.contains(text[word(before: last.lowerBound)].string.lowercased())
      {
        name = SecretName(standard: "pin", in: .other, "code")
      }
      // Three words tell what a code is. Before a colon, others can follow the name, as in `The API key I use: x`.
      for _ in 0..<(isAfterColon ? 4 : 1) where !last.isEmpty && name.kind == .none {
        let second = word(before: last.lowerBound)
        if isKnown(last) {
          name = self.name(text[word(before: second.lowerBound).lowerBound..<last.upperBound].string, in: .other)
        }
        last = second
      }
      guard name.kind == .strong || name.kind == .kept else { continue }
      if isCode, name.isNumber, name.kind == .strong {
        found(value, name.reason, context)
      } else if isRandom || isCode && name.isNumber || name.isPassword && secret.isMixed {
        decide(value, name, context)
      }
    }
  }

  /// Words between what is meant and a value in a sentence, and what a code is called.
  private static let copulas = SecretName.names("is ist lautet est es é è jest är er")
  private static let codes = SecretName.names("code codice código codigo kod kode pin")

  /// Decides about a value in a text, where a name proves less.
  private mutating func decide(
    _ value: SecretText, _ name: SecretText, _ place: SecretPlace, _ context: Context, isEnclosed: Bool,
    isAssigned: Bool = false
  ) {
    guard !value.bytes.isEmpty, let secret = self.name(name.bytes, in: place) else { return }
    guard secret.kind != .kept, secret.kind != .own else { return _ = decide(value, secret, context) }
    // A variable of the environment or an option of a command.
    let isOption = name.bytes.has("--", at: 0) || name.bytes.allSatisfy { !$0.isLowercase }
    if secret.kind == .weak, secret.text.lowercased() != "nonce" {
      let isRandom = (isEnclosed || isOption) && value.string.hasRandomPart(atLeast: 24)
      // Credentials as in Basic authentication.
      if isRandom || value.string.decodedFromBase64?.has(":") == true { decide(value, secret, context) }
    }
    guard secret.kind == .strong else { return }
    let isMeant =
      isEnclosed && (context.isInRequest || value.string.couldBeCredential) || value.string.looksRandom(atLeast: 12)
      || value.string.beginsRandom
      || secret.isPassword && (value.string.isMixed || context.isInRequest && value.string.isNumbered)
      || isAssigned && (secret.isPassword || isOption)
        && (value.string.couldBeCredential || context.isInRequest && value.string.couldBePassword)
    if isMeant { decide(value, secret, context) }
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
    var strings = Siblings()
    /// Signatures and keys, which are public beside the identifier of a key.
    var signed: [(value: SecretText, name: SecretName)] = []
  }

  /// Searches one or more consecutive JSON texts. What is none is searched as text.
  private mutating func searchJSON(_ whole: SecretText, _ context: Context) {
    var (text, levels) = (whole, [Level]())
    var scanner = JSONScanner(text.bytes, deepest: 512)
    let resource = resource(in: context)
    while true {
      scanner.skipWhiteSpace()
      // A comma before a token counts as its beginning.
      let position = scanner.position
      let last = levels.count - 1
      switch try? scanner.next() {
      case nil where levels.isEmpty && position > 0:
        text = text[position...]
        scanner = JSONScanner(text.bytes, deepest: 512)
      case nil:
        for level in levels { decide(level, context) }
        return text[max(0, position - 100)...].decoded(.inText) { searchText($0, context) }
      case .end: return
      case .key(let key):
        levels[last].key = key.text
        levels[last].name =
          (key.hasEscapes ? name(key.text, in: .json) : name(key.utf8, in: .json)) ?? SecretName(.none, key.text)
        continue
      case .beginObject:
        levels.append(Level(key: "", outer: name(in: levels, of: resource)))
        continue
      case .beginArray:
        levels.append(Level(outer: name(in: levels, of: resource)))
        continue
      case .endObject, .endArray: decide(levels.removeLast(), context, isWhole: last == 0)
      case .string(let string):
        let value = text[string.range.lowerBound + 1..<string.range.upperBound - 1]
        if last >= 0, let role = levels[last].key.flatMap({ Self.roles[$0] }) { levels[last].strings[role] = value }
        if !context.isInRequest, last >= 0, levels[last].key == "id" { table.noteIdentifier(value.string) }
        let name = name(in: levels, of: resource)
        if last >= 0, name.kind != .kept, name.kind != .own, ["key", "sig", "signature"].contains(levels[last].key) {
          levels[last].signed.append((value, name))
        } else {
          value.decoded(.inJSON) { searchValue($0, name, context) }
        }
      case .number(let range):
        var context = context
        context.isNumber = true
        searchValue(text[range], name(in: levels, of: resource), context)
      case .bool, .null: break
      }
      if !levels.isEmpty { levels[levels.count - 1].index += 1 }
    }
  }

  /// Decides about the members of an object that others tell about.
  private mutating func decide(_ level: Level, _ context: Context, isWhole: Bool = false) {
    for (value, named) in level.signed {
      var name = named
      // What a body has besides it says what a `key` is for. Alone, it can be a token.
      if isWhole, level.index == 1, name.text == "key", name.kind == .none { name = SecretName(.weak, "key") }
      if level.strings[.keyID] != nil { name = SecretName(.none) }
      value.decoded(.inJSON) { searchValue($0, name, context) }
    }
    var strings = level.strings
    if SecretName.otherCodes.contains(level.outer.text.lowercased()) { strings[.code] = nil }
    search(strings, .json, .inJSON, context)
  }

  /// Returns what names and paths say about the current value.
  private func name(in levels: [Level], of resource: SecretName) -> SecretName {
    guard let level = levels.last else { return resource }
    let (outer, name) = (level.outer, level.name)
    if outer.kind == .kept || name.kind == .kept { return SecretName(.kept) }
    if let path = rules.jsonPaths.first(where: { $0.parts == levels.map { $0.key ?? String($0.index) } }) {
      return SecretName(.own, "", .own, "json(at: \(path.text))")
    }
    guard let key = level.key else { return outer }
    if name.kind != .none { return name }
    if outer.kind == .own { return Self.descriptions.contains(key.comparableName) ? name : outer }
    let part = key.lowercased()
    if [.strong, .weak].contains(outer.kind), Self.parts.contains(part) { return outer }
    return name
  }

  /// Members that describe a secret.
  private static let descriptions = SecretName.names(
    "type tokentype typ kind alg algorithm scope scopes status state provider issuer format method realm granttype")
  /// Members of an object with the name of a secret that are the secret itself.
  private static let parts: Set = [
    "access", "refresh", "value", "token", "secret", "raw", "plain", "key", "stringvalue", "s",
  ]
}

extension JSONPath {
  /// The keys, and the indices as text.
  fileprivate var parts: [String] {
    steps.map { if case .index(let index) = $0 { String(index) } else if case .key(let key) = $0 { key } else { "" } }
  }
}

extension SecretText {
  /// Returns the value that begins at a position, and whether quotation marks enclose it.
  fileprivate func value(from start: Int, in quote: UInt8?) -> (text: SecretText, isEnclosed: Bool) {
    if let quote, let end = bytes.firstIndex(of: quote, from: start + 1, to: start + 8_192) {
      let value = self[start + 1..<end]
      // A literal in a program that ends, and what is added to it.
      let isCode = value.bytes.first == UInt8(ascii: "+") || value.bytes.last == UInt8(ascii: "+")
      return (value, !isCode && value.bytes.firstIndex(in: .newline) == value.bytes.count)
    }
    let start = quote == nil ? start : start + 1
    var end = bytes.firstIndex(in: .valueEnd, from: start)
    if bytes.has("://", at: end) { end = bytes.firstIndex(in: .valueEnd, from: end + 3) }
    while end < bytes.count, end > start, bytes[end] == UInt8(ascii: "=") { end += 1 }
    return (self[start..<end], quote != nil && end == bytes.count)
  }

  /// Returns the text of an element up to the next tag, without the space around it.
  fileprivate func content(from start: Int) -> SecretText {
    let first = bytes.firstIndex(notIn: .space, from: start)
    if bytes.has("<![CDATA[", at: first), let end = bytes.firstIndex(of: "]]>", from: first, to: first + 4_096) {
      return self[first + 9..<end]
    }
    return self[start..<bytes.firstIndex(in: .tag, from: start)].trimmed
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Where two to four digits end that begin at a position, or `nil` if others stand there: the group of a number.
  fileprivate func endOfDigits(from start: Int) -> Int? {
    let end = firstIndex(notIn: .digit, from: Swift.min(start, count))
    return 2...4 ~= end - start ? end : nil
  }

  /// The beginning of an object or an array, perhaps after what servers put before it so that no script can load it.
  fileprivate var startOfJSON: Int? {
    let start = firstIndex(notIn: .jsonGuard)
    return start < Swift.min(count, 15) && ByteSet.open[self[start]] ? start : nil
  }

  /// Whether the text is a list of names and values, and nothing else. The padding of Base64 is no value.
  fileprivate var isForm: Bool {
    let name = firstIndex(notIn: .formName)
    return 1...64 ~= name && name < count && self[name] == UInt8(ascii: "=") && firstIndex(in: .notInForm) == count
      && firstIndex(notIn: .equals, from: name) < count
  }

  /// Whether the whole text is a URL, perhaps without a host.
  fileprivate var isURL: Bool {
    let path = firstIndex(notIn: .path)
    return (path < count ? ByteSet.queries[self[path]] : firstIndex(of: "://") != nil)
      && firstIndex(in: .notInURL, from: path) == count
  }

  /// The boundary with which a multipart body begins, whatever its type says.
  fileprivate var boundary: String? {
    guard has("--", at: 0), let end = prefix(80).firstIndex(where: { $0 == 0x0D || $0 == 0x0A }), end > 2,
      String(decoding: self[end...].prefix(24), as: UTF8.self).lowercased().contains("content-")
    else { return nil }
    return String(decoding: self[2..<end], as: UTF8.self)
  }

  /// Returns the range of the name before a colon or an equals sign, without quotation marks.
  fileprivate func name(before mark: Int) -> Range<Int> {
    let least = Swift.max(0, mark - 140)
    let end = startIndex(of: .beforeMark, before: mark, notBefore: least)
    return startIndex(of: .name, before: end, notBefore: least)..<end
  }

  /// Returns the range of the name of the element whose start tag begins at a position, without its prefix.
  fileprivate func elementName(from start: Int) -> Range<Int> {
    let end = firstIndex(notIn: .name, from: start)
    guard end < count, self[end] == UInt8(ascii: ":") else { return start..<end }
    return end + 1..<firstIndex(notIn: .name, from: end + 1)
  }

  /// Returns the end of a URL in a text, which can be the next one.
  fileprivate func endOfURL(from start: Int) -> Int {
    var end = firstIndex(in: .urlEnd, from: start)
    while end < count, self[end] == UInt8(ascii: ":"), !has("://", at: end) {
      end = firstIndex(in: .urlEnd, from: end + 1)
    }
    return end
  }
}
