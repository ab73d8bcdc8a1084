import Foundation

/// The registry that a request belongs to.
///
/// The registry that was installed in the session comes first, then that of the task, then that of the scope that
/// created the session, while it is open. A session whose scope has ended is nobody's. Then comes the global registry
/// if it is enabled, but for a test of XCTest with a scope, which runs alone. A request that none of them claims keeps
/// the network if it is known to come from a test without a scope. Otherwise it belongs to the only open scope. Beside
/// several ones, or if it goes to this machine, it is *unattributed*, and its exchange decides. It can belong to any
/// test, running or ended, so it must not reach the network only because it is unknown which.
///
/// Each context has the scope of the request's callbacks, so that they can't escape either.
struct Attribution {
  let request: URLRequest
  /// What the end of the request's scope waits for if its entry begins with the context, or `nil` if none begins.
  private let begun: RequestLife.Callbacks?

  /// Returns the context of a request that is being made on this thread, through a session with a mark, or `nil` if
  /// the request goes out as if StubKit didn't exist.
  ///
  /// - Parameter begun: What the end of the request's scope waits for from now on, or `nil` if nobody makes the request
  ///   now, and the context is only asked for.
  static func context(
    for request: URLRequest, _ mark: SessionMark?, by requester: @autoclosure () -> Requester = .current,
    beginning begun: RequestLife.Callbacks?
  ) -> RequestContext? {
    // A scope that ends meanwhile can leave the last reference to its registry here.
    let owner = mark?.reference
    return withExtendedLifetime(owner) {
      Attribution(request: request, begun: begun).context(mark.map { ($0.kind, owner, $0.test) }, by: requester())
    }
  }

  private func context(
    _ mark: (kind: SessionMark.Kind, owner: RegistryReference?, test: String?)?,
    by requester: @autoclosure () -> Requester
  ) -> RequestContext? {
    if let mark, mark.kind == .installed {
      guard let owner = mark.owner else { return late(.session, mark.test) }
      return certainContext(of: owner)
    }
    let requester = requester()
    if let registry = requester.registry {
      guard let lateScope = requester.lateScope else {
        return certainContext(
          of: mark?.owner.flatMap { $0.registry === registry ? $0 : nil } ?? RegistryReference(registry))
      }
      return late(in: lateScope)
    }
    guard let mark else { return contextOfUnclaimed(nil, by: requester) }
    if let owner = mark.owner {
      guard owner.registry.isEnabled else { return disabled(nil) }
      // Read before the scopes are: if the last scope ends in between, the generation is over, and the request fails.
      let generation = owner.registry.inFlight.generation
      if !owner.registry.inFlight.isOutsideOfScopes {
        return context(of: owner, .session, CallbackScope(someOf: [generation]))
      }
    }
    return contextOfUnclaimed(EndedCreator(test: mark.owner?.registry.test ?? mark.test), by: requester)
  }

  /// Returns the context of a request that neither its task nor its session claims.
  ///
  /// - Parameter creator: The scope that created the session, if it has ended.
  private func contextOfUnclaimed(_ creator: EndedCreator?, by requester: Requester) -> RequestContext? {
    let hasGlobal = StubRegistry.global.isEnabled
    let inferred =
      hasGlobal && requester.isKnown
      ? .global(isAlone: true) : OpenScopes.shared.inferred(besideGlobal: hasGlobal)
    let departure = Departure(
      isLate: requester.lateScope != nil, isUnscoped: requester.isKnown, inferred, isLoopback: request.isLoopback,
      unscoped: HTTPStubs.unscoped)
    switch (departure, inferred) {
    case (.late, _):
      if let lateScope = requester.lateScope { return late(in: lateScope) }
      return creator.map { late(.session, $0.test) } ?? late(.outside, inferred.lastTest)
    case (_, .never), (.departs, _):
      var passage = Passage(isUnscoped: true, test: .running)
      if case .ended(let test) = inferred, !requester.isKnown {
        passage.lateness = creator.map { (.session, $0.test) } ?? (.outside, test)
      }
      if let refusal = passage.refusal(of: request) { return outside(refusal, .unscoped) }
      let scope = requester.isKnown ? CallbackScope.unscoped : nil
      if case .never = inferred {} else if scope != nil { return outside(.network(passage), scope) }
      return passage.asksRedirects(of: request) ? outside(.network(passage), scope) : nil
    case (_, .global(let isAlone)):
      return context(of: .global, isAlone ? .certain : .global, nil, creator)
    case (_, .only(let reference, let generations)):
      let route: RequestContext.Route = if case .hangsOnStubs = departure { .unclaimed(inferred) } else { .registry }
      return context(of: reference, .onlyScope, CallbackScope(someOf: generations), creator, route)
    case (_, .several(let generations)):
      // The request can belong to any of them.
      return outside(.unclaimed(inferred), CallbackScope(someOf: generations), creator)
    case (_, .ended):
      return nil
    }
  }

  /// Returns the context of a request that certainly belongs to a registry.
  private func certainContext(of reference: RegistryReference) -> RequestContext? {
    let registry = reference.registry
    let (generation, isOver) = registry.inFlight.current
    let scope = registry === StubRegistry.global ? nil : CallbackScope(reference, someOf: [generation])
    return context(of: reference, .certain, scope, isOver: isOver)
  }

  /// Returns the context of a request that belongs to a registry, if that takes requests.
  ///
  /// - Parameter isOver: Whether the registry has had a scope, and has none any more.
  private func context(
    of reference: RegistryReference, _ confidence: AttributionConfidence, _ scope: @autoclosure () -> CallbackScope?,
    _ creator: EndedCreator? = nil, _ route: @autoclosure () -> RequestContext.Route = .registry, isOver: Bool = false
  ) -> RequestContext? {
    let registry = reference.registry
    guard var snapshot = registry.snapshot(for: request) else {
      return disabled(registry.inFlight.isOutsideOfScopes ? nil : scope())
    }
    snapshot.endedCreator = creator
    if isOver, registry === StubRegistry.local {
      // A task of the test has outlived it. The registry still answers.
      RequestWarnings.later { [request, test = registry.test] in
        RequestWarnings.addLate(request, after: test, isOutside: false)
      }
      snapshot.testReport = nil
    }
    return context(of: reference, snapshot, confidence, scope(), route())
  }

  /// Returns the context of a request that was made after the end of its scope, or of every scope: that of the named
  /// test, if it is known.
  private func late(_ reason: StubScopeEndedError.Reason, _ test: String?) -> RequestContext {
    outside(.late(reason, test), .ended)
  }

  /// Returns the context of a request that a callback makes whose scope has ended.
  private func late(in scope: CallbackScope) -> RequestContext {
    outside(.late(.callback, scope.registry?.test), scope)
  }

  /// Returns the context of a request whose registry isn't enabled, or `nil` if nothing has to be known of it.
  private func disabled(_ scope: CallbackScope?) -> RequestContext? {
    let passage = Passage(isUnscoped: false, test: .running)
    if let refusal = passage.refusal(of: request) { return outside(refusal, .unscoped) }
    return scope != nil || passage.asksRedirects(of: request) ? outside(.network(passage), scope) : nil
  }

  /// Returns the context of a request that no registry answers, or that has yet to be found out.
  private func outside(
    _ route: RequestContext.Route, _ scope: CallbackScope?, _ creator: EndedCreator? = nil
  ) -> RequestContext {
    context(of: .placeholder, StubRegistry.Snapshot(endedCreator: creator), .certain, scope, route)
  }

  private func context(
    of reference: RegistryReference, _ snapshot: StubRegistry.Snapshot, _ confidence: AttributionConfidence,
    _ scope: CallbackScope?, _ route: RequestContext.Route
  ) -> RequestContext {
    RequestContext(
      reference, snapshot, confidence, callbackScope: scope, route: route, begun: begun.map { (request, $0) })
  }
}

extension RunningTest {
  /// Intercepts sessions before the first test, so that the first request of one without a scope is told, or fails. On
  /// Apple platforms, StubKit can't reach sessions that exist. The first trait or test case calls this when the
  /// framework looks for tests.
  package static func prepare() { SessionInstallation.activate() }
}

extension StubRegistry {
  /// Returns the class that marks sessions with this registry.
  func mark(_ kind: SessionMark.Kind) -> StubURLProtocol.Type {
    mark("\(kind)") { SessionMark.makeClass(kind, for: self, of: $0) } as! StubURLProtocol.Type
  }
}
