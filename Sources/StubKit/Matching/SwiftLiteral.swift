import StubKitFormats

extension JSONValue {
  /// The value as a Swift literal with sorted keys: `["id": 1, "tags": ["a", nil]]`.
  package var swiftLiteral: String {
    var literal = ""
    forEachPiece { piece in
      switch piece {
      case .scalar(let value): literal += value.scalarLiteral
      case .open(isObject: true, isEmpty: true): literal += "[:"
      case .open: literal += "["
      case .key(let key): literal += "\(key.debugDescription): "
      case .comma: literal += ", "
      case .close: literal += "]"
      }
    }
    return literal
  }

  private var scalarLiteral: String {
    switch self {
    case .bool(let value): "\(value)"
    case .number(let number):
      // An integer literal can't exceed Int64.
      if case .unsigned = number.storage { "JSONValue(UInt64(\(number)))" } else { number.description }
    case .string(let text): text.debugDescription
    case .null, .array, .object: "nil"
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
