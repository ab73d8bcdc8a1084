import Foundation

/// The header fields of a response, in order. A field can occur several times, and names compare without case.
package struct ResponseHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String

    /// - Parameter value: White space around it is no part of it (RFC 9112, section 5.1).
    package init(name: String, value: String) {
      self.name = name
      self.value = String(value[...].withoutOuterSpace)
    }
  }

  package private(set) var fields: [Field] = []

  package init() {}

  /// A dictionary has no order, so its fields are sorted by name. The same headers always go out in the same order.
  package init(_ headers: [String: String]) {
    fields = headers.map { Field(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }

  package init(dictionaryLiteral fields: (String, String)...) {
    self.fields = fields.map { Field(name: $0.0, value: $0.1) }
  }

  /// The value of a field. The values of a repeated field are joined as RFC 9110 (section 5.3) specifies.
  package subscript(name: String) -> String? {
    let values = values(of: name)
    return values.count > 1 ? values.listed : values.first
  }

  /// Returns the values of a field, one for each time it was added.
  package func values(of name: String) -> [String] { fields.compactMap { $0.name.isHeaderName(name) ? $0.value : nil } }

  package func contains(_ name: String) -> Bool { fields.contains { $0.name.isHeaderName(name) } }

  /// Replaces all fields of a name by one, in the place of the first.
  package mutating func replace(_ name: String, _ value: String) {
    let field = Field(name: name, value: value)
    guard let first = fields.firstIndex(where: { $0.name.isHeaderName(name) }) else { return fields.append(field) }
    fields.removeAll { $0.name.isHeaderName(name) }
    fields.insert(field, at: first)
  }

  package mutating func remove(_ name: String) { fields.removeAll { $0.name.isHeaderName(name) } }

  package mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

  /// Creates the fields of a response from URLSession, sorted by name, with a field for each cookie (RFC 6265).
  ///
  /// `HTTPURLResponse` keeps the fields in a dictionary. It loses their order, and joins the values of a repeated field
  /// with commas.
  package init(of response: HTTPURLResponse) {
    let fields = [String: String](textsOf: response.allHeaderFields)
    for (name, text) in fields.sorted(by: { ($0.key.lowercased(), $0.key) < ($1.key.lowercased(), $1.key) }) {
      let values = name.isHeaderName("Set-Cookie") ? Self.cookies(joined: text) : [text[...]]
      for value in values { append(name, String(value)) }
    }
  }

  /// Splits `Set-Cookie` fields that were joined with commas. Each value begins with a name and an equals sign, unlike
  /// the part of a date after its comma.
  package static func cookies(joined value: String) -> [Substring] {
    value.split(separator: #/, *(?=[^ \t";,=]+=)/#, omittingEmptySubsequences: false)
  }
}

extension [String: String] {
  /// Creates the texts of header fields whose names and values have any types.
  package init(textsOf fields: [AnyHashable: Any]) {
    self.init(fields.map { ("\($0.key)", "\($0.value)") }) { $1 }
  }
}

extension String {
  /// Returns whether both names are those of the same header field. Names are ASCII.
  package func isHeaderName(_ other: String) -> Bool {
    // The cases of a letter differ in one bit, and so do the bytes of some other pairs.
    isSame(as: other)
      || utf8.count == other.utf8.count
        && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0 ^ $1 == 0x20 && $0.isLetter }
  }

  /// Calls `body` with the bytes of each member of a field, as ``headerMembers(of:)`` returns them.
  @inline(__always)
  func forEachHeaderMember(of name: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = self
    guard has(",") else { return text.withBytes { body($0.withoutOuterSpace) } }
    for member in headerMembers(of: name) {
      text = String(member)
      text.withBytes(body)
    }
  }

  /// Returns the cookies of a `Set-Cookie` field. A name that isn't ASCII is that of no cookie (RFC 6265, section
  /// 4.1.1), and ends the process in Foundation on Linux.
  package func cookies(for url: URL) -> [HTTPCookie] {
    HTTPCookie.cookies(
      withResponseHeaderFields: [
        "Set-Cookie": replacingOccurrences(
          of: #"(^|;)[^=;]*[^\x00-\x7F=;][^=;]*="#, with: ";", options: .regularExpression)
      ], for: url)
  }

  /// Returns the members of a field that is a list (RFC 9110, section 5.6.1), or the whole value of any other field.
  /// There is no white space around them, and an empty value is one.
  ///
  /// Foundation and servers join the values of a repeated field to such a list, with or without a space. A field of an
  /// unknown name is a list, too.
  func headerMembers(of name: String) -> [Substring] {
    guard has(","), !Self.singleFields.contains(name.lowercased()) else { return [self[...].withoutOuterSpace] }
    var isQuoted = false
    var isEscaped = false
    let members = utf8.split { byte in
      defer { isEscaped = isQuoted && !isEscaped && byte == .backslash }
      if byte == .quote, !isEscaped { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }.map { Substring($0).withoutOuterSpace }
    let filled = members.filter { !$0.isEmpty }
    return filled.isEmpty ? [""] : filled
  }

  /// The fields of requests that have one value, which can contain a comma.
  private static let singleFields: Set = [
    "authorization", "content-disposition", "content-length", "content-location", "content-range", "content-type",
    "cookie", "date", "expires", "from", "host", "if-modified-since", "if-range", "if-unmodified-since",
    "last-modified", "location", "max-forwards", "origin", "proxy-authorization", "range", "referer", "retry-after",
    "server", "set-cookie", "user-agent",
  ]
}
