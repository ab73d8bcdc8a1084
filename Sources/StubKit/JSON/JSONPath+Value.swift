import StubKitFormats

extension JSONPath {
  /// Returns the value at the place, or `nil` if there is none. An existing `null` is `JSONValue.null`.
  package func value(in root: JSONValue) -> JSONValue? {
    var value = root
    for step in steps {
      let next: JSONValue? =
        switch step {
        case .key(let key): if case .array = value { Self.index(key).flatMap { value[$0] } } else { value[key] }
        case .index(let index): value[index]
        }
      guard let next else { return nil }
      value = next
    }
    return value
  }
}
