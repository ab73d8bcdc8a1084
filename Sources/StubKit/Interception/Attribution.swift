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

/// The mark that says which registry a session belongs to: a class of that registry in its `protocolClasses`.
///
/// The class survives every way in which a session is copied, kept and used on other queues. It is created on first use,
/// and never used for a second registry, so that a session that outlives its registry can't get into another one. Classes
/// are never unregistered, because there is no hook for the end of the last configuration that names one. A registry that
/// creates sessions therefore leaks about a kilobyte.
struct SessionMark {
  enum Kind {
    /// The registry was installed in the session's configuration.
    case installed
    /// The session was created in the scope of the registry.
    case madeIn
  }

  let kind: Kind
  /// The registry, or `nil` if it is gone.
  private(set) weak var registry: StubRegistry?
  /// The registry, if the session must keep it alive.
  private var kept: StubRegistry?
  /// The name of the test, when the registry is gone.
  private(set) var test: String?

  private static let marks = Protected<[ObjectIdentifier: SessionMark]>([:])

  fileprivate static func makeClass(_ kind: Kind, for registry: StubRegistry) -> StubURLProtocol.Type {
    marks.withLock { marks in
      let type = type(marks.count + 1) as! StubURLProtocol.Type
      marks[ObjectIdentifier(type)] = SessionMark(kind: kind, registry: registry)
      return type
    }
  }

  /// Keeps a registry alive as long as a session can ask for it, which is for ever.
  static func keep(_ registry: StubRegistry) {
    let type = ObjectIdentifier(registry.mark(.installed))
    marks.withLock { $0[type]?.kept = registry }
  }

  /// Notes the test of a registry that is gone.
  fileprivate static func forget(_ type: AnyClass, _ test: String?) {
    marks.withLock { $0[ObjectIdentifier(type)]?.test = test }
  }

  /// Returns a class for each number. Its nesting follows the binary digits of the number, the last one outermost, so
  /// each number takes only one class.
  ///
  /// The result is an `Any.Type` because the optimizer takes an opened class type for its static type.
  private static func type(_ number: Int) -> Any.Type {
    func type<Rest>(after _: Rest.Type) -> Any.Type { number & 1 == 0 ? Zero<Rest>.self : One<Rest>.self }
    return number == 0 ? Never.self : _openExistential(Self.type(number >> 1), do: type)
  }

  private class Marked: StubURLProtocol {
    override class var mark: SessionMark? { SessionMark.marks.withLock { $0[ObjectIdentifier(self)] } }
  }

  private final class Zero<Rest>: Marked {}
  private final class One<Rest>: Marked {}
}

extension StubRegistry {
  /// Returns the class that marks sessions with this registry.
  func mark(_ kind: SessionMark.Kind) -> StubURLProtocol.Type {
    let type: AnyClass = mark("\(kind)") {
      Mark(type: SessionMark.makeClass(kind, for: self), forget: SessionMark.forget)
    }
    return type as! StubURLProtocol.Type
  }
}
