import Foundation

/// The requests of one test that fail because no stub matches them, for a test framework to report.
///
/// The journal can't serve for this. Its limit drops entries, a test can clear it, and requests that a test leaves
/// behind still enter it.
package final class MissCollection: Sendable {
  /// The requests with one method and URL.
  package struct Miss: Sendable {
    /// The error of the first request.
    package let error: UnmatchedRequestError
    /// The number of requests, at least 1.
    package fileprivate(set) var count = 1
    /// The identifier of the newest stub of the process when the first request failed.
    fileprivate let newestStub: UInt64
  }

  /// Something wrong in the test's own code.
  package struct Mistake: Sendable, Hashable {
    /// What is wrong, and what to write instead.
    package let sentence: String
    package let location: StubLocation?
  }

  private struct State {
    var isOpen = true
    var misses: [Miss] = []
    var positions: [String: Int] = [:]
    var mistakes: [Mistake] = []
  }
  private let state = Protected(State())
  /// The name of the test, for reports about other tests.
  let test: String?
  /// A Boolean value that indicates whether no other test runs meanwhile, so that a request that names no scope is the
  /// test's if no other scope is open.
  let runsAlone: Bool

  init(of test: String? = nil, runsAlone: Bool = false) { (self.test, self.runsAlone) = (test, runsAlone) }

  /// A Boolean value that indicates whether the test is not over.
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Records a request that certainly belongs to the test, before it fails. Returns `false` if the test is over.
  @discardableResult
  func add(_ error: UnmatchedRequestError) -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      let request = "\(error.request.httpMethod ?? "GET") \(error.request.url?.absoluteString ?? "")"
      if let position = state.positions[request] {
        state.misses[position].count += 1
      } else {
        state.positions[request] = state.misses.count
        state.misses.append(Miss(error: error, newestStub: Stub.newestID))
      }
      return true
    }
  }

  /// Records a mistake, once for all of the same text and place. Returns `false` if the test is over.
  func add(_ sentence: String, at location: StubLocation?) -> Bool {
    state.withLock { state in
      let mistake = Mistake(sentence: sentence, location: location)
      if state.isOpen, !state.mistakes.contains(mistake) { state.mistakes.append(mistake) }
      return state.isOpen
    }
  }

  /// The mistakes, in order.
  package var mistakes: [Mistake] { state.withLock { $0.mistakes } }

  /// Accepts no more requests, and returns those that failed, ordered by the first request of each.
  package func finish() -> [Miss] {
    state.withLock { state in
      state.isOpen = false
      return state.misses
    }
  }
}

extension StubRegistry {
  /// Collects requests that fail because no stub matches them, from now on. Replaces an earlier collection.
  ///
  /// - Parameters:
  ///   - test: The name of the test.
  ///   - runsAlone: Whether no other test runs meanwhile.
  package func collectMisses(of test: String? = nil, runsAlone: Bool = false) -> MissCollection {
    let collection = MissCollection(of: test, runsAlone: runsAlone)
    (misses, self.test) = (collection, test)
    return collection
  }

  /// Returns a stub that matches a request, and was registered after the request had failed. This runs no closure.
  package func latecomer(to miss: MissCollection.Miss) -> Stub? {
    var facts = RequestFacts(miss.error.request)
    return stubs.first { $0.id > miss.newestStub && $0.condition.certainlyMatches(&facts) }
  }

  /// Returns the stubs that were never used, because newer ones, whose conditions are not narrower, answered the requests
  /// that meet theirs. One with the same condition as the newer one is a default that the test overrides, unless the test
  /// itself registered both.
  ///
  /// This runs no closure, and looks at no more than the last hundred requests.
  ///
  /// - Parameter test: The location of the test. What follows in its file, in this order, counts as registered by it.
  package func shadowedStubs(in test: StubLocation?) -> [Stub] {
    let stubs = Dictionary(stubs.map { ($0.id, $0) }) { first, _ in first }
    let unused = unusedStubs.suffix(1_000).map { (stub: $0, text: $0.condition.description) }
    var shadowed: Set<UInt64> = []
    for entry in journal.entries.suffix(100) {
      guard let answering = entry.stub.flatMap({ stubs[$0.id] }) else { continue }
      // The request is parsed once for all stubs.
      var facts = RequestFacts(entry.request)
      let text = answering.condition.description
      for (stub, ownText) in unused where !shadowed.contains(stub.id) {
        let isShadowed =
          (answering.id > stub.id || answering.priority > stub.priority)
          && answering.condition.count <= stub.condition.count
          && (text != ownText || stub.location.isIn(test, before: answering.location))
          && stub.condition.certainlyMatches(&facts)
        if isShadowed { shadowed.insert(stub.id) }
      }
    }
    return unused.map(\.stub).filter { shadowed.contains($0.id) }
  }
}

extension StubLocation {
  /// Returns whether this is in a test, and another location further down in its file.
  fileprivate func isIn(_ test: StubLocation?, before other: StubLocation) -> Bool {
    guard let test, fileID == test.fileID, other.fileID == test.fileID else { return false }
    return test.line <= line && line < other.line
  }
}

extension RequestMatcher {
  /// The number of criteria that must be met together.
  fileprivate var count: Int { if case .all(let children, _) = node { children.count } else { 1 } }

  fileprivate func certainlyMatches(_ facts: inout RequestFacts) -> Bool {
    let readsBody = !facts.bodyNeedsTask
    return !canBe(false, &facts, readsBody: readsBody)
  }
}
