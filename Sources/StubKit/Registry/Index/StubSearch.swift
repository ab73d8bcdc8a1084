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
  /// The thorough search, if there is one. It is in an array because only some searches need it, and it is large.
  private var thorough: [ThoroughSearch] = []

  private enum Progress {
    case notBegun
    /// The plain match was this stub.
    case past(UInt64)
    case thorough
    case exhausted
  }

  init(_ registry: StubRegistry, _ incoming: IncomingRequest) {
    self.registry = registry
    self.incoming = incoming
  }

  /// Creates a search for a request that has no origin, which is seen as it is.
  init(_ registry: StubRegistry, _ request: URLRequest) { self.init(registry, IncomingRequest(request)) }

  /// Continues with what is known about the same request after its body was read.
  mutating func proceed(with incoming: IncomingRequest) {
    self.incoming = incoming
    if !thorough.isEmpty { thorough[0].proceed(with: incoming) }
  }

  /// What the search knows about the request, with the results of the closures that it has run.
  var facts: RequestFacts { thorough.first?.facts ?? RequestFacts(incoming) }

  /// Takes a use of a stub that was found.
  func claim(_ stub: Stub) -> StubClaim {
    (thorough.first?.facts.scenarios ?? ScenarioReadings()).claim(stub, for: incoming)
  }

  /// A Boolean value that indicates whether nothing that the search looked at has changed since.
  var isCurrent: Bool { thorough.first?.facts.scenarios.hold ?? true }

  /// Searches again from the newest stub, with the current scenarios. The results of closures stay valid.
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
        return .found(stub, stub.plainCaptures(from: incoming.bare))
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
