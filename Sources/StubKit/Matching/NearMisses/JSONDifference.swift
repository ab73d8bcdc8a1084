import Foundation

/// The places where two JSON values differ.
struct JSONDifference {
  /// The number of places.
  private(set) var count = 0
  /// How much differs, in hundredths of a wanted value. Another value in its place is a fifth of one that is missing.
  private(set) var weight = 0
  /// The first hundred places, in the order of keys and indices.
  private(set) var mismatches: [RequestMatcher.Mismatch] = []

  private let exactly: Bool
  private let isMet: StubJSON.Comparison

  /// Compares two values.
  ///
  /// - Parameters:
  ///   - exactly: Whether an unexpected key is a difference.
  ///   - path: Where the values are in the body, or `nil` if only the number of places is wanted.
  ///   - isMet: Returns whether an expected value is met by another one, or `nil` to compare the two.
  init(
    _ expected: StubJSON, _ actual: StubJSON, exactly: Bool, at path: String? = "",
    isMet: @escaping StubJSON.Comparison = { _, _ in nil }
  ) {
    self.exactly = exactly
    self.isMet = isMet
    compare(expected, actual, path)
  }

  private mutating func compare(_ expected: StubJSON, _ actual: StubJSON, _ path: String?) {
    switch (expected, actual) {
    case (.object(let wanted), .object(let members)): compare(wanted, members, path)
    case (.array(let wanted), .array(let elements)): compare(wanted, elements, path)
    default:
      if isMet(expected, actual) ?? (expected == actual) { return }
      let kinds = expected.kind == actual.kind ? nil : "\(actual.kind) where \(expected.kind) should be"
      let date = actual.isDate(encodedAs: expected) ? "for a Date, write hasJSONBody(as:decoder:)" : nil
      let notes = [kinds, date].compactMap { $0 }
      let isInPlace = !expected.isContainer && !actual.isContainer
      weight += isInPlace ? 20 : 100 * max(1, expected.leafCount)
      add(path, "\(expected)", "\(actual)", note: notes.isEmpty ? nil : notes.joined(separator: "; "))
    }
  }

  private mutating func compare(_ wanted: [StubJSON], _ elements: [StubJSON], _ path: String?) {
    func text(_ count: Int) -> String { count == 1 ? "1 element" : "\(count) elements" }
    if wanted.count != elements.count {
      weight += 100 * abs(wanted.count - elements.count)
      add(path, text(wanted.count), text(elements.count))
    }
    for (index, (wanted, element)) in zip(wanted, elements).enumerated()
    where wanted.isContainer || element.isContainer || wanted != element {
      compare(wanted, element, path.map { "\($0)[\(index)]" })
    }
  }

  private mutating func compare(_ wanted: [String: StubJSON], _ members: [String: StubJSON], _ path: String?) {
    let extra = members.keys.filter { wanted.value(of: $0) == nil }
    let names = path == nil ? nil : Names(extra)
    for key in (exactly ? wanted.keys + extra : Array(wanted.keys)).sorted() {
      let place = path?.appending(key: key)
      switch (wanted.value(of: key), members.value(of: key)) {
      case (let expected?, let actual?): compare(expected, actual, place)
      case (let expected?, nil):
        weight += 100 * max(1, expected.leafCount)
        add(place, "\(expected)", nil, note: names?.note(nearestTo: key))
      case (nil, let actual):
        weight += 100
        add(place, "none", actual.map { "\($0)" })
      }
    }
  }

  private mutating func add(
    _ path: String?, _ expected: @autoclosure () -> String, _ actual: @autoclosure () -> String?,
    note: @autoclosure () -> String? = nil
  ) {
    count += 1
    guard let path, mismatches.count < 100 else { return }
    let subject = path.isEmpty ? "body" : "body at \(path)"
    mismatches.append(.init(subject, expected: expected(), actual: actual(), note: note()))
  }
}

extension StubJSON {
  /// Returns whether this can be the date that `JSONEncoder` writes as a number by default, in another form: as a text
  /// (ISO 8601), or as the seconds or milliseconds since 1970.
  fileprivate func isDate(encodedAs number: StubJSON) -> Bool {
    guard case .number(let seconds) = number else { return false }
    let since1970 = seconds.doubleValue + Date.timeIntervalBetween1970AndReferenceDate
    return switch self {
    case .string(let text): text.prefixMatch(of: #/\d{4}-\d{2}-\d{2}T\d{2}:/#) != nil
    case .number(let other): other.doubleValue == since1970 || other.doubleValue == since1970 * 1_000
    default: false
    }
  }

  /// The kind of the value, in words.
  package var kind: String {
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
