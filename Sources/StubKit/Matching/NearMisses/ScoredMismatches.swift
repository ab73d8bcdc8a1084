/// How far a request is from meeting a condition, and what differs. One pass finds both.
///
/// The distance is measured in hundredths of the points that ``NearMiss`` lists. It is 0 for a request that meets the
/// condition, and for no other. What differs is in the order of the condition.
package struct ScoredMismatches {
  package private(set) var distance = 0
  package private(set) var mismatches: [RequestMatcher.Mismatch] = []
  /// A Boolean value that indicates whether the mismatches are wanted, and not just the distance.
  package let isDetailed: Bool

  /// Adds something that differs.
  package mutating func add(_ points: Int, _ mismatch: @autoclosure () -> RequestMatcher.Mismatch) {
    distance += points
    if isDetailed { mismatches.append(mismatch()) }
  }

  /// Adds what differs in the parts of one criterion, which count no more than the greatest number of points.
  package mutating func add(_ parts: ScoredMismatches, within points: ClosedRange<Int>) {
    distance += min(max(parts.distance, points.lowerBound), points.upperBound)
    mismatches += parts.mismatches
  }

  /// Adds what the nearest of several alternatives lacks.
  ///
  /// - Parameter sides: One or more alternatives, none of which is met.
  mutating func add(nearestOf sides: [ScoredMismatches]) {
    guard let nearest = sides.min(by: { $0.distance < $1.distance }) else { return }
    distance += nearest.distance
    mismatches += nearest.mismatches.prefix(1).map { $0.adding("nearest of \(sides.count) alternatives") }
    mismatches += nearest.mismatches.dropFirst()
  }
}

extension RequestMatcher {
  /// Compares the request with the condition.
  ///
  /// This runs no closure and reads no body. The facts remember the results of closures that have run, and what was not
  /// asked stays unknown.
  ///
  /// - Parameter isDetailed: Whether the mismatches are wanted, and not just the distance.
  func explainMismatch(_ facts: inout RequestFacts, isDetailed: Bool = true) -> ScoredMismatches {
    node.explainMismatch(&facts, isDetailed: isDetailed)
  }
}

extension RequestMatcher.Node {
  func explainMismatch(_ facts: inout RequestFacts, isDetailed: Bool, negated: Bool = false) -> ScoredMismatches {
    var result = ScoredMismatches(isDetailed: isDetailed)
    explainMismatch(&facts, &result, negated: negated)
    return result
  }

  private func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches, negated: Bool) {
    switch self {
    case .criterion(let criterion): criterion.explainMismatch(&facts, &result, negated: negated)
    case .closure(let closure): closure.explainMismatch(&facts, &result, negated: negated)
    case .not(let child): child.explainMismatch(&facts, &result, negated: !negated)
    // A group under a ! is the other kind of group of its negated members (De Morgan).
    case .all(let children, _) where !negated, .either(let children, _) where negated:
      for child in children { child.explainMismatch(&facts, &result, negated: negated) }
    case .all(let children, _), .either(let children, _):
      if children.isEmpty {
        return result.add(
          Points.impossible, .init("condition", expected: negated ? "no request" : text, actual: "a request"))
      }
      var sides: [ScoredMismatches] = []
      for child in children {
        let side = child.explainMismatch(&facts, isDetailed: result.isDetailed, negated: negated)
        if side.distance == 0 { return }
        sides.append(side)
      }
      result.add(nearestOf: sides)
    }
  }
}

extension Criterion {
  /// Adds what keeps the request from passing, or under a `!` from not passing. This doesn't read a body.
  func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches, negated: Bool) {
    if stages.contains(.body) && facts.bodyIsUnread {
      return result.add(
        Points.unknown,
        .init("body", expected: expectation, actual: nil, unknown: facts.missingBody?.reason ?? "not read"))
    }
    var captures = Captures()
    guard test(&facts, &captures) == negated else { return }
    if negated {
      result.add(Points.negation, mismatch(expected: opposite, actual: actual(&facts)))
    } else {
      explainMismatch(&facts, &result)
    }
  }
}

extension ClosureTest {
  fileprivate func explainMismatch(_ facts: inout RequestFacts, _ result: inout ScoredMismatches, negated: Bool) {
    let answer = facts.closureResults[ObjectIdentifier(self)]
    if answer == !negated { return }
    let subject = decoding != nil ? text : text.hasPrefix("{") ? "closure \(text)" : "closure \(text.debugDescription)"
    guard let answer else {
      return result.add(
        Points.unknown, .init(subject, expected: "\(!negated)", actual: nil, unknown: "not asked"))
    }
    guard let decoding else {
      return result.add(Points.closure, .init(subject, expected: "\(!negated)", actual: "\(answer)"))
    }
    let body = facts.request.stubBody
    result.add(
      Points.closure,
      .init(
        "body", expected: "\(negated ? "no" : "a") \(decoding.expectation)", actual: body?.excerpt,
        note: facts.codingNote ?? body.flatMap(decoding.problem)))
  }
}

/// The points of a criterion that is not met, in hundredths.
package enum Points {
  static let mistake = 1
  package static let usedUp = 1_00
  package static let unknown = 4_00
  package static let method = 10_00
  package static let state = 8_00
  package static let closure = 10_00
  package static let negation = 10_00
  package static let path = 5_00...40_00
  package static let host = 15_00...60_00
  package static let url = 5_00...60_00
  package static let origin = 15_00
  package static let item = 4_00...10_00
  package static let missingItem = 12_00
  package static let items = 24_00
  package static let body = 5_00...25_00
  package static let otherBody = 28_00
  package static let impossible = 60_00

  /// - Parameter share: 0 to 100.
  package static func scaled(_ range: ClosedRange<Int>, _ share: Int) -> Int {
    range.lowerBound + (range.upperBound - range.lowerBound) * share / 100
  }
}

extension Array {
  /// Returns the nearest elements, closest first. Equally near ones keep their order.
  func nearest(_ count: Int, _ distance: (Element) -> Int) -> [Element] {
    // Sorting is stable.
    map { (distance: distance($0), element: $0) }.sorted { $0.distance < $1.distance }.prefix(count).map(\.element)
  }
}

/// The difference between two texts, in hundredths: 0 for equal texts, and 100 for texts with nothing in common.
///
/// It is the number of bytes to insert, delete or replace (Levenshtein), as a share of the longer text, or the share of its
/// segments between slashes if that is less. The common beginning and end are skipped, and the first 64 bytes of what
/// remains are compared.
enum TextDifference {
  private static let longest = 64

  static func share(_ left: some StringProtocol, _ right: some StringProtocol) -> Int {
    share(Array(left.utf8), Array(right.utf8))
  }

  // Loops by position, because each unmatched request compares all stubs, and a debug build takes ten times as long for the
  // functions of collections.
  static func share(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let (shorter, longer) = left.count < right.count ? (left.count, right.count) : (right.count, left.count)
    var prefix = 0
    while prefix < shorter, left[prefix] == right[prefix] { prefix += 1 }
    if prefix == longer { return 0 }
    var suffix = 0
    while suffix < shorter - prefix, left[left.count - 1 - suffix] == right[right.count - 1 - suffix] { suffix += 1 }
    let (ours, theirs) = (Array(left[prefix..<left.count - suffix]), Array(right[prefix..<right.count - suffix]))
    // Of the bytes after the first ones, only the number is compared.
    let surplus = abs(max(0, ours.count - longest) - max(0, theirs.count - longest))
    let edits = Array(ours.prefix(longest)).editDistance(to: Array(theirs.prefix(longest))) + surplus
    let segments = 1 + max(slashes(ours), slashes(theirs))
    let allSegments = max(1, slashes(left), slashes(right))
    return min(100, max(1, min(edits * 100 / longer, segments * 100 / allSegments)))
  }

  private static func slashes(_ bytes: [UInt8]) -> Int {
    var (count, position) = (0, 0)
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "/") { count += 1 }
      position += 1
    }
    return count
  }
}

extension [UInt8] {
  /// The number of bytes to insert, delete or replace to turn one text into the other (Levenshtein, 1966).
  func editDistance(to other: [UInt8]) -> Int {
    var (row, i) = ([Int](0...other.count), 0)
    while i < count {
      var (diagonal, j) = (row[0], 0)
      row[0] = i + 1
      while j < other.count {
        let replaced = self[i] == other[j] ? diagonal : diagonal + 1
        diagonal = row[j + 1]
        let added = 1 + (row[j] < diagonal ? row[j] : diagonal)
        row[j + 1] = replaced < added ? replaced : added
        j += 1
      }
      i += 1
    }
    return row[other.count]
  }
}

extension RequestMatcher {
  /// A criterion that a request doesn't meet: what was expected, and what arrived.
  ///
  /// ```text
  /// path: expected /users/42, got /users/43
  /// query item page: expected "2", missing; found pge
  /// body at user.address[0].zip: expected "1010", got "1020"
  /// cart is .full, expected .empty
  /// closure "is admin": not asked
  /// ```
  public struct Mismatch: Sendable, Hashable {
    /// The part that was compared: `path`, `header Accept`, or `body at user.zip`.
    public let criterion: String
    /// The value that the condition requires, or a description of it.
    public let expected: String
    /// The value in the request, or `nil` if there is none or StubKit did not look for it. While something records, it
    /// lacks what the recording replaces.
    public let actual: String?

    /// A note that helps to see why, after a semicolon.
    let note: String?
    /// Why it isn't known whether the request meets the criterion, or `nil` if it is known that it doesn't.
    let unknown: String?
    /// A Boolean value that indicates whether this is a state of the test, and no part of the request.
    let isState: Bool

    package init(
      _ criterion: String, expected: String, actual: String?, note: String? = nil, unknown: String? = nil,
      isState: Bool = false
    ) {
      // Texts that are equal to Swift and not to a matcher differ in their scalars.
      func text(_ text: String) -> String {
        expected == actual
          ? text.unicodeScalars.map { $0.isASCII ? String($0) : $0.escaped(asASCII: true) }.joined() : text
      }
      (self.criterion, self.expected, self.actual) = (criterion, text(expected), actual.map(text))
      (self.note, self.unknown, self.isState) = (note, unknown, isState)
    }

    func adding(_ more: String) -> Mismatch {
      Mismatch(
        criterion, expected: expected, actual: actual, note: note.map { "\($0); \(more)" } ?? more, unknown: unknown)
    }
  }
}

/// Text as a report shows it: on one line, and shortened if it is too long.
package enum Excerpt {
  /// Returns the text. If it is longer than the limit, returns its beginning and its end around an ellipsis.
  package static func middle(_ text: String, _ limit: Int) -> String {
    guard text.utf8.count > limit, text.count > limit, limit > 2 else { return text }
    let tail = (limit - 1) / 3
    return "\(text.prefix(limit - 1 - tail))…\(text.suffix(tail))"
  }

  /// Returns a condition as it was written. Of one that fills more than two lines, returns the beginning.
  package static func condition(_ text: String) -> String {
    oneLine(text.count > longestCondition ? "\(text.prefix(longestCondition - 1))…" : text)
  }

  static let longestCondition = 240

  /// Returns two different texts that together have no more than a number of characters. If they are too long and
  /// begin alike, the beginning is omitted first, so that the difference stays visible.
  static func pair(_ left: String, _ right: String, _ limit: Int) -> (String, String) {
    guard left.count + right.count > limit else { return (left, right) }
    let alike = zip(left, right).prefix { $0 == $1 }.count
    func cut(_ text: String) -> String { alike > context ? "…" + text.dropFirst(alike - context) : text }
    let (left, right) = (cut(left), cut(right))
    let half = limit / 2
    return (middle(left, max(half, limit - right.count)), middle(right, max(half, limit - left.count)))
  }

  /// The number of characters of a common beginning that stay.
  private static let context = 10

  /// Returns the text as it is, or as a literal if its end would be unclear: if it is empty, or contains white space,
  /// quotes or control characters.
  package static func plain(_ text: String) -> String {
    let isUnclear = text.unicodeScalars.contains {
      $0.properties.isWhitespace || $0.value < 0x20 || $0 == "\"" || $0 == "\u{7F}"
    }
    return text.isEmpty || isUnclear ? text.debugDescription : text
  }

  /// Returns the text with escapes for everything that would break a line or control a terminal.
  package static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.breaksLines }) else { return text }
    return text.unicodeScalars.map { $0.breaksLines ? $0.escaped(asASCII: true) : String($0) }.joined()
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLines: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }
}
