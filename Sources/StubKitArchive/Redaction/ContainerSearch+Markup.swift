import StubKitFormats

/// XML and HTML: elements, attributes, the inputs of forms, property lists, and the text between them.
extension ContainerSearch {
  mutating func searchMarkup() {
    var position = 0
    /// The name of the element whose text comes next.
    var element = ""
    /// The text of the last element if that is a key, as in a property list.
    var key: String?
    while position < text.count {
      guard text[position] == UInt8(ascii: "<") else {
        let end = text[position...].firstIndex(of: UInt8(ascii: "<")) ?? text.count
        searchText(position..<end, of: element, &key)
        position = end
        continue
      }
      let rest = text[position...]
      if let end = rest.end(from: "<![CDATA[", to: "]]>") {
        let start = position + 9
        let last = text[..<end].suffix(3).elementsEqual("]]>".utf8) ? end - 3 : end
        if start <= last { searchText(start..<last, of: element, &key) }
        position = end
      } else if let end = rest.end(from: "<!--", to: "-->") {
        searchPlain(position..<end)
        position = end
      } else {
        let tag = tag(at: position)
        if let name = tag.name {
          if !tag.isEnd { searchAttributes(tag.attributes, of: name) }
          let isEmpty = tag.isEnd || text[..<tag.end].suffix(2).elementsEqual("/>".utf8)
          element = isEmpty ? "" : self.name(of: tag, name)
          if !isEmpty, let kept = key, Self.isValue(name) { element = kept }
          if !tag.isEnd, name != "key" { key = nil }
        }
        position = tag.end
      }
    }
  }

  /// Returns the name of an element's text. A parameter can have it in an attribute.
  private func name(of tag: Tag, _ element: String) -> String {
    guard Self.parameters.contains(element.lowercased()),
      let name = tag.attributes.first(where: { Self.nameAttributes.contains($0.name.lowercased()) })
    else { return element }
    return decoded(name.value, .markup)
  }

  private static let parameters: Set<String> = [
    "param", "parameter", "property", "entry", "field", "item", "header", "attribute", "setting", "arg", "add",
  ]

  private struct Attribute {
    let name: String
    let value: Range<Int>
  }

  private struct Tag {
    /// The name without its prefix, or `nil` for what isn't a tag.
    var name: String?
    var isEnd = false
    var attributes: [Attribute] = []
    var end: Int
  }

  private static let nameAttributes: Set<String> = ["name", "key", "id", "property", "http-equiv", "itemprop"]
  private static let valueAttributes: Set<String> = ["value", "content"]

  private static func isValue(_ element: String) -> Bool { ["string", "data", "value"].contains(element.lowercased()) }

  private mutating func searchText(_ range: Range<Int>, of element: String, _ key: inout String?) {
    guard text[range].contains(where: { $0 > 0x20 }) else { return }
    var inner = range
    while text[inner.lowerBound] <= 0x20 { inner = inner.lowerBound + 1..<inner.upperBound }
    while text[inner.upperBound - 1] <= 0x20 { inner = inner.lowerBound..<inner.upperBound - 1 }
    if element.lowercased() == "key" { key = decoded(inner, .markup) }
    if !element.isEmpty, rules.isSecret(element, in: .other) {
      replaceSecret(inner, .markup)
    } else if ["script", "style"].contains(element.lowercased()) {
      searchPlain(range)
      if depth < SecretWalk.deepest, text[inner.lowerBound] == UInt8(ascii: "{") {
        // The whole script can be JSON.
        var search = ContainerSearch(
          walk: walk, text: UnsafeBufferPointer(rebasing: text[inner]), depth: depth + 1)
        search.searchText()
        append(search.edits, at: inner.lowerBound)
      }
    } else {
      searchValue(inner, .markup)
    }
  }

  private mutating func searchAttributes(_ attributes: [Attribute], of element: String) {
    // `<input name="csrf_token" value="…">`, `<meta name="csrf-token" content="…">`
    let hasSecretName = attributes.contains {
      Self.nameAttributes.contains($0.name.lowercased()) && rules.isSecret(decoded($0.value, .markup), in: .other)
    }
    let isPassword =
      rules.usesStandardNames
      && attributes.contains {
        $0.name.lowercased() == "type" && decoded($0.value, .plain).lowercased() == "password"
      }
    for attribute in attributes {
      let isValue = Self.valueAttributes.contains(attribute.name.lowercased())
      if isValue && (hasSecretName || isPassword) || rules.isSecret(attribute.name, in: .other) {
        replaceSecret(attribute.value, .markup)
      } else {
        searchValue(attribute.value, .markup)
      }
    }
  }

  /// Reads the tag that begins at a position. Each byte of it is read once.
  private func tag(at start: Int) -> Tag {
    var tag = Tag(end: start + 1)
    var position = start + 1
    if position < text.count, text[position] == UInt8(ascii: "/") {
      tag.isEnd = true
      position += 1
    }
    let name = word(from: position)
    guard !name.isEmpty else { return tag }
    tag.name = String(decoding: text[name], as: UTF8.self).withoutPrefix
    position = name.upperBound
    while position < text.count, text[position] != UInt8(ascii: ">"), text[position] != UInt8(ascii: "<") {
      let name = word(from: position)
      guard !name.isEmpty else {
        position += 1
        continue
      }
      position = name.upperBound
      var equals = position
      while equals < text.count, text[equals] <= 0x20 { equals += 1 }
      guard equals < text.count, text[equals] == UInt8(ascii: "=") else { continue }
      let value = attributeValue(from: equals + 1)
      tag.attributes.append(
        Attribute(name: String(decoding: text[name], as: UTF8.self).withoutPrefix, value: value.inner))
      position = value.end
    }
    tag.end = position < text.count && text[position] == UInt8(ascii: ">") ? position + 1 : position
    return tag
  }

  private func attributeValue(from start: Int) -> (inner: Range<Int>, end: Int) {
    var start = start
    while start < text.count, text[start] <= 0x20 { start += 1 }
    if start < text.count, text[start] == UInt8(ascii: "\"") || text[start] == UInt8(ascii: "'") {
      let end = text[(start + 1)...].firstIndex(of: text[start]) ?? text.count
      return (start + 1..<end, min(text.count, end + 1))
    }
    let end = text[start...].firstIndex { $0 <= 0x20 || $0 == UInt8(ascii: ">") } ?? text.count
    return (start..<end, end)
  }

  private func word(from start: Int) -> Range<Int> {
    start..<(text[start...].firstIndex { !($0.isAlphanumeric || "-_.:".utf8.contains($0) || $0 >= 0x80) } ?? text.count)
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Returns the end of what begins and ends with these texts, or `nil` if it doesn't begin here.
  fileprivate func end(from first: String, to last: String) -> Int? {
    guard starts(with: first.utf8) else { return nil }
    let last = Array(last.utf8)
    var position = startIndex + first.utf8.count
    while position + last.count <= endIndex {
      if base[position] == last[0], base[position..<position + last.count].elementsEqual(last) {
        return position + last.count
      }
      position += 1
    }
    return endIndex
  }
}

extension String {
  /// The name without the prefix of its namespace.
  fileprivate var withoutPrefix: String { cut(at: ":").map { String($0.after) } ?? self }
}
