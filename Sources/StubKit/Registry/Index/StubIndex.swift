/// The stubs of a registry, in the order in which they answer.
///
/// A value: a search works on the stubs that were there when its request came, whatever is registered meanwhile.
struct StubIndex {
  /// Oldest first.
  private(set) var stubs: [Stub] = []
  private var closureHolders = 0

  /// Whether answering may mean running code of the user's.
  var holdsClosure: Bool { closureHolders > 0 }

  mutating func insert(_ stub: Stub) {
    stubs.append(stub)
    closureHolders += stub.holdsClosure ? 1 : 0
  }

  /// False when the stub is not there.
  mutating func remove(_ stub: Stub) -> Bool {
    guard let position = stubs.lastIndex(where: { $0 === stub }) else { return false }
    stubs.remove(at: position)
    closureHolders -= stub.holdsClosure ? 1 : 0
    return true
  }

  func contains(_ stub: Stub) -> Bool { stubs.contains { $0 === stub } }

  mutating func removeAll() { self = StubIndex() }

  func search() -> StubSearch { StubSearch(stubs: stubs[...]) }
}

/// One request's search through the stubs, newest first. It can be interrupted where the user's code has to run, and
/// goes on elsewhere from there, so that every condition is asked once.
struct StubSearch {
  enum Result {
    case found(Stub, Captures)
    /// The next stub's condition hangs on a closure, and `.defer` was asked for.
    case undecided
    case none
  }

  fileprivate var stubs: ArraySlice<Stub>

  mutating func next(_ facts: inout RequestFacts, closures: ClosurePolicy) -> Result {
    while let stub = stubs.last {
      if !stub.isUsedUp {
        var captures = Captures()
        switch stub.condition.evaluate(&facts, closures: closures, captures: &captures) {
        case .matches:
          stubs.removeLast()
          return .found(stub, captures)
        case .undecided: return .undecided
        case .fails: break
        }
      }
      stubs.removeLast()
    }
    return .none
  }
}

extension Stub {
  fileprivate var holdsClosure: Bool { condition.holdsClosure || responder.isClosure }
}
