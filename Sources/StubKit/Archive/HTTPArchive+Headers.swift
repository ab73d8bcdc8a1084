extension HTTPArchive {
  /// The header fields of a response: in order, and as often as the server sent them.
  ///
  /// ```swift
  /// var headers: HTTPArchive.Headers = ["Content-Type": "text/plain", "Set-Cookie": "a=1", "Set-Cookie": "b=2"]
  /// headers["content-type"]       // "text/plain"
  /// headers.values(of: "Set-Cookie")  // ["a=1", "b=2"]
  /// ```
  public struct Headers: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    var fields: ResponseHeaders

    /// Fields in this order. A name may appear more than once.
    public init(_ fields: some Sequence<(name: String, value: String)>) {
      self.fields = ResponseHeaders()
      for field in fields { self.fields.append(field.name, field.value) }
    }

    /// Fields in this order. A name may appear more than once.
    public init(dictionaryLiteral fields: (String, String)...) {
      self.init(fields.map { (name: $0.0, value: $0.1) })
    }

    /// The value of the field with this name, compared without case. `nil` if there is none. The values of a repeated field are
    /// joined by commas (RFC 9110, 5.3). Setting it replaces every field of the name; setting `nil` removes them.
    public subscript(name: String) -> String? {
      get { fields[name] }
      set { if let newValue { fields.replace(name, newValue) } else { fields.remove(name) } }
    }

    /// The values of the fields with this name, compared without case: one for each time that the field was sent.
    public func values(of name: String) -> [String] { fields.values(of: name) }

    /// Adds a field behind the others, also where one of the same name is there.
    public mutating func append(_ name: String, _ value: String) { fields.append(name, value) }

    /// The position of the first field.
    public var startIndex: Int { fields.fields.startIndex }
    /// The position behind the last field.
    public var endIndex: Int { fields.fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> (name: String, value: String) {
      (fields.fields[position].name, fields.fields[position].value)
    }
  }
}
