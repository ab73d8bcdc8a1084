import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The registry that a request belongs to.
///
/// The registry that was installed in the session comes first, then that of the task, then that of the scope that
/// created the session, and then the global one if it is enabled. A request that none of them claims is
/// *unattributed*. It can belong to any running test, so it must not reach the network only because nobody knows
/// which.
enum Attribution: ~Copyable {
  /// The request belongs to a registry that takes requests.
  case registry(HeldRegistry, StubRegistry.Intake, Evidence)
  /// The request belongs to a scope that has ended.
  case over(isBySession: Bool)
  /// The request can belong to any of several open scopes.
  case unclear
  /// The request belongs to nobody. It goes out as if StubKit didn't exist.
  case nobody
}

/// How StubKit knows that a request belongs to its registry.
enum Evidence: Sendable, CaseIterable {
  /// By the code that makes it, or by a session that is bound to the registry.
  case certain
  /// Only by its session, which was created in the registry's scope.
  case session
  /// Only because no other scope is open.
  case onlyScope

  var isInferred: Bool { self != .certain }
}

extension Attribution {
  /// Attributes a request that is made through a session with a mark.
  init(_ mark: SessionMark?, by requester: @autoclosure () -> Requester, among scopes: LivingScopes = .shared) {
    if case .installed(let registry) = mark {
      self = registry.map { Self.taken(by: $0, .certain) } ?? .over(isBySession: true)
      return
    }
    let requester = requester()
    if let registry = requester.registry {
      self = requester.isLate ? .over(isBySession: false) : Self.taken(by: registry, .certain)
    } else if case .madeIn(let registry) = mark {
      guard let registry, registry.isEnabled else {
        self = registry == nil ? .over(isBySession: true) : .nobody
        return
      }
      self = registry.scopes.isEmpty ? .over(isBySession: true) : Self.taken(by: registry, .session)
    } else if let intake = StubRegistry.global.intake {
      self = .registry(HeldRegistry(.global), intake, .certain)
    } else if requester.isKnown || scopes.isEmpty || StubRegistry.global.isSwitchedOff {
      // A test without a scope keeps the network.
      self = .nobody
    } else {
      switch scopes.census {
      case .none: self = .nobody
      case .several: self = .unclear
      case .one(let held): self = Self.taken(by: held.registry, .onlyScope)
      }
    }
  }

  private static func taken(by registry: StubRegistry, _ evidence: Evidence) -> Attribution {
    registry.intake.map { .registry(HeldRegistry(registry), $0, evidence) } ?? .nobody
  }
}
