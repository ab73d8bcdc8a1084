import Foundation

/// Verifies how many requests met a condition, whichever stub answered them, if any.
///
/// ```swift
/// try await client.signIn()
/// try verify(
///   isMethodPOST() && isPath("/login") && hasJSON(at: "user", equals: "ann"))
/// try verify(isPath("/ads"), called: .never)
/// ```
///
/// Each request of a chain of redirects counts by itself. The requests are those of the journal, so requests from
/// before it was cleared don't count. If the verification would need requests that the journal's limit has dropped,
/// it fails and says so. Closures in the condition run once for each request.
///
/// - Parameters:
///   - condition: The condition that a request must meet.
///   - count: The expected number of requests. Defaults to at least one.
///   - registry: The registry that received them. Defaults to ``StubRegistry/current``.
///   - fileID: The source file of the verification, for its error. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the verification.
///   - column: The column of the verification.
/// - Throws: ``VerificationError``, which lists the requests that arrived, nearest first.
public func verify(
  _ condition: RequestMatcher, called count: CallCount = .atLeast(1), in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  let error = VerificationError(
    ofCallsTo: condition, count, in: registry, by: "verify(\(condition))",
    at: StubLocation(fileID, filePath, line, column))
  if let error { throw error }
}

/// Verifies how many requests a stub was chosen for.
///
/// ```swift
/// let login = stub(
///   condition: isPath("/login"),
///   response: .json(["token": "t"]))
/// try await client.signIn()
/// try verify(login, called: .once)
/// ```
///
/// The stub counts its calls itself, so clearing or limiting the journal doesn't change the result.
///
/// - Parameters:
///   - stub: The stub.
///   - count: The expected number of calls. Defaults to at least one.
///   - fileID: The source file of the verification, for its error. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the verification.
///   - column: The column of the verification.
/// - Throws: ``VerificationError``, which lists the requests that arrived, nearest first.
public func verify(
  _ stub: Stub, called count: CallCount = .atLeast(1),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  let error = VerificationError(
    ofCallsTo: stub.condition, count, of: stub, by: "verify(\(stub))", at: StubLocation(fileID, filePath, line, column))
  if let error { throw error }
}

/// Verifies that requests met the conditions in this order. Other requests can come before, between and after them.
///
/// ```swift
/// try verifyInOrder(isPath("/login"), isPath("/items"), isPath("/logout"))
/// ```
///
/// Each condition takes the first request that meets it after the request that the previous condition took. A request
/// counts for only one condition. The order is that in which the requests were made.
///
/// - Parameters:
///   - conditions: The conditions that the requests must meet, one after another.
///   - registry: The registry that received them. Defaults to ``StubRegistry/current``.
///   - fileID: The source file of the verification, for its error. Omit this and the following parameters.
///   - filePath: The path of the source file.
///   - line: The line of the verification.
///   - column: The column of the verification.
/// - Throws: ``VerificationError``, which says how far the order was met, and lists the requests after that, nearest
///   first.
public func verifyInOrder(
  _ conditions: RequestMatcher..., in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  let location = StubLocation(fileID, filePath, line, column)
  if let mistake = conditions.lazy.compactMap(\.mistake).first {
    throw VerificationError("verifyInOrder: \(mistake)", at: location, details: [])
  }
  let (entries, droppedCount) = registry.journal.history
  var rest = entries[...]
  var taken: [Int] = []
  for (position, condition) in conditions.enumerated() {
    let requests = rest.map { ObservedRequest($0, of: condition) }
    if let index = requests.firstIndex(where: \.isMet) {
      taken.append(rest.startIndex + index)
      rest = rest.dropFirst(index + 1)
      continue
    }
    let after = taken.last.map { " after \(entries[$0].request.summary)" } ?? ""
    throw VerificationError(
      "verifyInOrder: no request\(after) meets condition \(position + 1) of \(conditions.count), \(condition)",
      at: location,
      details: VerificationError.dropped(droppedCount, limit: registry.journal.limit)
        + VerificationError.order(taken.map { entries[$0] }, conditions)
        + VerificationError.earlier(entries.prefix(rest.startIndex), taken, condition)
        + VerificationError.arrivals(requests, wantsMore: true, place: taken.isEmpty ? "" : " after that")
        + registry.journal.inferredHits)
  }
}

extension HTTPStubs {
  /// Verifies that each stub of the current registry has been chosen for a request. A stub that never was is
  /// superfluous, or its request was not made.
  ///
  /// ```swift
  /// try HTTPStubs.verifyAllStubsUsed()
  /// ```
  ///
  /// Removed stubs don't count.
  ///
  /// - Throws: ``VerificationError``, which names the unused stubs.
  public static func verifyAllStubsUsed(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    try StubRegistry.current.verifyAllStubsUsed(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension StubRegistry {
  /// Verifies that each stub has been chosen for a request. See
  /// ``HTTPStubs/verifyAllStubsUsed(fileID:filePath:line:column:)``.
  public func verifyAllStubsUsed(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let stubs = stubs
    let unused = unusedStubs
    guard !unused.isEmpty else { return }
    let (entries, _) = journal.history
    throw VerificationError(
      "verifyAllStubsUsed: \(unused.count) of \(stubs.count) stubs \(unused.count == 1 ? "was" : "were") never used",
      at: StubLocation(fileID, filePath, line, column),
      details: unused.map { "  \($0)" }.cut(to: 16) { "  and \($0) more" } + ["\(entries.count.requests) did arrive."]
        + journal.inferredHits)
  }
}

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
