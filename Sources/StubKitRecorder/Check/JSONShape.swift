import StubKit
import StubKitArchive

/// The shape of JSON: the kinds of the values at each path, without the values.
///
/// The elements of an array have one path. So have the values of an object in which every name has a digit, which is a
/// map from identifiers or dates. Values at one path have one common shape.
struct JSONShape {
  fileprivate enum Kind: Int, Comparable {
    case string, number, boolean, array, object, null, missing

    static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  private var kinds: Set<Kind>
  /// The shapes one step further on: `.email` for a member, `[]` for elements, and `.*` for the values of maps.
  private var parts: [String: JSONShape]

  init(_ value: JSONValue) { self.init(of: [value]) }

  private init(of values: [JSONValue]) {
    kinds = Set(values.map(\.kind))
    let objects = values.compactMap { value -> [String: JSONValue]? in
      if case .object(let members) = value { members } else { nil }
    }
    var next: [String: [JSONValue]] = [
      "[]": values.flatMap { value -> [JSONValue] in if case .array(let elements) = value { elements } else { [] } },
      ".*": objects.filter(\.isMap).flatMap(\.values),
    ].filter { !$0.value.isEmpty }
    let records = objects.filter { !$0.isMap }
    for record in records { for (name, value) in record { next[name.asMember, default: []].append(value) } }
    parts = next.mapValues { JSONShape(of: $0) }
    for (step, values) in next where !step.isElement && values.count < records.count {
      parts[step]?.kinds.insert(.missing)
    }
  }

  /// A value that is null or missing somewhere can be either everywhere.
  private var isOptional: Bool { !kinds.isDisjoint(with: [.null, .missing]) }

  /// Returns how another value differs from this one, each difference with its path: `$.items[].email: was a string, is
  /// missing`.
  func differences(to other: JSONShape, at path: String = "$") -> [String] {
    let before = kinds.subtracting([.null, .missing])
    // Of a value that was always null, nothing is known.
    guard !before.isEmpty else { return [] }
    guard other.kinds.subtracting([.null, .missing]).isSubset(of: before), isOptional || !other.isOptional else {
      let now = isOptional ? other.kinds.subtracting([.missing]) : other.kinds
      return ["\(path): was \(Self.names(kinds.subtracting([.missing]))), is \(Self.names(now))"]
    }
    return Set(parts.keys).union(other.parts.keys).sorted().flatMap { step in
      let (own, new) = (parts[step], other.parts[step])
      if let own, let new { return own.differences(to: new, at: path + step) }
      // An array without elements says nothing of them, and one kind of value has no members of another.
      guard !step.isElement, own?.isOptional != true, other.kinds.contains(.object) else { return [] }
      return [
        "\(path + step): was \(Self.names(own?.kinds ?? [.missing])), is \(Self.names(new?.kinds ?? [.missing]))"
      ]
    }
  }

  /// The kinds in words, such as `a string or null`.
  private static func names(_ kinds: Set<Kind>) -> String {
    kinds.sorted().map { kind in
      switch kind {
      case .null, .missing: "\(kind)"
      case .array, .object: "an \(kind)"
      case .string, .number, .boolean: "a \(kind)"
      }
    }.joined(separator: " or ")
  }
}

extension JSONValue {
  fileprivate var kind: JSONShape.Kind {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

extension [String: JSONValue] {
  fileprivate var isMap: Bool { !isEmpty && keys.allSatisfy { $0.utf8.contains(where: \.isDigit) } }
}

extension String {
  fileprivate var isElement: Bool { self == "[]" || self == ".*" }

  /// The text as a step of a path: `.email`, or `["e mail"]` for a name that isn't a word.
  fileprivate var asMember: String {
    let isWord =
      utf8.first?.isDigit == false
      && unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "-" || $0 == "$" || $0.properties.isAlphabetic || "0"..."9" ~= $0
      }
    return isWord ? "." + self : "[\(debugDescription)]"
  }
}
