/// The number of calls that ``verify(_:called:in:fileID:filePath:line:column:)`` expects.
///
/// ```swift
/// try verify(isPath("/login"), called: .once)
/// try verify(isPath("/items"), called: 3)
/// try verify(isPath("/ads"), called: .never)
/// ```
///
/// Counts are values. Two counts that allow the same numbers of calls are equal, such as `.never` and `.exactly(0)`.
public struct CallCount: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  let least: Int
  /// The largest number of calls, or `nil` for no limit.
  let most: Int?

  private init(_ least: Int, _ most: Int?) {
    self.least = least
    self.most = most
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

  /// Exactly this number of calls.
  public init(integerLiteral count: Int) { self = .exactly(count) }

  /// Returns whether a number of calls is expected. A count below zero expects none.
  public func contains(_ count: Int) -> Bool { mistake == nil && count >= least && count <= most ?? .max }

  /// What is wrong with a count below zero, or `nil`.
  var mistake: String? {
    let number = least < 0 ? least : most ?? least
    return number < 0 ? "\(number) is not a valid number of calls. Write 0 or more." : nil
  }

  /// The count in words: `exactly 1 call`, `at least 2 calls`, `no call`.
  public var description: String {
    switch (least, most) {
    case (0, 0): "no call"
    case (_, least): "exactly \(least.calls)"
    case (_, let most?): "at most \(most.calls)"
    default: "at least \(least.calls)"
    }
  }
}

extension Int {
  /// A number of calls in words.
  var calls: String { self == 1 ? "1 call" : "\(self) calls" }
  /// A number of requests in words.
  package var requests: String { self == 1 ? "1 request" : "\(self) requests" }
}
