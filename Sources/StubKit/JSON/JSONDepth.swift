import StubKitFormats

extension JSONValue {
  static let deepest = JSONScanner.deepest

  /// A Boolean value that indicates whether arrays and objects are nested deeper than in any JSON text that can be
  /// parsed.
  var isTooDeep: Bool { isNested(deeperThan: Self.deepest) }

  private func isNested(deeperThan levels: Int) -> Bool {
    isContainer && (levels == 0 || inner.contains { $0.isNested(deeperThan: levels - 1) })
  }

  package var isContainer: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .number, .string: false
    }
  }

  /// The elements of an array, or the values of an object's members.
  package var inner: [JSONValue] {
    switch self {
    case .array(let elements): elements
    case .object(let members): Array(members.values)
    case .null, .bool, .number, .string: []
    }
  }

  /// The number of values that contain no others.
  var leafCount: Int { max(1, inner.reduce(0) { $0 + $1.leafCount }) }
}
