import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A set of stubs and what goes with it: the policy for requests that none matches, and the journal.
///
/// `stub` registers in ``current``. Most tests never name a registry: they use the global one, or ``withStubs(registry:isolation:_:)``,
/// which gives a piece of code one of its own.
public final class StubRegistry: Sendable {
  /// The registry of everything that has none of its own. It stays out of the way until its first stub is registered or
  /// ``isEnabled`` is set.
  public static let global = StubRegistry(isEnabled: nil)

  @TaskLocal static var local: StubRegistry?

  /// The registry of the task that asks, set by ``withStubs(registry:isolation:_:)``; else the global one.
  public static var current: StubRegistry { local ?? global }

  /// What the registry's requests came to.
  public let journal = RequestJournal()

  let loads = LoadsInFlight()
  let scopes: ScopeDepth
  private let state: Protected<State>

  private struct State: ~Copyable {
    var index: StubIndex
    /// Nil until the global registry is wanted for the first time.
    var isEnabled: Bool?
    var isSealed = false
    var unmatched = UnmatchedPolicy.fail
    var clock: any StubClock = .real
    /// The clock's, nil for the system's own time.
    var timeline: (any Timeline)?
    var network: NetworkConditions?
    var marks: SessionMarks.Classes?
    /// Nil unless somebody is going to report them.
    var misses: MissCollection?
    /// How many requests the policy has answered.
    var policyCallCount = 0
    /// Made when somebody first wants to hear of requests.
    var observers: StubObservers?
    /// Nil unless what comes back from the network is recorded.
    var recorder: ExchangeRecorder?
  }

  /// A registry that answers from the start: as long as it has no stubs, its requests are unmatched.
  public convenience init() { self.init(isEnabled: true) }

  init(isEnabled: Bool?, indexLimits: StubIndex.Limits = .init()) {
    let isSealed = isEnabled == nil && ProcessInfo.processInfo.environment["STUBKIT_SEALED"] == "1"
    state = Protected(State(index: StubIndex(indexLimits), isEnabled: isEnabled, isSealed: isSealed))
    scopes = ScopeDepth(isForEver: isEnabled == nil)
    if isEnabled == true { SessionInstallation.activate() }
  }

  /// The stubs, oldest first, those that are used up included.
  public var stubs: [Stub] { state.withLock { $0.index.stubs } }

  /// Removes all stubs. It does not disable the registry: requests made from now on are unmatched.
  public func removeAll() {
    // The stubs are released outside the lock: what they hold is the user's, and may do anything when it goes.
    let removed = state.withLock { $0.index.removeAll() }
    _ = consume removed
  }

  /// Whether the registry takes requests. While it is false they go out as if StubKit were not there.
  ///
  /// True from the start, but for the global registry, which its first stub enables. Once this was set, no stub changes it.
  public var isEnabled: Bool {
    get { state.withLock { $0.isEnabled ?? false } }
    set {
      if newValue { SessionInstallation.activate() }
      state.withLock { $0.isEnabled = newValue }
    }
  }

  /// Whether somebody has said that the registry takes no requests: of the global one, that code outside of scopes may use
  /// the network.
  var isSwitchedOff: Bool { state.withLock { $0.isEnabled == false } }

  /// A Boolean value that indicates whether registering a stub here is a mistake. Defaults to `false`.
  ///
  /// Tests that register stubs outside of every scope share the global registry. Where tests run in parallel, a forgotten `.stubbed`
  /// trait lets one test see another's stubs. Seal the global registry, and such a stub traps at its own line:
  ///
  /// ```swift
  /// StubRegistry.global.isSealed = true
  /// ```
  ///
  /// Instead of calling this before the first test, set `STUBKIT_SEALED=1` in the environment of the test process. Stubs that the
  /// registry already has stay, and scopes and registries of your own take stubs as before.
  public var isSealed: Bool {
    get { state.withLock { $0.isSealed } }
    set { state.withLock { $0.isSealed = newValue } }
  }

  /// What becomes of a request that no stub matches. ``UnmatchedPolicy/fail`` to begin with.
  public var unmatched: UnmatchedPolicy {
    get { state.withLock { $0.unmatched } }
    set {
      // As in `removeAll()`: what the old policy's closure holds is let go outside the lock.
      let replaced = state.withLock { state in
        defer { state.unmatched = newValue }
        return state.unmatched
      }
      _ = consume replaced
    }
  }

  /// Takes what comes back from the network for requests that are passed through; nil unless something records.
  var recorder: ExchangeRecorder? {
    get { state.withLock { $0.recorder } }
    set {
      let replaced = state.withLock { state in
        defer { state.recorder = newValue }
        return state.recorder
      }
      _ = consume replaced
    }
  }

  /// What all waiting goes by: ``RealStubClock`` to begin with.
  ///
  /// ```swift
  /// StubRegistry.current.clock = .immediate  // nothing waits any more
  /// ```
  ///
  /// What is in flight when it is set goes on with the clock it began with.
  public var clock: any StubClock {
    get { state.withLock { $0.clock } }
    set {
      let timeline = newValue.timeline.timeline
      // As in `unmatched`: a clock that wraps one of the library's is the user's.
      let replaced = state.withLock { state in
        defer { (state.clock, state.timeline) = (newValue, timeline) }
        return state.clock
      }
      _ = consume replaced
      journal.timeline = timeline
    }
  }

  /// The network between every client and its stubs: nil, to begin with, for one that takes no time and loses nothing.
  ///
  /// ```swift
  /// StubRegistry.current.network = .threeG
  /// ```
  ///
  /// A response's own ``StubResponse/network(_:)`` takes its place. It holds for what is answered from now on.
  public var network: NetworkConditions? {
    get { state.withLock { $0.network } }
    set { state.withLock { $0.network = newValue } }
  }

  var timeline: (any Timeline)? { state.withLock { $0.timeline } }

  /// The classes that tell a session's registry, made when they are first wanted.
  var marks: SessionMarks.Classes {
    if let marks = state.withLock({ $0.marks }) { return marks }
    let made = SessionMarks.shared.makeClasses(for: self)
    return state.withLock { state in
      // Another thread may have been quicker: the classes of this one are then never used.
      let marks = state.marks ?? made
      state.marks = marks
      return marks
    }
  }

  /// The stub that would answer the request, nil when none would. Takes no use and leaves no trace in the journal;
  /// closures in conditions are run, here and now.
  public func stub(matching request: URLRequest) -> Stub? {
    switch plainMatch(request) {
    case .found(let stub): return stub
    case .none: return nil
    case .unsure: break
    }
    var search = StubSearch(self, request)
    guard case .found(let stub, _) = search.next(closures: .run) else { return nil }
    return stub
  }

  /// Why a request gets the stub it gets, or none. Takes no use and leaves no trace in the journal; closures in
  /// conditions are run, here and now.
  public func explain(_ request: URLRequest) -> MatchExplanation { explain(IncomingRequest(request)) }

  func explain(_ incoming: IncomingRequest) -> MatchExplanation {
    var facts = RequestFacts(incoming)
    let request = facts.request
    var candidates: [MatchExplanation.Candidate] = []
    for stub in stubs.inAnsweringOrder {
      let report = stub.condition.report(&facts)
      candidates.append(.init(stub: stub, report: report, isUsedUp: stub.isUsedUp))
      if report.matches && !stub.isUsedUp {
        return MatchExplanation(request: request, stub: stub, candidates: candidates)
      }
    }
    return MatchExplanation(request: request, stub: nil, candidates: candidates)
  }

  func insert(_ stub: Stub) {
    // First, and for every stub: whoever has registered one is intercepted, also while another thread registers the first.
    SessionInstallation.activate()
    let isSealed = state.withLock { state in
      guard !state.isSealed else { return true }
      state.index.insert(stub)
      if state.isEnabled == nil { state.isEnabled = true }
      return false
    }
    if isSealed { stub.trapAtSeal(isGlobal: self === StubRegistry.global) }
  }

  func remove(_ stub: Stub) -> Bool { state.withLock { $0.index.remove(stub) } }

  func contains(_ stub: Stub) -> Bool { state.withLock { $0.index.contains(stub) } }

  /// Whether the registry takes requests now, and if so, whether answering one may mean running code of the user's.
  var intake: Intake? {
    state.withLock {
      guard $0.isEnabled == true else { return nil }
      let isObserved = $0.observers?.isEmpty == false
      return Intake(
        mayRunClosures: isObserved || $0.index.holdsClosure || $0.unmatched.holdsClosure, timeline: $0.timeline,
        isObserved: isObserved, misses: $0.misses)
    }
  }

  struct Intake {
    let mayRunClosures: Bool
    let timeline: (any Timeline)?
    /// Whether anybody wants to hear of the request.
    let isObserved: Bool
    /// Nil if nobody is going to report it should no stub match.
    let misses: MissCollection?
  }

  /// The number of the request that the policy answers now.
  func countPolicyCall() -> Int {
    state.withLock { state in
      state.policyCallCount += 1
      return state.policyCallCount
    }
  }

  /// Those who want to hear of requests.
  var observers: StubObservers {
    state.withLock { state in
      if let observers = state.observers { return observers }
      let observers = StubObservers()
      state.observers = observers
      return observers
    }
  }

  /// The answer for a request with a plain head, if the index can tell it by bytes alone.
  func plainMatch(_ request: URLRequest) -> PlainMatch {
    guard var text = request.url?.absoluteString else { return .unsure }
    let method = request.httpMethod.map { PlainMethod($0) } ?? .get
    return text.withUTF8 { url in state.withLock { $0.index.plainMatch(method, url) } }
  }

  /// The newest stub that a request may match, of those that the index knows by a key, and all that it does not.
  func probe(_ keys: inout RequestKeys) -> (candidate: StubIndex.Candidate, unindexed: [Stub?]) {
    state.withLock { ($0.index.newestCandidate(&keys), $0.index.unindexed) }
  }

  func candidates(olderThan ordinal: UInt64, _ keys: inout RequestKeys) -> [Stub] {
    state.withLock { $0.index.candidates(olderThan: ordinal, &keys) }
  }

  /// Whether the index knows some stub by its request's body.
  var looksAtBodies: Bool { state.withLock { $0.index.looksAtBodies } }

  func setMisses(_ misses: MissCollection) { state.withLock { $0.misses = misses } }

  /// Takes a stub that is used up out of the way of searches.
  func withdraw(_ stub: Stub) { state.withLock { $0.index.withdraw(stub) } }
}
