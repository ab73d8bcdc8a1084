import StubKitFormats

extension JSONValue {
  /// The value as a Swift literal with sorted keys: `["id": 1, "tags": ["a", nil]]`.
  package var swiftLiteral: String {
    switch self {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .number(let number):
      // An integer literal can't exceed Int64.
      return if case .unsigned = number.storage { "JSONValue(UInt64(\(number)))" } else { number.description }
    case .string(let text): return text.debugDescription
    case .array(let elements): return "[\(elements.map(\.swiftLiteral).joined(separator: ", "))]"
    case .object(let members):
      if members.isEmpty { return "[:]" }
      let sorted = members.sorted { $0.key < $1.key }
      return "[\(sorted.map { "\($0.key.debugDescription): \($0.value.swiftLiteral)" }.joined(separator: ", "))]"
    }
  }
}

extension Collection<NamedValue> {
  /// The items as a dictionary literal: `["a": "1", "b": nil]`.
  package var swiftLiteral: String {
    if isEmpty { return "[:]" }
    return "[\(map { "\($0.name.debugDescription): \($0.value?.debugDescription ?? "nil")" }.joined(separator: ", "))]"
  }
}
