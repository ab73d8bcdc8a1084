extension JSONValue {
  /// The value as a Swift literal, keys sorted: `["id": 1, "tags": ["a", nil]]`.
  var swiftLiteral: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .number(let number):
      // An integer literal holds no more than Int64.
      if case .unsigned = number.storage { "JSONValue(UInt64(\(number)))" } else { number.description }
    case .string(let text): text.debugDescription
    case .array(let elements): "[\(elements.map(\.swiftLiteral).joined(separator: ", "))]"
    case .object(let members) where members.isEmpty: "[:]"
    case .object(let members):
      "["
        + members.sorted { $0.key < $1.key }
        .map { "\($0.debugDescription): \($1.swiftLiteral)" }
        .joined(separator: ", ") + "]"
    }
  }
}

extension [NamedValue] {
  /// The items as a dictionary literal: `["a": "1", "b": nil]`.
  var swiftLiteral: String {
    if isEmpty { return "[:]" }
    return "[\(map { "\($0.name.debugDescription): \($0.value?.debugDescription ?? "nil")" }.joined(separator: ", "))]"
  }
}
