import StubKitFormats

extension JSONValue {
  /// Returns whether two values are equal.
  public static func == (left: JSONValue, right: JSONValue) -> Bool { left.meets(right, exactly: true) }

  /// Values deeper than a few levels don't count, because a hash doesn't have to distinguish all values.
  public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 16) }

  private func hash(into hasher: inout Hasher, levels: Int) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let number): hasher.combine(number)
    case .string(let text): hasher.combine(text)
    case .array(let elements):
      hasher.combine(elements.count)
      guard levels > 0 else { return }
      for element in elements { element.hash(into: &hasher, levels: levels - 1) }
    case .object(let members):
      hasher.combine(members.count)
      guard levels > 0 else { return }
      // The hashes of the members are added, because members have no order.
      var sum = 0
      for (key, member) in members {
        var memberHasher = Hasher()
        memberHasher.combine(key)
        member.hash(into: &memberHasher, levels: levels - 1)
        sum &+= memberHasher.finalize()
      }
      hasher.combine(sum)
    }
  }

  /// Returns whether this value contains everything in `part`: an object contains the keys of the part, at every
  /// depth. An array must have the same number of elements, and each element must contain the part's element.
  /// Everything else must be equal.
  func contains(_ part: JSONValue) -> Bool { meets(part, exactly: false) }

  /// Returns whether a wanted value is met by an actual one, or `nil` to compare the two.
  package typealias Comparison = (_ wanted: JSONValue, _ actual: JSONValue) -> Bool?

  /// - Parameters:
  ///   - exactly: Whether an object must not have other keys than the expected ones.
  ///   - isMet: Returns whether a wanted value is met by another one, or `nil` to compare the two.
  package func meets(_ wanted: JSONValue, exactly: Bool, isMet: JSONValue.Comparison? = nil) -> Bool {
    if let isMet, let result = isMet(wanted, self) { return result }
    switch (self, wanted) {
    case (.null, .null): return true
    case (.bool(let value), .bool(let wanted)): return value == wanted
    case (.number(let value), .number(let wanted)): return value == wanted
    case (.string(let value), .string(let wanted)): return value == wanted
    case (.array(let elements), .array(let others)):
      guard elements.count == others.count else { return false }
      for (element, other) in zip(elements, others) {
        guard element.meets(other, exactly: exactly, isMet: isMet) else { return false }
      }
      return true
    case (.object(let members), .object(let others)):
      guard exactly ? members.count == others.count : members.count >= others.count else { return false }
      for (key, other) in others {
        guard let member = members[key], member.meets(other, exactly: exactly, isMet: isMet) else { return false }
      }
      return true
    default: return false
    }
  }
}
