import StubKitFormats

/// A place where two JSON values differ.
package struct JSONDifference: Equatable {
  package enum Kind: Equatable {
    /// The values differ, and neither contains other values.
    case values(expected: JSONValue, actual: JSONValue)
    /// The key is missing. `similar` contains the nearest of the existing keys.
    case missing(expected: JSONValue, similar: [String])
    /// The key was not expected.
    case extra(actual: JSONValue)
    case lengths(expected: Int, actual: Int)
  }

  /// The path as `hasJSON(at:equals:)` takes it. Empty for the root.
  package let path: String
  package let kind: Kind

  /// Returns the number of places where they differ, and the first hundred of them, in the order of keys and indices.
  ///
  /// - Parameters:
  ///   - exactly: Whether an unexpected key is a difference.
  ///   - path: Where the values are, or `nil` if only the number of places is wanted.
  ///   - isMet: Returns whether an expected value is met by another one, or `nil` to compare the two.
  package static func all(
    _ expected: JSONValue, _ actual: JSONValue, exactly: Bool, at path: String? = "",
    isMet: JSONValue.Comparison = { _, _ in nil }
  ) -> (count: Int, first: [JSONDifference]) {
    withoutActuallyEscaping(isMet) { isMet in
      var search = Search(exactly: exactly, isMet: isMet, isCounting: path == nil)
      search.run(expected, actual, path ?? "")
      return (search.count, search.found)
    }
  }

  private struct Search {
    let exactly: Bool
    let isMet: JSONValue.Comparison
    let isCounting: Bool
    var found: [JSONDifference] = []
    var count = 0

    mutating func run(_ expected: JSONValue, _ actual: JSONValue, _ path: String) {
      switch (expected, actual) {
      case (.object(let wanted), .object(let members)): compare(wanted, members, path)
      case (.array(let wanted), .array(let elements)): compare(wanted, elements, path)
      default:
        if !(isMet(expected, actual) ?? (expected == actual)) {
          add(.values(expected: expected, actual: actual), at: path)
        }
      }
    }

    private mutating func compare(_ wanted: [JSONValue], _ elements: [JSONValue], _ path: String) {
      if wanted.count != elements.count { add(.lengths(expected: wanted.count, actual: elements.count), at: path) }
      for (index, (wanted, element)) in zip(wanted, elements).enumerated()
      where wanted.isContainer || element.isContainer || wanted != element {
        run(wanted, element, isCounting ? "" : "\(path)[\(index)]")
      }
    }

    private mutating func compare(_ wanted: [String: JSONValue], _ members: [String: JSONValue], _ path: String) {
      let extra = members.keys.filter { wanted[$0] == nil }
      let names = isCounting ? nil : Names(extra)
      for key in (exactly ? wanted.keys + extra : Array(wanted.keys)).sorted() {
        let place = isCounting ? "" : path.appending(key: key)
        switch (wanted[key], members[key]) {
        case (let expected?, let actual?): run(expected, actual, place)
        case (let expected?, nil):
          let similar = found.count < 100 ? names?.nearest(to: key) : nil
          add(.missing(expected: expected, similar: similar ?? []), at: place)
        case (nil, let actual?): add(.extra(actual: actual), at: place)
        case (nil, nil): break
        }
      }
    }

    private mutating func add(_ kind: Kind, at path: String) {
      count += 1
      if !isCounting, found.count < 100 { found.append(JSONDifference(path: path, kind: kind)) }
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
  /// The kind of the value, in words.
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
}

extension String {
  /// Returns the JSON path extended by a key.
  func appending(key: String) -> String {
    let isPlain =
      !key.isEmpty
      && key.unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
      }
    return isPlain ? (isEmpty ? key : "\(self).\(key)") : "\(self)[\(key.debugDescription)]"
  }
}

/// The names of items, as reports list them if one is missing.
struct Names {
  /// Each name once, in alphabetical order.
  private let names: [String]

  init(_ names: some Sequence<String>) { self.names = Set(names).sorted() }

  /// Returns the names, nearest first, and equally near ones in alphabetical order. Very many names are all in
  /// alphabetical order, because searching for the nearest would take too long.
  func nearest(to name: String) -> [String] {
    if names.count > Self.mostCompared { return names }
    let wanted = name.lowercased()
    return names.map { (name: $0, share: TextDifference(wanted, $0.lowercased()).share) }
      .sorted { ($0.share, $0.name) < ($1.share, $1.name) }.map(\.name)
  }

  private static let mostCompared = 64

  /// Returns a note such as `there are pge, q and 3 more`, or `nil` for no names.
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
