import Foundation

/// What faults make of the bytes of a text.
extension Data {
  /// A Boolean value that indicates whether this is UTF-8.
  var isText: Bool { String(data: self, encoding: .utf8) != nil }

  /// The text up to a part of a character of several bytes: its own first one, or one after the first half.
  var cutWithinCharacter: Data {
    if let lead = firstIndex(where: { $0 >= 0xC0 }) { return Data(self[...lead]) }
    return Data(prefix(count / 2)) + [0xC3]
  }

  /// The first half of JSON, or `nil` if that is JSON too, or nothing.
  var cutWithinJSON: Data? {
    guard isJSON else { return nil }
    let middle = startIndex + count / 2
    // A byte that doesn't continue a character.
    guard let end = self[...middle].lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return nil }
    let half = Data(self[..<end])
    return half.isEmpty || half.isJSON ? nil : half
  }

  /// The JSON with a number that no `Double` holds, in place of its first one.
  var withTooLargeNumber: Data? {
    withMark { if case .number = $0 { .string(Self.mark) } else { nil } }?
      .replacing(Array("\"\(Self.mark)\"".utf8), with: Array("1e400".utf8))
  }

  /// The text with a byte that UTF-8 never has: within the first text of JSON, or in the middle.
  var withInvalidUTF8: Data {
    withMark { if case .string(let text) = $0 { .string(text + Self.mark) } else { nil } }?
      .replacing(Array(Self.mark.utf8), with: [0xFF])
      ?? Data(prefix(count / 2)) + [0xFF] + Data(dropFirst(count / 2))
  }

  private var isJSON: Bool { (try? StubJSON(parsing: self)) != nil }

  /// A text that no body has, to find a place in JSON again.
  private static let mark = "\u{E000}a place of StubKit's\u{E000}"

  private func withMark(_ change: (StubJSON) -> StubJSON?) -> Data? {
    try? StubJSON(parsing: self).changingFirst(change)?.data
  }

  /// Returns the bytes with one sequence of them in place of another one that occurs once.
  private func replacing(_ old: [UInt8], with new: [UInt8]) -> Data {
    guard let range = range(of: Data(old)) else { return self }
    var copy = self
    copy.replaceSubrange(range, with: new)
    return copy
  }
}

/// What faults make of a value in JSON.
extension StubJSON {
  var isObject: Bool { if case .object = self { true } else { false } }

  /// The object without its first member, or `nil` if it has none.
  var withoutMember: StubJSON? {
    guard case .object(var members) = self, let first = members.keys.min() else { return nil }
    members[first] = nil
    return .object(members)
  }

  /// The object with a member that nobody expects.
  var withUnknownMember: StubJSON? {
    guard case .object(var members) = self else { return nil }
    var name = "unknown"
    while members[name] != nil { name += "_" }
    members[name] = "member"
    return .object(members)
  }

  /// Returns the value with its first part that a closure changes, changed: the value itself, or else one in it.
  /// Returns `nil` if the closure changes none. The members of an object are in the order of their keys.
  func changingFirst(_ change: (StubJSON) -> StubJSON?) -> StubJSON? {
    if let changed = change(self) { return changed }
    switch self {
    case .array(var elements):
      for index in elements.indices {
        guard let changed = elements[index].changingFirst(change) else { continue }
        elements[index] = changed
        return .array(elements)
      }
    case .object(var members):
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        guard let changed = value.changingFirst(change) else { continue }
        members[key] = changed
        return .object(members)
      }
    case .null, .bool, .number, .string: break
    }
    return nil
  }
}
