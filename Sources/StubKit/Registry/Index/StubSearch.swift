import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request's search for the stubs that match it, newest first, among those that were there when it began.
///
/// It can be interrupted where the user's code has to run, and goes on elsewhere from there, so that every condition is
/// asked once. The registry's lock is held only while the index is probed.
struct StubSearch: Sendable {
  enum Result {
    case found(Stub, Captures)
    /// The next stub's condition hangs on a closure, or on a body that nobody has read or that is long, and the policy does not
    /// allow for that.
    case undecided
    case none
  }

  private let registry: StubRegistry
  private var incoming: IncomingRequest
  private var progress = Progress.notBegun
  /// None or one: only some searches need it, and it is large.
  private var thorough: [ThoroughSearch] = []

  private enum Progress {
    case notBegun
    /// The plain match was that stub.
    case past(UInt64)
    case thorough
    case exhausted
  }

  init(_ registry: StubRegistry, _ incoming: IncomingRequest) {
    self.registry = registry
    self.incoming = incoming
  }

  /// For a request of nobody's, which is seen as it stands.
  init(_ registry: StubRegistry, _ request: URLRequest) { self.init(registry, IncomingRequest(request)) }

  /// Goes on with what is known of the same request once its body was read.
  mutating func goOn(with incoming: IncomingRequest) {
    self.incoming = incoming
    if !thorough.isEmpty { thorough[0].goOn(with: incoming) }
  }

  /// What the search knows of the request, with what the closures said that it has run.
  var facts: RequestFacts { thorough.first?.facts ?? RequestFacts(incoming) }

  /// Takes a use of a stub that was found.
  func claim(_ stub: Stub) -> StubClaim {
    (thorough.first?.facts.scenarios ?? ScenarioReadings()).claim(stub, for: incoming)
  }

  /// Whether nothing that was looked at has changed since.
  var isCurrent: Bool { thorough.first?.facts.scenarios.hold ?? true }

  /// Searches from the newest stub on, with the scenarios as they are now. What the closures said holds.
  mutating func beginAgain() {
    var facts = facts
    facts.beginAgain()
    progress = .thorough
    thorough = [ThoroughSearch(registry, facts, olderThan: nil)]
  }

  mutating func next(closures: ClosurePolicy) -> Result {
    switch progress {
    case .notBegun:
      switch registry.plainMatch(incoming.bare) {
      case .found(let stub):
        progress = .past(stub.ordinal)
        return .found(stub, Captures())
      case .none:
        progress = .exhausted
        return .none
      case .unsure:
        searchThoroughly(olderThan: nil)
      }
    case .past(let ordinal):
      searchThoroughly(olderThan: ordinal)
    case .thorough: break
    case .exhausted: return .none
    }
    return thorough[0].next(closures: closures)
  }

  private mutating func searchThoroughly(olderThan ordinal: UInt64?) {
    progress = .thorough
    thorough = [ThoroughSearch(registry, RequestFacts(incoming), olderThan: ordinal)]
  }
}
