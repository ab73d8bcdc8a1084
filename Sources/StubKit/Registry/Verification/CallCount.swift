/// The number of calls that ``verify(_:called:in:fileID:filePath:line:column:)`` expects.
///
/// ```swift
/// try verify(isPath("/login"), called: .once)
/// try verify(isPath("/items"), called: 3)
/// try verify(isPath("/pages"), called: 2...4)
/// try verify(isPath("/ads"), called: .never)
/// ```
///
/// Counts are values. Two counts that allow the same numbers of calls are equal, such as `.never` and `.exactly(0)`.
public struct CallCount: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  let least: Int
  /// The largest number of calls, or `nil` for no limit.
  let most: Int?

  /// Whether it is a range whose end comes before its beginning.
  private let isEmpty: Bool

  private init(_ least: Int, _ most: Int?, isEmpty: Bool = false) {
    self.least = least
    self.most = most
    self.isEmpty = isEmpty
  }

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

  // Disfavored, because `let range = 1...3` would be a count otherwise.

  /// From one number of calls to another one, both included: `2...4`.
  @_disfavoredOverload
  public static func ... (least: CallCount, most: CallCount) -> CallCount {
    CallCount(least.least, most.most, isEmpty: most.most.map { $0 < least.least } ?? false)
  }
  /// From a number of calls to another one, without that: `2..<5`.
  @_disfavoredOverload
  public static func ..< (least: CallCount, end: CallCount) -> CallCount {
    CallCount(least.least, end.most.map { $0 - 1 }, isEmpty: end.most.map { $0 <= least.least } ?? false)
  }
  /// This number of calls or more: `2...`.
  @_disfavoredOverload
  public static postfix func ... (least: CallCount) -> CallCount { CallCount(least.least, nil) }
  /// This number of calls or fewer, including none: `...4`.
  @_disfavoredOverload
  public static prefix func ... (most: CallCount) -> CallCount { CallCount(0, most.most) }
  /// Fewer than this number of calls: `..<5`.
  @_disfavoredOverload
  public static prefix func ..< (end: CallCount) -> CallCount { CallCount(0, end.most.map { $0 - 1 }) }

  /// Exactly this number of calls.
  public init(integerLiteral count: Int) { self = .exactly(count) }

  /// Returns whether a number of calls is expected. A count below zero expects none.
  public func contains(_ count: Int) -> Bool { mistake == nil && count >= least && count <= most ?? .max }

  /// What is wrong with a count that no number of calls meets, or every one, or `nil`.
  var mistake: String? {
    let number = least < 0 ? least : most ?? least
    if number < 0 { return "\(number) is not a valid number of calls. Write 0 or more." }
    if isEmpty { return "A range of calls begins with its smaller number, as in 2...4." }
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
