/// A request that can belong to any of several open scopes.
///
/// StubKit can't answer it, because each scope has its own stubs, and must not send it to the network. The request
/// therefore fails.
struct UnclearOrigin: Sendable {
  var scopes = LivingScopes.shared

  /// Returns the error that fails the request, or `nil` for a request to this machine that no scope has a stub for.
  ///
  /// The error is an issue of the only test whose scope has a matching stub. If there are several, it is a warning of
  /// each, because StubKit can't tell which of them is at fault.
  func failure(of request: URLRequest) -> UnmatchedRequestError? {
    var facts = RequestFacts(request)
    var (matching, list): ([ObjectIdentifier], ScopeList) = ([], ScopeList())
    for id in scopes.ids {
      scopes.visit(id) { registry in
        guard registry.isEnabled else { return }
        let stub = registry.stubs.newest(for: &facts, hasBody: request.httpBody != nil)
        if stub != nil { matching.append(id) }
        list.add(registry, matching: stub)
      }
    }
    guard !matching.isEmpty || !request.isLoopback else { return nil }
    let error = UnmatchedRequestError(ofNobodys: request, open: list)
    for id in matching { scopes.visit(id) { $0.acceptance?.misses?.add(error, isCertain: matching.count == 1) } }
    return error
  }
}

extension UnmatchedRequestError {
  fileprivate init(ofNobodys request: URLRequest, open scopes: ScopeList) {
    let prefix = "It is unclear whose request this is: "
    let count =
      switch scopes.matchCount {
      case 0: "None has a matching stub."
      case 1: "One has a matching stub."
      default: "\(scopes.matchCount) have a matching stub."
      }
    var lines = [
      prefix + Excerpt.middle(request.summary, 100 - prefix.count),
      "It was made on a queue, on a thread or in a detached task, through a session that was created",
      "outside of every scope. \(scopes.count) scopes are open. \(count)",
    ]
    lines += scopes.lines(6)
    lines += [
      "Create the session in the test, or with StubRegistry.current.makeSession(). If you can't, let the tests",
      "run one after another: .serialized, or swift test --no-parallel. If code outside of scopes may use the",
      "network, write once: StubRegistry.global.isEnabled = false.",
    ]
    self.init(request: request, nearest: [], description: lines.joined(separator: "\n"))
  }
}

extension [Stub] {
  /// Returns the newest stub that can answer a request. A closure counts as not met, and a body criterion as met if the
  /// request doesn't have its body with it.
  func newest(for facts: inout RequestFacts, hasBody: Bool) -> Stub? {
    for stub in reversed() where !stub.isUsedUp {
      switch stub.condition.verdictByHead(&facts) {
      case .matches: return stub
      case .undecided where !stub.condition.holdsClosure:
        guard hasBody else { return stub }
        var captures = Captures()
        if stub.condition.evaluate(&facts, closures: .run, captures: &captures) == .matches { return stub }
      case .undecided, .fails: continue
      }
    }
    return nil
  }
}
