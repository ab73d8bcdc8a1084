import StubKit

/// The shape of JSON: the kinds of the values at each path, without the values.
///
/// The elements of an array have one path. So have the values of an object in which every name has a digit, which is a
/// map from identifiers or dates. Values at one path have one common shape.
struct JSONShape {
  /// The kinds in words, such as `a string`.
  private var kinds: Set<String>
  /// The shapes one step further on: `.email` for a member, `[]` for elements, and `.*` for the values of maps.
  private var parts: [String: JSONShape]

  init(_ value: StubJSON) { self.init(of: [value]) }

  private init(of values: [StubJSON]) {
    kinds = Set(values.map(\.kind))
    var (next, recordCount) = ([String: [StubJSON]](), 0)
    for value in values {
      switch value {
      case .array(let elements): next["[]", default: []] += elements
      case .object(let members)
      where !members.isEmpty && members.keys.allSatisfy({ $0.utf8.contains(where: \.isDigit) }):
        next[".*", default: []] += members.values
      case .object(let members):
        recordCount += 1
        for (name, value) in members { next[name.asMember, default: []].append(value) }
      default: break
      }
    }
    parts = next.mapValues { JSONShape(of: $0) }
    for (step, values) in next where !step.isElement && values.count < recordCount {
      parts[step]?.kinds.insert("missing")
    }
  }

  /// What a value that can be anything else is somewhere, too.
  private static let absent: Set = ["null", "missing"]
  private var isOptional: Bool { !kinds.isDisjoint(with: Self.absent) }

  /// Returns how another value differs from this one, each difference with its path: `$.items[].email: was a string, is
  /// missing`.
  func differences(to other: JSONShape, at path: String = "$") -> [String] {
    let before = kinds.subtracting(Self.absent)
    // Of a value that was always null, nothing is known.
    guard !before.isEmpty else { return [] }
    guard other.kinds.subtracting(Self.absent).isSubset(of: before), isOptional || !other.isOptional else {
      let now = isOptional ? other.kinds.subtracting(["missing"]) : other.kinds
      return ["\(path): was \(Self.names(kinds.subtracting(["missing"]))), is \(Self.names(now))"]
    }
    return Set(parts.keys).union(other.parts.keys).sorted().flatMap { step in
      let (own, new) = (parts[step], other.parts[step])
      if let own, let new { return own.differences(to: new, at: path + step) }
      // An array without elements says nothing of them, and one kind of value has no members of another.
      guard !step.isElement, own?.isOptional != true, other.kinds.contains("an object") else { return [] }
      return ["\(path + step): was \(Self.names(own?.kinds)), is \(Self.names(new?.kinds))"]
    }
  }

  /// The kinds in an order that reads well, such as `a string or null`.
  private static func names(_ kinds: Set<String>?) -> String {
    ["a string", "a number", "a boolean", "an array", "an object", "null", "missing"]
      .filter((kinds ?? ["missing"]).contains).joined(separator: " or ")
  }
}

extension String {
  fileprivate var isElement: Bool { self == "[]" || self == ".*" }

  /// The text as a step of a path: `.email`, or `["e mail"]` for a name that isn't a word.
  fileprivate var asMember: String {
    let isWord = unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "_-$0123456789".unicodeScalars.contains($0) }
    return isWord && utf8.first?.isDigit == false ? "." + self : "[\(debugDescription)]"
  }
}
