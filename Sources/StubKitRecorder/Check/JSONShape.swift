import StubKit
import StubKitArchive
import StubKitFormats

/// The shape of JSON: the kinds of its values and the members of its objects, without the values.
///
/// The elements of an array have one common shape. A member that some of them lack is optional. An object in which every
/// name has a digit is a map from identifiers or dates, whose values have one common shape, too.
struct JSONShape {
  enum Kind: Int, Comparable {
    case string, number, boolean, array, object, null

    static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  private(set) var kinds: Set<Kind> = []
  private var members: [String: JSONShape] = [:]
  /// The number of objects with a member.
  private var memberCounts: [String: Int] = [:]
  private var objectCount = 0
  /// The common shape of all elements of an array, and of all values of a map. Empty if there are none.
  private var elements: [JSONShape] = []
  private var values: [JSONShape] = []

  init(_ value: JSONValue) { add(value) }

  fileprivate mutating func add(_ value: JSONValue) {
    switch value {
    case .null: kinds.insert(.null)
    case .bool: kinds.insert(.boolean)
    case .number: kinds.insert(.number)
    case .string: kinds.insert(.string)
    case .array(let values):
      kinds.insert(.array)
      elements.add(values)
    case .object(let members) where !members.isEmpty && members.keys.allSatisfy(\.hasDigit):
      kinds.insert(.object)
      values.add(Array(members.values))
    case .object(let values):
      kinds.insert(.object)
      objectCount += 1
      for (name, value) in values {
        memberCounts[name, default: 0] += 1
        if members[name] == nil { members[name] = JSONShape(value) } else { members[name]?.add(value) }
      }
    }
  }

  /// Returns how another value differs from this one, each difference with its path: `$.items[].email: was a string, is
  /// missing`.
  func differences(to other: JSONShape, at path: String = "$") -> [String] {
    let before = kinds.subtracting([.null])
    let after = other.kinds.subtracting([.null])
    // Of a value that was always null, nothing is known.
    guard !before.isEmpty else { return [] }
    let isNewlyNull = other.kinds.contains(.null) && !kinds.contains(.null)
    guard after.isSubset(of: before), !isNewlyNull else {
      return ["\(path): was \(kinds.names), is \(other.kinds.names)"]
    }
    var differences: [String] = []
    if after.contains(.object) { differences += memberDifferences(to: other, at: path) }
    for (own, others, step) in [(elements, other.elements, "[]"), (values, other.values, ".*")] {
      if let own = own.first, let others = others.first { differences += own.differences(to: others, at: path + step) }
    }
    return differences
  }

  private func memberDifferences(to other: JSONShape, at path: String) -> [String] {
    Set(members.keys).union(other.members.keys).sorted().flatMap { name -> [String] in
      let place = path + name.asMember
      switch (members[name], other.members[name]) {
      case (let own?, nil):
        return isOptional(name) ? [] : ["\(place): was \(own.kinds.names), is missing"]
      case (nil, let new?):
        return ["\(place): was missing, is \(new.kinds.names)"]
      case (let own?, let new?):
        if other.isMissingSometimes(name) && !isOptional(name) {
          return ["\(place): was \(own.kinds.names), is sometimes missing"]
        }
        return own.differences(to: new, at: place)
      case (nil, nil): return []
      }
    }
  }

  /// Whether a member is missing or null in some of the objects.
  private func isOptional(_ name: String) -> Bool {
    isMissingSometimes(name) || members[name]?.kinds.contains(.null) == true
  }

  private func isMissingSometimes(_ name: String) -> Bool { memberCounts[name, default: 0] < objectCount }
}

extension [JSONShape] {
  fileprivate mutating func add(_ values: [JSONValue]) {
    for value in values { if isEmpty { self = [JSONShape(value)] } else { self[0].add(value) } }
  }
}

extension Set<JSONShape.Kind> {
  /// The kinds in words, such as `a string or null`.
  fileprivate var names: String {
    sorted().map { kind in
      switch kind {
      case .null: "null"
      case .array, .object: "an \(kind)"
      case .string, .number, .boolean: "a \(kind)"
      }
    }.joined(separator: " or ")
  }
}

extension String {
  fileprivate var hasDigit: Bool { utf8.contains { 0x30...0x39 ~= $0 } }

  /// The text as a step of a path: `.email`, or `["e mail"]` for a name that isn't a word.
  fileprivate var asMember: String {
    let isWord =
      !isEmpty && utf8.first.map { !(0x30...0x39 ~= $0) } == true
      && unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "-" || $0 == "$" || $0.properties.isAlphabetic || "0"..."9" ~= $0
      }
    return isWord ? "." + self : "[\(debugDescription)]"
  }
}
