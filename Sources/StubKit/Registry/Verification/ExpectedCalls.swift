import Foundation

/// What the `calls:` of a stub expects.
struct ExpectedCalls {
  /// The stub, or `nil` once it is judged, because it was removed, or its test or scope has ended.
  var stub: Stub?
  let count: CallCount
}

extension StubRegistry {
  /// Notes what the `calls:` of a stub expects, for the end of its test, or of the outermost `withStubs` here.
  func expect(_ count: CallCount, of stub: Stub) {
    if let mistake = mistake(in: count, of: stub) {
      return raise("calls: \(mistake)\nThe calls of the stub \(stub) aren't counted.", at: stub.location)
    }
    if !stub.isMistaken { expectedCalls.withLock { $0[stub.id] = ExpectedCalls(stub: stub, count: count) } }
  }

  private func mistake(in count: CallCount, of stub: Stub) -> String? {
    if let mistake = count.mistake { return mistake }
    if count.least > stub.limit, !stub.isMistaken {
      return
        "it expects \(count), and the stub answers at most \(stub.limit.requests). Write a larger times:, or leave it out."
    }
    // No end of a test or a scope will come.
    if testReport?.isOpen == false {
      return "its test is over, so nothing judges it. Register the stub before the end of the test."
    }
    guard !inFlight.isInScope else { return nil }
    return self === StubRegistry.global
      ? "no test judges it outside of every scope. Add the trait .stubbed to the test or its suite, or in XCTest inherit from "
        + "StubbedTestCase. Elsewhere, register the stub in withStubs, or write expectCalls(to:_:) or verify(_:called:)."
      : "no scope of its registry is open, so nothing judges it. Register the stub in withStubs(in: registry), or write "
        + "expectCalls(to:_:) or verify(_:called:)."
  }

  /// The stubs that say themselves how often they are called, so that nothing else judges whether they are used.
  package var stubsWithExpectedCalls: Set<UInt64> { Set(expectedCalls.withLock { $0.keys }) }

  /// Returns what is wrong with the calls of the stubs that expect a number of them, oldest first, once.
  ///
  /// - Parameter isWhole: Whether the code ran to its end. Otherwise only too many calls are wrong.
  package func judgeCalls(isWhole: Bool) -> [VerificationError] {
    let pending = expectedCalls.withLock { expected in
      let pending = expected.values.compactMap { one in one.stub.map { (stub: $0, count: one.count) } }
      for (stub, _) in pending { expected[stub.id]?.stub = nil }
      return pending
    }
    return pending.sorted { $0.stub.id < $1.stub.id }.compactMap { $0.stub.errorOfCalls($0.count, isWhole: isWhole) }
  }

  /// Judges a stub that is about to be removed, unless that has happened.
  func judgeCalls(of stub: Stub) {
    let count = expectedCalls.withLock { expected -> CallCount? in
      let one = expected.removeValue(forKey: stub.id)
      return one?.stub == nil ? nil : one?.count
    }
    if let error = count.flatMap({ stub.errorOfCalls($0, isWhole: true) }) {
      raise(error.description, at: stub.location)
    }
  }

  /// Judges the stubs of a registry from which all are about to be removed.
  func judgeCallsOfAll() {
    let stubs = expectedCalls.withLock { $0.values.compactMap(\.stub) }
    for stub in stubs.sorted(by: { $0.id < $1.id }) { judgeCalls(of: stub) }
    // Of those that were judged before, nobody asks any more.
    expectedCalls.withLock { $0 = $0.filter { $0.value.stub != nil } }
  }

  /// Judges what is left at the end of the outermost scope, for the code that has opened it.
  func judgeCallsOfScope(isWhole: Bool) {
    for error in judgeCalls(isWhole: isWhole) {
      if RunningTest.record(error.description, at: error.location) { continue }
      // The scope can be inside that of a test.
      let outer = StubRegistry.current
      if outer !== self, outer.testReport?.add(error.description, at: error.location) == true { continue }
      if RunningTest.recordFailure(error.description) { continue }
      RunningTest.tell(error.description)
    }
  }
}

extension Stub {
  fileprivate func errorOfCalls(_ count: CallCount, isWhole: Bool) -> VerificationError? {
    guard isWhole || self.count(of: .chosen) > count.most ?? .max else { return nil }
    return VerificationError(.stub(self), count, by: "The stub \(self)", at: location)
  }
}
