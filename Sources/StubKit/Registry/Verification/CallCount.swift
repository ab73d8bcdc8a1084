/// How often something is to have been called: what ``verify(_:called:in:fileID:filePath:line:column:)`` compares with.
///
/// ```swift
/// try verify(isPath("/login"), called: .once)
/// try verify(isPath("/items"), called: 3)
/// try verify(isPath("/ads"), called: .never)
/// ```
///
/// Counts are values: those that allow the same numbers of calls are equal, as `.never` and `.exactly(0)` are.
public struct CallCount: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  let least: Int
  /// Nil for no limit.
  let most: Int?

  private init(_ least: Int, _ most: Int?) {
    require(least >= 0 && (most ?? 0) >= 0, "A number of calls is at least 0, and \(most ?? least) is not.")
    self.least = least
    self.most = most
  }

  /// That often, no more and no less.
  public static func exactly(_ count: Int) -> CallCount { CallCount(count, count) }
  /// That often, or more often.
  public static func atLeast(_ count: Int) -> CallCount { CallCount(count, nil) }
  /// That often, or less often, or not at all.
  public static func atMost(_ count: Int) -> CallCount { CallCount(0, count) }
  /// Not at all.
  public static let never = CallCount.exactly(0)
  /// One time, no more and no less.
  public static let once = CallCount.exactly(1)

  /// That often, no more and no less.
  public init(integerLiteral count: Int) { self = .exactly(count) }

  /// Whether that many calls are what was asked for.
  public func contains(_ count: Int) -> Bool { count >= least && count <= most ?? .max }

  /// In words: `exactly 1 call`, `at least 2 calls`, `no call`.
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
  /// As a number of calls in words.
  var calls: String { self == 1 ? "1 call" : "\(self) calls" }
  /// As a number of requests in words.
  var requests: String { self == 1 ? "1 request" : "\(self) requests" }
}
