import StubKitFormats

extension JSONValue {
  static let deepest = JSONScanner.deepest

  /// A Boolean value that indicates whether arrays and objects are nested deeper than in any JSON text that can be
  /// parsed.
  var isTooDeep: Bool {
    var pending = [(value: self, depth: 1)]
    while let (value, depth) = pending.popLast() {
      switch value {
      case .array(let elements):
        if depth > Self.deepest { return true }
        for element in elements where element.isContainer { pending.append((element, depth + 1)) }
      case .object(let members):
        if depth > Self.deepest { return true }
        for member in members.values where member.isContainer { pending.append((member, depth + 1)) }
      default: continue
      }
    }
    return false
  }

  package var isContainer: Bool {
    switch self {
    case .array, .object: true
    case .null, .bool, .number, .string: false
    }
  }

  /// The number of values that contain no others.
  var leafCount: Int {
    var count = 0
    forEachPiece { piece in
      switch piece {
      case .scalar, .open(_, isEmpty: true): count += 1
      default: break
      }
    }
    return count
  }

  /// The parts of a value's text, from left to right.
  package enum Piece {
    /// A value that is neither an array nor an object.
    case scalar(JSONValue)
    case open(isObject: Bool, isEmpty: Bool)
    case key(String)
    /// The comma between two elements or members.
    case comma
    case close(isObject: Bool, isEmpty: Bool)
  }

  /// Calls `body` with each piece of the value's text, with sorted keys.
  ///
  /// It has a stack of its own, because recursion would need more of a thread's stack than some threads have.
  package func forEachPiece(_ body: (Piece) -> Void) {
    struct Level {
      let keys: [String]?
      let values: [JSONValue]
      var next = 0
    }
    var levels: [Level] = []

    func begin(_ value: JSONValue) {
      switch value {
      case .array(let elements):
        body(.open(isObject: false, isEmpty: elements.isEmpty))
        levels.append(Level(keys: nil, values: elements))
      case .object(let members):
        body(.open(isObject: true, isEmpty: members.isEmpty))
        let sorted = members.sorted { $0.key < $1.key }
        levels.append(Level(keys: sorted.map(\.key), values: sorted.map(\.value)))
      default: body(.scalar(value))
      }
    }

    begin(self)
    while let level = levels.last {
      guard level.next < level.values.count else {
        body(.close(isObject: level.keys != nil, isEmpty: level.values.isEmpty))
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].next += 1
      if level.next > 0 { body(.comma) }
      if let keys = level.keys { body(.key(keys[level.next])) }
      begin(level.values[level.next])
    }
  }
}
