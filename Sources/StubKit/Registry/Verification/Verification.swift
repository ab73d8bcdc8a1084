import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Verifies how many requests met a condition, whichever stub answered them, or none.
///
/// ```swift
/// try await client.signIn()
/// try verify(isMethodPOST() && isPath("/login") && hasJSON(at: "user", equals: "ann"))
/// try verify(isPath("/ads"), called: .never)
/// ```
///
/// Each request of a chain of redirects counts by itself. The requests are the journal's: those from before it was cleared do not
/// count, and a verification that would need some that its limit has dropped fails and says so. Closures in the condition run
/// once for each request, here and now.
///
/// - Parameters:
///   - condition: What a request must meet.
///   - count: How many must have; at least one by default.
///   - registry: Where they were made: ``StubRegistry/current`` by default.
///   - fileID: Where the verification is written, for its error; leave it out, like the three that follow.
///   - filePath: The file's path.
///   - line: The line.
///   - column: The column.
/// - Throws: ``VerificationError``, which lists what did arrive, nearest first.
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
/// let login = stub(condition: isPath("/login"), response: .json(["token": "t"]))
/// try await client.signIn()
/// try verify(login, called: .once)
/// ```
///
/// The stub counts its calls itself, so neither clearing nor limiting the journal changes what is verified.
///
/// - Parameters:
///   - stub: The stub.
///   - count: How often it must have been chosen; at least once by default.
///   - fileID: Where the verification is written, for its error; leave it out, like the three that follow.
///   - filePath: The file's path.
///   - line: The line.
///   - column: The column.
/// - Throws: ``VerificationError``, which lists what did arrive, nearest first.
public func verify(
  _ stub: Stub, called count: CallCount = .atLeast(1),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  let error = VerificationError(
    ofCallsTo: stub, count, by: "verify(\(stub))", at: StubLocation(fileID, filePath, line, column))
  if let error { throw error }
}

/// Verifies that requests met the conditions in that order. Others may have come before, between and after.
///
/// ```swift
/// try verifyInOrder(isPath("/login"), isPath("/items"), isPath("/logout"))
/// ```
///
/// Each condition takes the first request that meets it after the one that the condition before took: a request counts for one
/// condition only. The order is that in which the requests were made.
///
/// - Parameters:
///   - conditions: What the requests must meet, one after another.
///   - registry: Where they were made: ``StubRegistry/current`` by default.
///   - fileID: Where the verification is written, for its error; leave it out, like the three that follow.
///   - filePath: The file's path.
///   - line: The line.
///   - column: The column.
/// - Throws: ``VerificationError``, which says how far the order went and lists what came after that, nearest first.
public func verifyInOrder(
  _ conditions: RequestMatcher..., in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  let (entries, droppedCount) = registry.journal.history
  var rest = entries[...]
  var taken: [RecordedRequest] = []
  for (position, condition) in conditions.enumerated() {
    var passed: [Sighting] = []
    var found = false
    while !found, let entry = rest.popFirst() {
      let sighting = Sighting(entry, of: condition)
      found = sighting.isMet
      if found { taken.append(entry) } else { passed.append(sighting) }
    }
    guard !found else { continue }
    let place = "condition \(position + 1) of \(conditions.count), \(condition)"
    let after =
      taken.last.map { "met by no request after \($0.request.summary)" } ?? "met by no request"
    throw VerificationError(
      "verifyInOrder: \(place), is \(after)", at: StubLocation(fileID, filePath, line, column),
      details: VerificationError.dropped(droppedCount, limit: registry.journal.limit)
        + VerificationError.order(taken, conditions)
        + VerificationError.arrivals(&passed, wantsMore: true, place: taken.isEmpty ? "" : " after that"))
  }
}

extension HTTPStubs {
  /// Verifies that each stub of the current registry has been chosen for a request: one that never is, is a stub too many or a
  /// request that was not made.
  ///
  /// ```swift
  /// try HTTPStubs.verifyAllStubsUsed()
  /// ```
  ///
  /// Stubs that were removed are not looked at.
  ///
  /// - Throws: ``VerificationError``, which names the stubs that were not.
  public static func verifyAllStubsUsed(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    try StubRegistry.current.verifyAllStubsUsed(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension StubRegistry {
  /// Verifies that each stub has been chosen for a request. See ``HTTPStubs/verifyAllStubsUsed(fileID:filePath:line:column:)``.
  public func verifyAllStubsUsed(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let stubs = stubs
    let unused = stubs.filter { $0.callCount == 0 }
    guard !unused.isEmpty else { return }
    let (entries, _) = journal.history
    throw VerificationError(
      "verifyAllStubsUsed: \(unused.count) of \(stubs.count) stubs \(unused.count == 1 ? "was" : "were") never used",
      at: StubLocation(fileID, filePath, line, column),
      details: unused.map { "  \($0)" }.cut(to: 16) { "  and \($0) more" } + ["\(entries.count.requests) did arrive."])
  }
}
