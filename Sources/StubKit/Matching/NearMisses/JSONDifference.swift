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
    var search = Search(exactly: exactly, most: 100, findsSimilarKeys: true)
    search.compare(expected, actual, path)
    return search.found
  }

  /// In how many places they differ.
  static func count(_ expected: JSONValue, _ actual: JSONValue, exactly: Bool) -> Int {
    var search = Search(exactly: exactly, most: .max, findsSimilarKeys: false)
    search.compare(expected, actual, "")
    return search.found.count
  }

  private struct Search {
    let exactly: Bool
    let most: Int
    let findsSimilarKeys: Bool
    var found: [JSONDifference] = []

    mutating func compare(_ expected: JSONValue, _ actual: JSONValue, _ path: String) {
      guard found.count < most else { return }
      switch (expected, actual) {
      case (.object(let wanted), .object(let members)): compare(wanted, members, path)
      case (.array(let wanted), .array(let elements)):
        if wanted.count != elements.count { add(.lengths(expected: wanted.count, actual: elements.count), at: path) }
        for (index, (wanted, element)) in zip(wanted, elements).enumerated() {
          compare(wanted, element, "\(path)[\(index)]")
        }
      default:
        if expected != actual { add(.values(expected: expected, actual: actual), at: path) }
      }
    }

    private mutating func compare(_ wanted: [String: JSONValue], _ members: [String: JSONValue], _ path: String) {
      let extra = members.keys.filter { wanted[$0] == nil }.sorted()
      for key in (exactly ? wanted.keys + extra : Array(wanted.keys)).sorted() {
        guard found.count < most else { return }
        let place = path.appending(key: key)
        switch (wanted[key], members[key]) {
        case (let wanted?, let actual?): compare(wanted, actual, place)
        case (let wanted?, nil): add(.missing(expected: wanted, similar: similar(to: key, extra)), at: place)
        case (nil, let actual?): add(.extra(actual: actual), at: place)
        case (nil, nil): break
        }
      }
    }

    private mutating func add(_ kind: Kind, at path: String) { found.append(JSONDifference(path: path, kind: kind)) }

    /// Of very many keys the first of the alphabet: to look for the nearest would take longer than it is worth.
    private func similar(to key: String, _ extra: [String]) -> [String] {
      guard findsSimilarKeys, !extra.isEmpty else { return [] }
      return extra.count > 64 ? extra : Names.nearest(to: key, extra)
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
