/// The number of calls that ``verify(_:called:in:at:fileID:filePath:line:column:)`` expects.
///
/// ```swift
/// try verify(isPath("/login"), called: .once)
/// try verify(isPath("/items"), called: 3)
/// try verify(isPath("/pages"), called: .between(2...4))
/// try verify(isPath("/ads"), called: .never)
/// ```
///
/// Counts are values. Two counts that allow the same numbers of calls are equal, such as `.never` and `.exactly(0)`.
public struct CallCount: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  let least: Int
  /// The largest number of calls, or `nil` for no limit.
  let most: Int?

  private init(_ least: Int, _ most: Int?) { (self.least, self.most) = (least, most) }

  /// Exactly this number of calls.
  public static func exactly(_ count: Int) -> CallCount { CallCount(count, count) }
  /// This number of calls or more.
  public static func atLeast(_ count: Int) -> CallCount { CallCount(count, nil) }
  /// This number of calls or fewer, including none.
  public static func atMost(_ count: Int) -> CallCount { CallCount(0, count) }
  /// No call.
  public static let never = CallCount.exactly(0)
  /// Exactly one call.
  public static let once = CallCount.exactly(1)
  /// Exactly two calls.
  public static let twice = CallCount.exactly(2)
  /// A number of calls in a range.
  ///
  /// ```swift
  /// stub(.get, "/jobs/7", response: .ok, calls: .between(2...4))
  /// ```
  public static func between(_ range: ClosedRange<Int>) -> CallCount { CallCount(range.lowerBound, range.upperBound) }

  /// Exactly this number of calls.
  public init(integerLiteral count: Int) { self = .exactly(count) }

  /// Returns whether a number of calls is expected. A count below zero expects none.
  package func contains(_ count: Int) -> Bool { mistake == nil && count >= least && count <= most ?? .max }

  /// What is wrong with a count that no number of calls meets, or every one, or `nil`.
  var mistake: String? {
    let number = least < 0 ? least : most ?? least
    if number < 0 { return "\(number) is not a valid number of calls. Write 0 or more." }
    guard least == 0, most == nil else { return nil }
    return ".atLeast(0) allows every number of calls, so nothing is checked. Write .never for no call, or leave it out."
  }

  /// The count in words: `exactly 1 call`, `at least 2 calls`, `no call`.
  public var description: String {
    switch (least, most) {
    case (0, 0): "no call"
    case (_, least): "exactly \(least.calls)"
    case (0, let most?): "at most \(most.calls)"
    case (_, let most?): "\(least) to \(most.calls)"
    default: "at least \(least.calls)"
    }
  }
}

extension Int {
  /// A number of calls in words.
  var calls: String { self == 1 ? "1 call" : "\(self) calls" }
  /// A number of requests in words.
  package var requests: String { self == 1 ? "1 request" : "\(self) requests" }
  /// How many requests were made, in words.
  var requestsMade: String { "\(requests) \(self == 1 ? "was" : "were") made" }
}
