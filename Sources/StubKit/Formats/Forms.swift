import Foundation

/// A name with an optional value: a query item or a form field. Without a value, it is a name without `=`.
package struct NamedValue: Sendable, Hashable {
  package let name: String
  package let value: String?

  package init(name: String, value: String? = nil) {
    self.name = name
    self.value = value
  }

  package static func == (left: NamedValue, right: NamedValue) -> Bool {
    guard left.name.isSame(as: right.name) else { return false }
    guard let value = left.value, let other = right.value else { return left.value == right.value }
    return value.isSame(as: other)
  }

  /// The name as a key: two of them are equal if their Unicode scalars are.
  var nameAlone: NamedValue { NamedValue(name: name) }

  package static func sorted(_ items: [String: String?]) -> NamedItems {
    items.map { NamedValue(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }

  /// Parses the query of a URL: items between `&`, names and values split at the first `=`, percent-decoded, with `+`
  /// kept (RFC 3986).
  package static func query(_ query: String) -> NamedItems { items(query) { String($0).percentDecoded } }

  /// Parses a form: the same, with `+` for a space (WHATWG URL, application/x-www-form-urlencoded).
  package static func form(_ form: String) -> NamedItems { items(form) { $0.formDecoded } }

  private static func items(_ text: String, decode: (Substring) -> String) -> NamedItems {
    text.utf8.split(separator: UInt8(ascii: "&")).map { item in
      let item = Substring(item)
      guard let (name, value) = item.cut(at: "=") else { return NamedValue(name: decode(item)) }
      return NamedValue(name: decode(name), value: decode(value))
    }
  }

  /// Parses a Cookie header: pairs between semicolons, without surrounding white space, with quotes kept.
  package static func cookies(_ header: String) -> NamedItems {
    header.pieces(at: ";").compactMap { pair in
      guard let (name, value) = pair.cut(at: "=") else { return nil }
      return NamedValue(name: String(name.withoutOuterSpace), value: String(value.withoutOuterSpace))
    }
  }
}

/// Items in order: those of a query, a form or a Cookie header.
package typealias NamedItems = [NamedValue]

extension NamedItems {
  package func contains(name: String) -> Bool { contains { $0.name.isSame(as: name) } }

  /// Returns the items with a name, in order.
  package func named(_ name: String) -> NamedItems { filter { $0.name.isSame(as: name) } }

  /// Returns the items that have none of these names.
  package func without(_ ignored: Set<String>) -> NamedItems { filter { !ignored.has($0.name) } }

  var urlQueryItems: [URLQueryItem] { map { URLQueryItem(name: $0.name, value: $0.value) } }

  /// The names, each once, in the order of their first items.
  package var names: [String] { map(\.nameAlone).unique.map(\.name) }

  /// Returns whether every wanted item is there. A few are searched one by one, which allocates nothing. Many take time
  /// in proportion to the lengths of both lists.
  func containsAll(_ wanted: NamedItems) -> Bool {
    count <= 16 ? wanted.allSatisfy(contains) : Set(self).isSuperset(of: wanted)
  }

  /// Returns whether every wanted item is there, at least as often.
  func containsEach(of wanted: NamedItems) -> Bool {
    let counts = counts
    return wanted.counts.allSatisfy { counts[$0.key, default: 0] >= $0.value }
  }

  /// Returns whether every item is wanted, as often as it occurs, and every wanted name exists.
  func isExactly(_ wanted: NamedItems) -> Bool { wanted.containsAll(self) && containsAll(wanted) }

  /// Returns whether the items are the wanted ones, each as often, in any order.
  func isCounted(_ wanted: NamedItems) -> Bool { count == wanted.count && counts == wanted.counts }

  private var counts: [NamedValue: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}

/// A body in parts (RFC 2046, section 5.1), such as a form with files (RFC 7578).
package struct MultipartBody: Sendable {
  package struct Part: Sendable {
    /// The name in Content-Disposition, or `nil` if there is none.
    package let name: String?
    /// The name of the file in Content-Disposition, or `nil` if there is none.
    package let filename: String?
    /// The content type of the part, or `text/plain`, which is the default in RFC 7578.
    package let contentType: String
    package let body: Data

    /// Compares the type and the subtype, ignoring case, and the parameters only if `wanted` has some. `nil` is any.
    package func hasContentType(_ wanted: String?) -> Bool {
      guard let wanted else { return true }
      let actual = wanted.has(";") ? contentType[...] : contentType.cut(at: ";")?.before ?? contentType[...]
      return Self.normal(actual) == Self.normal(wanted)
    }

    private static func normal(_ contentType: some StringProtocol) -> String {
      let scalars = contentType.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "\"" }
      return String(String.UnicodeScalarView(scalars))
    }
  }

  package let parts: [Part]
  /// Whether a line `--boundary--` ends the parts, as RFC 2046 requires. Servers refuse a body without one.
  let isClosed: Bool
  /// Whether each delimiter and each line of a part's head ends with CR and LF, as RFC 2046 requires.
  private let hasLineBreaks: Bool

  /// Why servers refuse the body, or `nil`.
  var problem: String? {
    if !isClosed { return "no line ends the body with the boundary and --" }
    return hasLineBreaks ? nil : "its lines end with LF alone: write CR and LF, \"\\r\\n\" in Swift"
  }

  /// Returns the boundary in a Content-Type, or `nil` if it is not multipart. A boundary is on one line.
  package static func boundary(ofContentType header: String) -> String? {
    guard header.lowercased().starts(withBytesOf: "multipart/"), let boundary = HeaderParameters(header)["boundary"],
      !boundary.isEmpty, !boundary.utf8.contains(where: { $0.isLineBreak })
    else { return nil }
    return boundary
  }

  /// Reads every part that a delimiter opens. A part that nothing closes ends with the body. A delimiter begins a line,
  /// and only white space follows it, or the dashes of the last one.
  package init(parsing data: Data, boundary: String) {
    let delimiter = Array("--\(boundary)".utf8)
    var hasLineBreaks = true
    (parts, isClosed) = data.withUnsafeBytes { bytes in
      var parts = [Part]()
      var start: Int?
      var line = 0
      while line < bytes.count {
        let next = bytes.line(after: line)
        let rest = bytes[line..<next].dropFirst(delimiter.count)
        let isLast = rest.starts(with: "--".utf8)
        if bytes[line..<next].starts(with: delimiter), isLast || rest.allSatisfy(\.isWhiteSpace) {
          if line > 0, !bytes.hasLineBreak(at: line) { hasLineBreaks = false }
          if let start {
            // The line break before a delimiter belongs to the delimiter.
            var end = line
            if end > start, bytes[end - 1] == .newline { end -= 1 }
            if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            parts.append(Part(bytes, start..<end, of: data, &hasLineBreaks))
          }
          if isLast { return (parts, true) }
          if !bytes.hasLineBreak(at: next) { hasLineBreaks = false }
          start = next
        }
        line = next
      }
      return (parts + (start.map { [Part(bytes, $0..<bytes.count, of: data, &hasLineBreaks)] } ?? []), false)
    }
    self.hasLineBreaks = hasLineBreaks
  }
}

extension MultipartBody.Part {
  /// - Parameters:
  ///   - bytes: The bytes of the body.
  ///   - range: The range of the part in them.
  ///   - data: The body.
  ///   - hasLineBreaks: Becomes `false` if a line of the head doesn't end with CR and LF.
  fileprivate init(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, of data: Data, _ hasLineBreaks: inout Bool
  ) {
    var fields: [String: String] = [:]
    var head = range.lowerBound
    var start = range.lowerBound
    // A blank line ends the head.
    while start < range.upperBound, case let next = min(bytes.line(after: start), range.upperBound) {
      head = start
      start = next
      if start < range.upperBound, !bytes.hasLineBreak(at: start) { hasLineBreaks = false }
      if bytes[head..<start].allSatisfy(\.isLineBreak) { break }
      head = start
    }
    for line in bytes[range.lowerBound..<head].split(whereSeparator: \.isLineBreak) {
      guard let (name, value) = String(utf8: line).cut(at: ":") else { continue }
      fields[name.withoutOuterSpace.lowercased()] = String(value.withoutOuterSpace)
    }
    let disposition = fields["content-disposition"].map { HeaderParameters($0) }
    self.init(
      name: disposition?.text("name"), filename: disposition?.text("filename"),
      contentType: fields["content-type"] ?? "text/plain",
      body: data[data.startIndex + start..<data.startIndex + range.upperBound])
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether CR and LF stand before a position.
  fileprivate func hasLineBreak(at position: Int) -> Bool {
    position >= 2 && self[position - 2] == UInt8(ascii: "\r") && self[position - 1] == .newline
  }

  /// Returns the position of the next line, or the end.
  fileprivate func line(after start: Int) -> Int {
    guard let base = baseAddress, start < count,
      let found = memchr(base + start, CInt(UInt8.newline), count - start)
    else { return count }
    return UnsafeRawPointer(found) - base + 1
  }
}
