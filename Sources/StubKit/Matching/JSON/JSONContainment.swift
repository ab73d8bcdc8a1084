extension JSONValue {
  /// Whether this value has everything that `part` has: of an object, the keys that the part names, at every depth. An
  /// array has as many elements as the part's, each containing the part's at its place; anything else is equal.
  func contains(_ part: JSONValue) -> Bool {
    switch (self, part) {
    case (.object(let members), .object(let wanted)):
      wanted.allSatisfy { key, value in members[key]?.contains(value) ?? false }
    case (.array(let elements), .array(let wanted)):
      elements.count == wanted.count && zip(elements, wanted).allSatisfy { $0.contains($1) }
    default: self == part
    }
  }
}
