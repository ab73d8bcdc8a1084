import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Whose a request is.
///
/// A registry that was installed in the session goes first, then the task's own, then that of the scope in which the session
/// was made, then the global one. What none of them claims is *unattributed*: it may belong to any test that runs, and must
/// not reach the network because nobody knows which.
enum Attribution: ~Copyable {
  /// A registry's that takes requests.
  case registry(HeldRegistry, StubRegistry.Intake, Evidence)
  /// A scope's that has ended.
  case over(isBySession: Bool)
  /// One of several open scopes', or nobody's.
  case unclear
  /// Nobody's: it goes out as if StubKit were not there.
  case nobody
}

/// What says that a request belongs to its registry.
enum Evidence: Sendable, CaseIterable {
  /// The code that makes it, or a session that was bound to the registry.
  case certain
  /// Nothing but its session, which was made in the registry's scope.
  case session
  /// Nothing but that no other scope is open.
  case onlyScope

  var isInferred: Bool { self != .certain }
}

extension Attribution {
  /// For a request that is made through a session with that mark.
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
      // A test that has no scope keeps the network.
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
