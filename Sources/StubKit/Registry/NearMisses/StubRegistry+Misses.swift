extension StubRegistry {
  /// The requests with one method and URL that failed for want of a stub, for a test framework to report.
  package struct Miss: Sendable {
    /// The first one's.
    package let error: UnmatchedRequestError
    /// How many there were, at least 1.
    package fileprivate(set) var count = 1
  }

  /// Those of a registry, each at the place of its first request.
  struct Misses {
    fileprivate var list: [Miss] = []
    private var positions: [String: Int] = [:]

    fileprivate mutating func add(_ error: UnmatchedRequestError, _ request: String) {
      if let position = positions[request] {
        list[position].count += 1
      } else {
        positions[request] = list.count
        list.append(Miss(error: error))
      }
    }
  }

  /// Keeps from now on what fails for want of a stub. The journal would not do: its limit drops entries, and the test may clear it.
  package func collectMisses() { setMisses(Misses()) }

  /// What was kept, in order. Nothing more is kept from now on.
  package func takeMisses() -> [Miss] { setMisses(nil)?.list ?? [] }

  /// The error of a request that fails because no stub matches it.
  func miss(_ facts: RequestFacts) -> UnmatchedRequestError {
    let error = UnmatchedRequestError(facts, in: self)
    let request = error.request.summary
    withMisses { $0?.add(error, request) }
    return error
  }
}
