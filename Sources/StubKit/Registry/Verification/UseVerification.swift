extension HTTPStubs {
  /// Verifies that each stub of the current registry has been chosen for a request. A stub that never was is
  /// superfluous, or its request was not made.
  ///
  /// ```swift
  /// try HTTPStubs.verifyAllStubsUsed()
  /// ```
  ///
  /// Removed stubs don't count, and neither do those that say with `calls:` how often they are called. A stub that was
  /// used before ``forgetRequests()`` is used.
  ///
  /// - Parameters:
  ///   - location: The location for the error, for a function of your own. Defaults to that of the call.
  ///   - fileID: The source file of the call. Omit this and the following parameters.
  ///   - filePath: The path of the source file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Throws: ``VerificationError``, which names the unused stubs.
  public static func verifyAllStubsUsed(
    at location: StubLocation? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    try StubRegistry.current.verifyAllStubsUsed(
      at: location ?? StubLocation(fileID, filePath, line, column))
  }
}

extension StubRegistry {
  /// Verifies that each stub has been chosen for a request. See
  /// ``HTTPStubs/verifyAllStubsUsed(at:fileID:filePath:line:column:)``.
  ///
  /// The parameters are the same.
  ///
  /// - Throws: ``VerificationError``, which names the unused stubs.
  public func verifyAllStubsUsed(
    at location: StubLocation? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let look = LookBack(at: self, for: .ofStubs)
    let judged = stubsWithExpectedCalls
    let uncalled = allStubs.filter { !$0.wasUsed && !$0.isMistaken && !judged.contains($0.id) }
    guard isBlind || !uncalled.isEmpty else { return }
    let unused = uncalled.filter { FoundCalls(.stub($0), in: look).mostCount == 0 }
    var details = look.reasons(
      [], look.strays(meeting: .anything), elsewhere: "Write registry.verifyAllStubsUsed()")
    details += unused.map { "  \($0.descriptionWithEntry)" }.cut(to: 16) { "  and \($0) more" }
    details.append("\(look.entries.count.requestsMade).")
    details += look.undecidedRequests.map { "  \($0.line)" }.cut(to: 4) { "  and \($0) more" }
    details += journal.inferredHits
    let headline =
      unused.isEmpty
      ? "it isn't certain whether all stubs were used"
      : "\(unused.count) of \(allStubs.count) stubs \(unused.count == 1 ? "was" : "were") never used"
    throw VerificationError(
      "verifyAllStubsUsed: \(headline)", at: location ?? StubLocation(fileID, filePath, line, column),
      details: details)
  }
}
