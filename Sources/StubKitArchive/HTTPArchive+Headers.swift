import StubKitFormats

extension HTTPArchive {
  /// The header fields of a response, in order, and as often as the server sent them.
  ///
  /// ```swift
  /// var headers: HTTPArchive.Headers = [
  ///   "Content-Type": "text/plain",
  ///   "Set-Cookie": "a=1", "Set-Cookie": "b=2",
  /// ]
  /// headers["content-type"]  // "text/plain"
  /// headers.values(of: "Set-Cookie")  // ["a=1", "b=2"]
  /// ```
  public struct Headers: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    package var fields: ResponseHeaders

    /// Creates header fields in this order. A name can appear more than once.
    public init(_ fields: some Sequence<(name: String, value: String)>) {
      self.fields = ResponseHeaders()
      for field in fields { self.fields.append(field.name, field.value) }
    }

    /// Creates header fields in this order. A name can appear more than once.
    public init(dictionaryLiteral fields: (String, String)...) {
      self.init(fields.map { (name: $0.0, value: $0.1) })
    }

    /// The value of the field with a name, or `nil` if there is none. Names compare without case. The values of a
    /// repeated field are joined with commas (RFC 9110, section 5.3). Setting a value replaces every field of the
    /// name, and setting `nil` removes them.
    public subscript(name: String) -> String? {
      get { fields[name] }
      set { if let newValue { fields.replace(name, newValue) } else { fields.remove(name) } }
    }

    /// Returns the values of the fields with a name, one for each time that the field was sent. Names compare without
    /// case.
    public func values(of name: String) -> [String] { fields.values(of: name) }

    /// Adds a field after the others, even if there is one of the same name.
    public mutating func append(_ name: String, _ value: String) { fields.append(name, value) }

    /// The position of the first field.
    public var startIndex: Int { fields.fields.startIndex }
    /// The position after the last field.
    public var endIndex: Int { fields.fields.endIndex }
    /// The field at a position.
    public subscript(position: Int) -> (name: String, value: String) {
      (fields.fields[position].name, fields.fields[position].value)
    }
  }
}
