import Foundation

/// The scopes that are open: what a report asks when a request may have been made in the wrong one.
final class LivingScopes: Sendable {
  static let shared = LivingScopes()

  private let state = Protected(State())

  private struct State {
    var scopes: [ObjectIdentifier: Scope] = [:]
    var lastNumber = 0
  }

  private struct Scope {
    // The reference is good as long as the scope stands here: who entered it holds the registry until after `leave`.
    let registry: Unmanaged<StubRegistry>
    let number: Int
    /// How many scopes of the registry are open.
    var depth = 1
  }

  /// To be balanced by `leave` while the registry is held.
  func enter(_ registry: StubRegistry) {
    state.withLock { state in
      let id = ObjectIdentifier(registry)
      guard state.scopes[id] == nil else { return state.scopes[id]!.depth += 1 }
      state.lastNumber += 1
      state.scopes[id] = Scope(registry: .passUnretained(registry), number: state.lastNumber)
    }
  }

  func leave(_ registry: StubRegistry) {
    state.withLock { state in
      let id = ObjectIdentifier(registry)
      state.scopes[id]?.depth -= 1
      if state.scopes[id]?.depth == 0 { state.scopes[id] = nil }
    }
  }

  /// How many registries have a scope that is open.
  var count: Int { state.withLock { $0.scopes.count } }

  /// The identities of the registries, the last one entered first.
  private var ids: [ObjectIdentifier] {
    state.withLock { $0.scopes.sorted { $0.value.number > $1.value.number }.map(\.key) }
  }

  /// Looks at a registry as long as its scope is open; nil if it is not any more.
  @discardableResult
  private func visit<Result>(_ id: ObjectIdentifier, _ body: (StubRegistry) -> Result) -> Result? {
    guard let held = state.withLock({ $0.scopes[id]?.registry.retain() }) else { return nil }
    defer {
      // The scope may have ended meanwhile. What a registry's stubs hold is the user's, and this may be a queue of
      // URLSession's: a registry that ends does so elsewhere.
      if !held.takeUnretainedValue().scopes.whileHeld({ held.release() }) {
        DispatchQueue.global().async { held.release() }
      }
    }
    return body(held.takeUnretainedValue())
  }
}

extension LivingScopes {
  /// More are not searched: a report is to come at once.
  private static let mostSearched = 256
  private static let mostListed = 3

  /// What other scopes have to do with a request that none of its own scope's stubs matches, in at most eight lines.
  func report(_ incoming: IncomingRequest, madeIn registry: StubRegistry) -> [String] {
    let others = ids.filter { $0 != ObjectIdentifier(registry) }
    var lines: [String] = []
    if let stub = match(incoming, in: others, exceptFor: registry) {
      lines.append("A stub of another scope would match:")
      lines.append("  \(stub)")
    }
    if incoming.isInferred {
      lines.append("The request came here by its session, which was made in this scope: it may be another test's.")
    }
    if registry === StubRegistry.global, !others.isEmpty {
      lines.append(
        "The request was made outside of every scope. \(others.count == 1 ? "One is open:" : "\(others.count) are open:")"
      )
      lines += list(others)
    }
    if !lines.isEmpty {
      lines.append(
        "A request belongs to the scope of its task, or of its session: for one that leaves its task, make")
      lines.append("the session with the registry's makeSession(), or its configuration with install(in:).")
    }
    return lines
  }

  /// The line of the stub that would answer in one of them, or outside of all scopes: of several the one that asks for most,
  /// since one that takes any request is no hint, then the one of the newest scope.
  private func match(
    _ incoming: IncomingRequest, in others: [ObjectIdentifier], exceptFor registry: StubRegistry
  ) -> String? {
    var best: (line: String, criteria: Int)?
    func search(_ registry: StubRegistry) {
      var search = StubSearch(registry, incoming)
      guard registry.isEnabled, case .found(let stub, _) = search.next(closures: .defer) else { return }
      let criteria = stub.condition.criterionCount
      if criteria > best?.criteria ?? 0 { best = (stub.line, criteria) }
    }
    for id in others.prefix(Self.mostSearched) { visit(id, search) }
    if registry !== StubRegistry.global { search(.global) }
    return best?.line
  }

  private func list(_ others: [ObjectIdentifier]) -> [String] {
    let limit = others.count > Self.mostListed ? Self.mostListed - 1 : Self.mostListed
    var lines = others.prefix(limit).compactMap { id in
      visit(id) { registry in
        let stubs = registry.stubs
        guard let first = stubs.first else { return "  one without stubs" }
        return "  one with \(stubs.count == 1 ? "1 stub" : "\(stubs.count) stubs, the first") at \(first.location)"
      }
    }
    if others.count > limit { lines.append("  and \(others.count - limit) more") }
    return lines
  }
}

extension RequestMatcher {
  /// How many things the condition asks for together; 0 for one that takes any request.
  fileprivate var criterionCount: Int {
    if case .all(let children) = node { children.count } else { 1 }
  }
}
