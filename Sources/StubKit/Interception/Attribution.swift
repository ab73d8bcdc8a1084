import Foundation

/// The registry that a request belongs to.
///
/// The registry that was installed in the session comes first, then that of the task, then that of the scope that
/// created the session, and then the global one if it is enabled. A request that none of them claims is
/// *unattributed*. It can belong to any running test, so it must not reach the network only because it is unknown
/// which.
///
/// Each case has the scope of the request's callbacks, so that they can't escape either.
enum Attribution {
  /// The request belongs to a registry that takes requests.
  case registry(StubRegistry, StubRegistry.Acceptance, AttributionConfidence, CallbackScope?)
  /// The request belongs to a scope that has ended.
  case over(CallbackScope, isBySession: Bool)
  /// The request can belong to any of several open scopes.
  case unclear(CallbackScope)
  /// The request belongs to no registry. It goes out as if StubKit didn't exist.
  case unclaimed
}

extension Attribution {
  /// Attributes a request that is made through a session with a mark.
  init(_ mark: SessionMark?, by requester: @autoclosure () -> Requester, among scopes: OpenScopes = .shared) {
    if case .installed(let registry) = mark {
      self = registry.map(Self.taken(by:)) ?? Self.overBySession
      return
    }
    let requester = requester()
    if let registry = requester.registry {
      self = requester.lateScope.map { .over($0, isBySession: false) } ?? Self.taken(by: registry)
    } else if case .madeIn(let registry) = mark {
      guard let registry, registry.isEnabled else {
        self = registry == nil ? Self.overBySession : .unclaimed
        return
      }
      // The generation comes first. If the scope ends meanwhile, it is over.
      let generation = registry.loads.generation
      self =
        registry.scopes.isEmpty
        ? Self.overBySession : Self.taken(by: registry, .session, CallbackScope(someOf: [generation]))
    } else if let acceptance = StubRegistry.global.acceptance {
      self = .registry(.global, acceptance, .certain, nil)
    } else if let lateScope = requester.lateScope {
      self = .over(lateScope, isBySession: false)
    } else if requester.isKnown || scopes.isEmpty || StubRegistry.global.isSwitchedOff {
      // A test without a scope keeps the network.
      self = .unclaimed
    } else {
      switch scopes.inferred {
      case .none: self = .unclaimed
      case .several(let generations): self = .unclear(CallbackScope(someOf: generations))
      case .only(let held, let generations):
        self = Self.taken(by: held.registry, .onlyScope, CallbackScope(someOf: generations))
      }
    }
  }

  private static func taken(by registry: StubRegistry) -> Attribution {
    let isGlobal = registry === StubRegistry.global
    return taken(by: registry, .certain, isGlobal ? nil : CallbackScope(registry, in: registry.loads.generation))
  }

  private static func taken(
    by registry: StubRegistry, _ confidence: AttributionConfidence, _ callbackScope: @autoclosure () -> CallbackScope?
  ) -> Attribution {
    registry.acceptance.map { .registry(registry, $0, confidence, callbackScope()) } ?? .unclaimed
  }

  private static var overBySession: Attribution { .over(CallbackScope(someOf: []), isBySession: true) }
}

/// The known facts about the code that makes a request.
struct Requester: Sendable {
  /// The registry of the task that makes the request, or of the request whose callback makes it.
  let registry: StubRegistry?
  /// The scope of the callback that makes the request, if it has ended.
  let lateScope: CallbackScope?
  /// A Boolean value that indicates whether the request comes from a Swift task. With StubKitTesting, the task must
  /// belong to a test.
  let isKnown: Bool

  /// The requester for code that runs on this thread.
  static var current: Requester {
    let registry = StubRegistry.local
    let lateScope = CallbackScope.current.flatMap { $0.isOver(for: registry) ? $0 : nil }
    return Requester(registry: registry, lateScope: lateScope, isKnown: registry != nil || RunningTest.isKnown)
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
    case .unclaimed: return nil
    case .registry(let registry, let acceptance, let confidence, let callbackScope):
      let obstacle = confidence == .onlyScope && request.isLoopback ? Obstacle.unattributed(.loopback) : nil
      self.init(
        registry, acceptance, confidence, callbackScope: callbackScope, obstacle: obstacle, isMadeHere: true)
    case .over(let callbackScope, let isBySession):
      self.init(
        .placeholder, callbackScope: callbackScope,
        obstacle: .failure(StubScopeEndedError(isBySession: isBySession)), isMadeHere: true)
    case .unclear(let callbackScope):
      self.init(
        .placeholder, callbackScope: callbackScope, obstacle: .unattributed(.several), isMadeHere: true)
    }
  }
}
