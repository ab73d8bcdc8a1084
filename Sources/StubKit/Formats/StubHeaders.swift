import Foundation

/// Header fields in their order, each as often as it was sent. Names compare without case (RFC 9110, section 5.1).
///
/// ```swift
/// var headers: StubHeaders = [
///   "Content-Type": "text/plain",
///   "Set-Cookie": "a=1", "Set-Cookie": "b=2",
/// ]
/// headers["content-type"]  // "text/plain"
/// headers.values(of: "Set-Cookie")  // ["a=1", "b=2"]
/// for (name, value) in headers { print("\(name): \(value)") }
/// ```
///
/// It is the type of ``SentRequest/headerFields``, of ``RecordedRequest/Response/headerFields`` and of a response in an
/// HTTP Archive. Two lists are equal if they have the same fields in the same order, with names as they were written.
public struct StubHeaders: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
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

  /// Creates header fields in this order. A name can appear more than once.
  public init(_ fields: some Sequence<(name: String, value: String)>) {
    self.fields = fields.map { Field(name: $0.name, value: $0.value) }
  }

  /// A dictionary has no order, so its fields are sorted by name. The same headers always go out in the same order.
  package init(_ headers: [String: String]) {
    fields = headers.map { Field(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name }
  }

  /// Creates header fields in this order. A name can appear more than once.
  public init(dictionaryLiteral fields: (String, String)...) {
    self.fields = fields.map { Field(name: $0.0, value: $0.1) }
  }

  /// The value of the field with a name, or `nil` if there is none. The values of a repeated field are joined with
  /// commas (RFC 9110, section 5.3). Setting a value replaces all fields of the name by one, in the place of the first.
  /// Setting `nil` removes them.
  public subscript(name: String) -> String? {
    get {
      let values = values(of: name)
      return values.count > 1 ? values.listed : values.first
    }
    set { if let newValue { replace(name, newValue) } else { remove(name) } }
  }

  /// Returns the values of the fields with a name, one for each time that the field was sent.
  public func values(of name: String) -> [String] { fields.compactMap { $0.name.isHeaderName(name) ? $0.value : nil } }

  /// Adds a field after the others, even if there is one of the same name.
  public mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

  package func contains(_ name: String) -> Bool { fields.contains { $0.name.isHeaderName(name) } }

  /// Replaces all fields of a name by one, in the place of the first.
  package mutating func replace(_ name: String, _ value: String) {
    let field = Field(name: name, value: value)
    guard let first = fields.firstIndex(where: { $0.name.isHeaderName(name) }) else { return fields.append(field) }
    fields.removeAll { $0.name.isHeaderName(name) }
    fields.insert(field, at: first)
  }

  package mutating func remove(_ name: String) { fields.removeAll { $0.name.isHeaderName(name) } }

  /// The first value of each name, by its first spelling.
  var firstValues: [String: String] {
    let byName = Dictionary(fields.map { ($0.name.lowercased(), $0) }) { first, _ in first }
    return Dictionary(uniqueKeysWithValues: byName.values.map { ($0.name, $0.value) })
  }

  /// The position of the first field, which is always 0.
  public var startIndex: Int { fields.startIndex }
  /// The position after the last field, which is the number of fields.
  public var endIndex: Int { fields.endIndex }
  /// The field at a position, in the order in which the fields were sent or added.
  public subscript(position: Int) -> (name: String, value: String) {
    (fields[position].name, fields[position].value)
  }
}

extension StubHeaders: CustomStringConvertible {
  /// The fields as Swift source: `["Content-Type": "text/plain"]`.
  public var description: String {
    isEmpty ? "[:]" : "[\(fields.map { "\($0.name.debugDescription): \($0.value.debugDescription)" }.listed)]"
  }
}

extension StubHeaders {
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
