/// A place where two JSON values differ.
struct JSONDifference: Equatable {
  enum Kind: Equatable {
    /// Neither is more than another value.
    case values(expected: JSONValue, actual: JSONValue)
    /// The key is not there; of the keys that are, the nearest ones.
    case missing(expected: JSONValue, similar: [String])
    /// A key that was not asked for.
    case extra(actual: JSONValue)
    case lengths(expected: Int, actual: Int)
  }

  /// As `hasJSON(at:equals:)` takes it; empty for the root.
  let path: String
  let kind: Kind

  /// All places in which they differ, in the order of keys and indices, but no more than a hundred.
  ///
  /// - Parameter exactly: Whether a key that was not asked for is a difference.
  static func all(_ expected: JSONValue, _ actual: JSONValue, exactly: Bool, at path: String = "") -> [JSONDifference] {
    var differences: [JSONDifference] = []
    collect(expected, actual, exactly, path, &differences)
    return differences
  }

  private static let most = 100

  private static func collect(
    _ expected: JSONValue, _ actual: JSONValue, _ exactly: Bool, _ path: String, _ found: inout [JSONDifference]
  ) {
    guard found.count < most else { return }
    switch (expected, actual) {
    case (.object(let wanted), .object(let members)):
      let extra = members.keys.filter { wanted[$0] == nil }
      for key in (exactly ? wanted.keys + extra : Array(wanted.keys)).sorted() {
        let place = path.appending(key: key)
        switch (wanted[key], members[key]) {
        case (let wanted?, let actual?): collect(wanted, actual, exactly, place, &found)
        case (let wanted?, nil):
          let similar = extra.isEmpty ? [] : Names.nearest(to: key, extra)
          found.append(JSONDifference(path: place, kind: .missing(expected: wanted, similar: similar)))
        case (nil, let actual?): found.append(JSONDifference(path: place, kind: .extra(actual: actual)))
        case (nil, nil): break
        }
      }
    case (.array(let wanted), .array(let elements)):
      if wanted.count != elements.count {
        found.append(JSONDifference(path: path, kind: .lengths(expected: wanted.count, actual: elements.count)))
      }
      for (index, (wanted, element)) in zip(wanted, elements).enumerated() {
        collect(wanted, element, exactly, "\(path)[\(index)]", &found)
      }
    default:
      if expected != actual {
        found.append(JSONDifference(path: path, kind: .values(expected: expected, actual: actual)))
      }
    }
  }

  func mismatch(in subject: String) -> MatchReport.Mismatch {
    let subject = path.isEmpty ? subject : "\(subject) at \(path)"
    func elements(_ count: Int) -> String { count == 1 ? "1 element" : "\(count) elements" }
    switch kind {
    case .values(let expected, let actual):
      let note = expected.kind == actual.kind ? nil : "\(actual.kind) where \(expected.kind) should be"
      return .init(subject, expected: "\(expected)", actual: "\(actual)", note: note)
    case .missing(let expected, let similar):
      return .init(subject, expected: "\(expected)", actual: nil, note: Names.note(similar))
    case .extra(let actual): return .init(subject, expected: "none", actual: "\(actual)")
    case .lengths(let expected, let actual):
      return .init(subject, expected: elements(expected), actual: elements(actual))
    }
  }
}

extension JSONValue {
  /// What kind of value it is, in words.
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// How many values there are that hold no others.
  var leafCount: Int {
    switch self {
    case .array(let elements): max(1, elements.reduce(0) { $0 + $1.leafCount })
    case .object(let members): max(1, members.values.reduce(0) { $0 + $1.leafCount })
    default: 1
    }
  }
}

extension String {
  /// A JSON path, one step longer.
  func appending(key: String) -> String {
    let isPlain =
      !key.isEmpty
      && key.unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
      }
    return isPlain ? (isEmpty ? key : "\(self).\(key)") : "\(self)[\(key.debugDescription)]"
  }
}

/// Names of items, as reports list them where one is missing.
enum Names {
  /// The names, each once, nearest first, of equally near ones in the order of the alphabet.
  static func nearest(to name: String, _ names: some Sequence<String>) -> [String] {
    Set(names).map { (name: $0, share: TextDifference(name.lowercased(), $0.lowercased()).share) }
      .sorted { ($0.share, $0.name) < ($1.share, $1.name) }.map(\.name)
  }

  /// `there are pge, q and 3 more`; nil for none.
  static func note(_ names: [String]) -> String? {
    let shown = names.prefix(3).map(Excerpt.plain)
    guard let last = shown.last else { return nil }
    if shown.count == 1 { return "there is \(last)" }
    if names.count > shown.count {
      return "there are \(shown.joined(separator: ", ")) and \(names.count - shown.count) more"
    }
    return "there are \(shown.dropLast().joined(separator: ", ")) and \(last)"
  }
}
