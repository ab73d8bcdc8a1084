/// The part of a report that relates other scopes to an unmatched request, in at most eight lines, unless stubs of
/// several scopes match.
///
/// If it is certain that the request belongs to its registry, the scopes of other tests have nothing to do with it,
/// whatever stubs they contain.
struct ScopeHints {
  let scopes: LivingScopes
  let incoming: IncomingRequest
  /// The registry that was asked.
  let registry: StubRegistry

  var lines: [String] {
    let isGlobal = registry === StubRegistry.global
    let enclosing = matches(in: scopes.enclosing(registry))
    if enclosing.isEmpty, !isGlobal, let stub = match(in: .global), stub.condition.criterionCount > 0 {
      return [
        "A stub outside of every scope would match:", "  \(stub.line)",
        "It was registered where no scope is open. Add the trait .stubbed to the test that registers it, or",
        "to its suite. In XCTest, inherit from StubbedTestCase.",
      ]
    }
    if let stub = enclosing.first {
      return [
        "A stub of an enclosing scope would match:", "  \(stub.line)",
        "A scope does not inherit stubs. Register the stub inside it, or open it with",
        "withStubs(registry: .current).",
      ]
    }
    let others = scopes.ids.filter { $0 != ObjectIdentifier(registry) }
    if isGlobal {
      var list = ScopeList()
      for id in others { scopes.visit(id) { list.add($0, matching: match(in: $0)) } }
      guard list.count > 0 else { return [] }
      let count = list.count == 1 ? "One scope is open:" : "\(list.count) scopes are open:"
      return ["The request was made outside of every scope. \(count)"] + list.lines(3) + Self.cure
    }
    let hint =
      switch incoming.evidence {
      case .certain: nil as String?
      case .session: "The request belongs to this scope only because its session was created here."
      case .onlyScope: "The request names no scope. It belongs here only because no other scope is open."
      }
    guard let hint else { return [] }
    let found = matches(in: others)
    let heading = found.count == 1 ? "A stub of another scope would match:" : "Stubs of other scopes would match:"
    var lines = found.isEmpty ? [] : [heading]
    for stub in found where !lines.contains("  \(stub.line)") { lines.append("  \(stub.line)") }
    return lines + [hint, "It may come from another test."] + Self.cure
  }

  static let cure = [
    "A request belongs to the scope of its task or its session. If it leaves its task, create the session",
    "with the registry's makeSession(), or pass its configuration to install(in:).",
  ]

  /// Returns the stubs that would answer in other scopes, the one with the most criteria first. A stub that accepts any
  /// request is no hint.
  private func matches(in others: [ObjectIdentifier]) -> [Stub] {
    let found = others.map { scopes.visit($0, match) ?? nil }
    return found.compactMap(\.self).filter { $0.condition.criterionCount > 0 }
      .sorted { $0.condition.criterionCount > $1.condition.criterionCount }
  }

  /// Returns the stub that would answer in a scope.
  private func match(in registry: StubRegistry) -> Stub? {
    var search = StubSearch(registry, incoming)
    guard registry.isEnabled, case .found(let stub, _) = search.next(closures: .skip) else { return nil }
    return stub
  }
}

extension RequestMatcher {
  /// The number of criteria that the condition requires together, or 0 for one that accepts any request.
  fileprivate var criterionCount: Int {
    if case .all(let children, _) = node { children.count } else { 1 }
  }
}
