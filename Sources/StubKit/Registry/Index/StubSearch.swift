import Foundation

/// The search for the stubs that match one request, newest first, among those that existed when it began.
///
/// It can be interrupted where the user's code has to run, and continues elsewhere from there, so that every
/// condition is checked once. The registry's lock is held only while the index is probed.
struct StubSearch: Sendable {
  enum Result {
    case found(Stub, Captures)
    /// The condition of the next stub depends on a closure, or on a body that nobody has read or that is long, and
    /// the policy doesn't allow that.
    case undecided
    case none
  }

  private let registry: StubRegistry
  private var incoming: IncomingRequest
  private var progress = Progress.notBegun

  private enum Progress {
    case notBegun
    /// The plain match was this stub.
    case past(UInt64)
    // Indirect because only some searches get here, and the others stay small.
    indirect case thorough(ThoroughSearch)
    case exhausted
  }

  init(_ registry: StubRegistry, _ incoming: IncomingRequest) {
    self.registry = registry
    self.incoming = incoming
  }

  /// Creates a search for a request that has no origin, which is seen as it is.
  init(_ registry: StubRegistry, _ request: URLRequest) { self.init(registry, IncomingRequest(request)) }

  /// The search that checks the whole conditions, if it has begun.
  private var thorough: ThoroughSearch? { if case .thorough(let search) = progress { search } else { nil } }

  /// Continues with what is known about the same request after its body was read.
  mutating func proceed(with incoming: IncomingRequest) {
    self.incoming = incoming
    guard var search = thorough else { return }
    search.proceed(with: incoming)
    progress = .thorough(search)
  }

  /// What the search knows about the request, with the results of the closures that it has run.
  var facts: RequestFacts { thorough?.facts ?? RequestFacts(incoming) }

  /// Takes a use of a stub that was found.
  func claim(_ stub: Stub) -> StubClaim {
    (thorough?.facts.scenarios ?? ScenarioReadings()).claim(stub, for: incoming)
  }

  /// A Boolean value that indicates whether nothing that the search looked at has changed since.
  var isCurrent: Bool { thorough?.facts.scenarios.hold ?? true }

  /// Searches again from the newest stub, with the current scenarios. The results of closures stay valid.
  mutating func beginAgain() {
    var facts = facts
    facts.beginAgain()
    progress = .thorough(ThoroughSearch(registry, facts, olderThan: nil))
  }

  mutating func next(closures: ClosurePolicy) -> Result {
    switch progress {
    case .notBegun:
      switch registry.plainMatch(incoming.bare) {
      case .found(let stub):
        progress = .past(stub.ordinal)
        return .found(stub, stub.plainCaptures(from: incoming.bare))
      case .none:
        progress = .exhausted
        return .none
      case .unsure:
        return next(of: ThoroughSearch(registry, RequestFacts(incoming), olderThan: nil), closures: closures)
      }
    case .past(let ordinal):
      return next(of: ThoroughSearch(registry, RequestFacts(incoming), olderThan: ordinal), closures: closures)
    case .thorough(let search):
      // Otherwise, the search would copy what it changes.
      progress = .exhausted
      return next(of: search, closures: closures)
    case .exhausted: return .none
    }
  }

  private mutating func next(of search: consuming ThoroughSearch, closures: ClosurePolicy) -> Result {
    let result = search.next(closures: closures)
    progress = .thorough(search)
    return result
  }
}
