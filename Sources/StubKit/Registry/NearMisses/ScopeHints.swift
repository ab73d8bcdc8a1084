#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The part of a report that relates other scopes to an unmatched request, in at most eight lines.
///
/// If it is certain that the request belongs to its registry, the scopes of other tests have nothing to do with it,
/// whatever stubs they contain.
struct ScopeHints {
  let scopes: LivingScopes
  let incoming: IncomingRequest
  /// The registry that was asked.
  let registry: StubRegistry

  /// The largest number of scopes to search, so that a report takes little time.
  private static let mostSearched = 256
  private static let mostListed = 3

  var lines: [String] {
    if let stub = match(in: scopes.enclosing(registry), andGlobal: registry !== StubRegistry.global) {
      return [
        "A stub of an enclosing scope would match:", "  \(stub)",
        "A scope does not inherit stubs. Register the stub inside it, or open it with",
        "withStubs(registry: .current).",
      ]
    }
    let isGlobal = registry === StubRegistry.global
    guard isGlobal || incoming.evidence.isInferred else { return [] }
    let others = scopes.ids.filter { $0 != ObjectIdentifier(registry) }
    var lines: [String] = []
    if let stub = match(in: others) { lines += ["A stub of another scope would match:", "  \(stub)"] }
    switch incoming.evidence {
    case .certain: break
    case .session:
      lines += ["The request belongs to this scope only because its session was created here.", Self.doubt]
    case .onlyScope:
      lines += ["The request names no scope. It belongs here only because no other scope is open.", Self.doubt]
    }
    if isGlobal, !others.isEmpty {
      let count = others.count == 1 ? "One scope is open:" : "\(others.count) scopes are open:"
      lines.append("The request was made outside of every scope. \(count)")
      lines += list(others)
    }
    return lines.isEmpty ? [] : lines + Self.cure
  }

  private static let doubt = "It may come from another test."

  static let cure = [
    "A request belongs to the scope of its task or its session. If it leaves its task, create the session",
    "with the registry's makeSession(), or pass its configuration to install(in:).",
  ]

  /// Returns the line of the stub that would answer in one of the scopes. Among several, the stub with the most
  /// criteria wins, because a stub that accepts any request is no hint. After that, the stub of the newest scope
  /// wins.
  private func match(in others: [ObjectIdentifier], andGlobal: Bool = false) -> String? {
    var best: (line: String, criteria: Int)?
    func search(_ registry: StubRegistry) {
      var search = StubSearch(registry, incoming)
      guard registry.isEnabled, case .found(let stub, _) = search.next(closures: .skip) else { return }
      let criteria = stub.condition.criterionCount
      if criteria > best?.criteria ?? 0 { best = (stub.line, criteria) }
    }
    for id in others.prefix(Self.mostSearched) { scopes.visit(id, search) }
    if andGlobal { search(.global) }
    return best?.line
  }

  private func list(_ others: [ObjectIdentifier]) -> [String] {
    let limit = others.count > Self.mostListed ? Self.mostListed - 1 : Self.mostListed
    var lines = others.prefix(limit).compactMap { id in
      scopes.visit(id) { registry in
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
  /// The number of criteria that the condition requires together, or 0 for one that accepts any request.
  fileprivate var criterionCount: Int {
    if case .all(let children, _) = node { children.count } else { 1 }
  }
}
