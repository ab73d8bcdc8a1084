/// The header fields of a response, in order. A field can occur several times, and names compare without case.
package struct ResponseHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String
  }

  package private(set) var fields: [Field] = []

  package init() {}

  /// A dictionary has no order, so its fields are sorted by name. The same headers always go out in the same order.
  init(_ headers: [String: String]) {
    fields = headers.map { Field(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }

  package init(dictionaryLiteral fields: (String, String)...) {
    self.fields = fields.map { Field(name: $0.0, value: $0.1) }
  }

  /// The value of a field. The values of a repeated field are joined as RFC 9110 (section 5.3) specifies.
  package subscript(name: String) -> String? {
    let values = fields.lazy.filter { $0.name.isHeaderName(name) }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Returns the values of a field, one for each time it was added.
  func values(of name: String) -> [String] { fields.compactMap { $0.name.isHeaderName(name) ? $0.value : nil } }

  func contains(_ name: String) -> Bool { fields.contains { $0.name.isHeaderName(name) } }

  /// Replaces all fields of a name by one, in the place of the first.
  package mutating func replace(_ name: String, _ value: String) {
    let field = Field(name: name, value: value)
    guard let first = fields.firstIndex(where: { $0.name.isHeaderName(name) }) else { return fields.append(field) }
    fields.removeAll { $0.name.isHeaderName(name) }
    fields.insert(field, at: first)
  }

  mutating func remove(_ name: String) { fields.removeAll { $0.name.isHeaderName(name) } }

  mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Sets a field unless the caller has set it.
  mutating func setDefault(_ name: String, _ value: String?) {
    if let value, !contains(name) { append(name, value) }
  }

  /// Returns the `Content-Length` to add, or `nil` if the status allows none, or the fields say it already.
  ///
  /// - Parameter bodyLength: The length of the body, or `nil` if it isn't known.
  func missingLength(ofBody bodyLength: Int?, status: Int) -> Int? {
    guard let bodyLength, !contains("Content-Length"), !contains("Transfer-Encoding") else { return nil }
    let isWithoutLength = (100...199).contains(status) || status == 204 || (status == 304 && bodyLength == 0)
    return isWithoutLength ? nil : bodyLength
  }

  /// Returns the fields with a `Content-Length` added, unless it is `nil`.
  func adding(length: Int?) -> ResponseHeaders {
    guard let length else { return self }
    var headers = self
    headers.append("Content-Length", String(length))
    return headers
  }

  /// The fields as `HTTPURLResponse` takes them: one for each name, in its first spelling.
  var joined: [String: String] {
    var joined: [String: String] = [:]
    var spellings: [String: String] = [:]
    for field in fields {
      let spelling = spellings[field.name.lowercased(), default: field.name]
      spellings[field.name.lowercased()] = spelling
      joined[spelling] = joined[spelling].map { $0 + ", " + field.value } ?? field.value
    }
    return joined
  }

  /// The first field that HTTP can't carry.
  var problem: StubResponseError.Reason? {
    fields.lazy.compactMap { Self.problem($0.name, $0.value) }.first
  }

  /// Returns why HTTP can't carry a field, or `nil` if it can.
  static func problem(_ name: String, _ value: String) -> StubResponseError.Reason? {
    if !name.isToken { return .invalidHeaderName(name) }
    if value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) {
      return .invalidHeaderValue(value, name: name)
    }
    return nil
  }
}

extension String {
  /// Returns whether both names are those of the same header field. Names are ASCII.
  fileprivate func isHeaderName(_ other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercased == $1.lowercased }
  }

  /// A Boolean value that indicates whether this is a token (RFC 9110, section 5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

extension UInt8 {
  /// The lowercase letter for an ASCII letter, and otherwise the same byte.
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
