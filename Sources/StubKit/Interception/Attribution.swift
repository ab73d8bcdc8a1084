import Foundation

/// The registry that a request belongs to.
///
/// The registry that was installed in the session comes first, then that of the task, then that of the scope that
/// created the session, and then the global one if it is enabled. A request that none of them claims keeps the network if
/// it is known to come from a test without a scope. Otherwise it is *unattributed*. It can belong to any test, running or
/// ended, so it must not reach the network only because it is unknown which.
///
/// Each case has the scope of the request's callbacks, so that they can't escape either.
enum Attribution {
  /// The request belongs to a registry that takes requests.
  case registry(StubRegistry, StubRegistry.Snapshot, AttributionConfidence, CallbackScope?)
  /// The request was made after the end of its scope, or of every scope: that of the named test, if it is known.
  case over(CallbackScope, StubScopeEndedError.Reason, String? = nil)
  /// The request can belong to any of several open scopes.
  case unclear(CallbackScope)
  /// The request goes out as if StubKit didn't exist, and so do those of its callbacks if they have a scope.
  case network(CallbackScope?)
}

extension Attribution {
  /// Attributes a request that is made through a session with a mark.
  init(_ mark: SessionMark?, by requester: @autoclosure () -> Requester, among scopes: OpenScopes = .shared) {
    let owner = mark?.registry
    if let mark, mark.kind == .installed {
      self = owner.map(Self.taken(by:)) ?? .over(.ended, .session, mark.test)
      return
    }
    let requester = requester()
    if let registry = requester.registry {
      self = requester.lateScope.map { .over($0, .callback, $0.registry?.test) } ?? Self.taken(by: registry)
    } else if let mark {
      guard let registry = owner, registry.isEnabled else {
        self = owner == nil ? .over(.ended, .session, mark.test) : .network(nil)
        return
      }
      // Read before the scopes are: if the last scope ends in between, the generation is over, and the request fails.
      let generation = registry.loads.generation
      self =
        registry.loads.isOutsideOfScopes
        ? .over(.ended, .session, registry.test)
        : Self.taken(by: registry, .session, CallbackScope(someOf: [generation]))
    } else if let snapshot = StubRegistry.global.snapshot {
      self = .registry(.global, snapshot, requester.isKnown || scopes.isEmpty ? .certain : .unclaimed, nil)
    } else if let lateScope = requester.lateScope {
      self = .over(lateScope, .callback, lateScope.registry?.test)
    } else if StubRegistry.global.isSwitchedOff {
      self = .network(nil)
    } else if requester.isKnown {
      self = .network(scopes.hadAny ? .unscoped : nil)
    } else {
      switch scopes.inferred {
      case .never: self = .network(nil)
      case .ended(let test): self = HTTPStubs.unscoped == .fail ? .over(.ended, .outside, test) : .network(nil)
      case .several(let generations): self = .unclear(CallbackScope(someOf: generations))
      case .only(let registry, let generations):
        self = Self.taken(by: registry, .onlyScope, CallbackScope(someOf: generations))
      }
    }
  }

  private static func taken(by registry: StubRegistry) -> Attribution {
    let isGlobal = registry === StubRegistry.global
    return taken(by: registry, .certain, isGlobal ? nil : CallbackScope(registry, someOf: [registry.loads.generation]))
  }

  private static func taken(
    by registry: StubRegistry, _ confidence: AttributionConfidence, _ callbackScope: @autoclosure () -> CallbackScope?
  ) -> Attribution {
    guard let snapshot = registry.snapshot else {
      return .network(registry.loads.isOutsideOfScopes ? nil : callbackScope())
    }
    return .registry(registry, snapshot, confidence, callbackScope())
  }
}

/// The known facts about the code that makes a request.
struct Requester: Sendable {
  /// The registry of the task that makes the request, or of the request whose callback makes it.
  let registry: StubRegistry?
  /// The scope of the callback that makes the request, if it has ended.
  let lateScope: CallbackScope?
  /// A Boolean value that indicates whether the code has a scope, or belongs to a test that is known to have none.
  let isKnown: Bool

  /// The requester for code that runs on this thread.
  static var current: Requester {
    let (registry, scope) = (StubRegistry.local, CallbackScope.current)
    let lateScope = scope.flatMap { $0.isOver(for: registry) ? $0 : nil }
    return Requester(
      registry: registry, lateScope: lateScope,
      isKnown: registry != nil || scope === CallbackScope.unscoped || RunningTest.isKnown
        || RunningTest.isOfPlainTestCase && OpenScopes.shared.areOfSwiftTesting)
  }
}

extension RunningTest {
  /// Intercepts sessions before the first test, where StubKit can't reach those that exist. The first trait or test
  /// case calls this when the framework looks for tests.
  package static func prepare() {
    if Platform.reachesOnlySessionsToCome { SessionInstallation.activate() }
  }
}

extension RequestContext {
  /// Creates the context of the request that is being made on this thread, or returns `nil` if no registry takes it.
  /// See ``Attribution``.
  convenience init?(
    for request: URLRequest, _ mark: SessionMark?, by requester: @autoclosure () -> Requester = .current
  ) {
    switch Attribution(mark, by: requester()) {
    case .registry(let registry, var snapshot, let confidence, let callbackScope):
      if registry === StubRegistry.local, registry.isOver {
        // A task of the test has outlived it. The registry still answers.
        RequestWarnings.addLate(request, after: registry.test, isOutside: false)
        snapshot.misses = nil
      }
      let route: Route = confidence == .onlyScope && request.isLoopback ? .unattributed(.loopback) : .registry
      self.init(
        registry, snapshot, confidence, callbackScope: callbackScope, route: route)
    case .over(let callbackScope, let reason, let test):
      // A server on this machine can belong to any test, and to none.
      if reason == .outside, request.isLoopback { return nil }
      self.init(.placeholder, callbackScope: callbackScope, route: .late(reason, test))
    case .unclear(let callbackScope):
      self.init(
        .placeholder, callbackScope: callbackScope, route: .unattributed(.several))
    case .network(let callbackScope):
      guard let callbackScope else { return nil }
      self.init(.placeholder, callbackScope: callbackScope, route: .network)
    }
  }
}
