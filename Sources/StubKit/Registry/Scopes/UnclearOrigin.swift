#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request that can belong to any of several open scopes.
///
/// StubKit can't answer it, because each scope has its own stubs, and must not send it to the network. The request
/// therefore fails.
struct UnclearOrigin: Sendable {
  private let scopes: LivingScopes
  /// The tests whose scopes were open when the request was made, each of which waits for the result.
  private let questions: [ObjectIdentifier: MissCollection.Question]

  /// Call this where the request is made, so that no test ends before it learns of the request.
  init(among scopes: LivingScopes = .shared) {
    self.scopes = scopes
    questions = scopes.questions
  }

  /// Returns the error that fails the request, or `nil` for a request to this machine that no scope has a stub for.
  ///
  /// The error becomes an issue of each test whose scope has a matching stub.
  func failure(of request: URLRequest) -> UnmatchedRequestError? {
    defer { for question in questions.values { question.decide() } }
    var facts = RequestFacts(request)
    var (matches, others): ([(id: ObjectIdentifier, line: String)], [String]) = ([], [])
    for id in scopes.ids {
      scopes.visit(id) { registry in
        guard registry.isEnabled else { return }
        let stubs = registry.stubs
        if let stub = stubs.newest(forHeadOf: &facts) {
          matches.append((id, "  one with a matching stub: \(stub.line)"))
        } else if let first = stubs.first {
          others.append(
            "  one with \(stubs.count == 1 ? "1 stub" : "\(stubs.count) stubs"), the first at \(first.location)")
        } else {
          others.append("  one without stubs")
        }
      }
    }
    guard !matches.isEmpty || !request.isLoopback else { return nil }
    let error = UnmatchedRequestError(
      ofNobodys: request, open: matches.map(\.line) + others, matchCount: matches.count)
    for match in matches { questions[match.id]?.miss(error) }
    return error
  }
}

extension UnmatchedRequestError {
  fileprivate init(ofNobodys request: URLRequest, open scopes: [String], matchCount: Int) {
    let prefix = "It is unclear whose request this is: "
    let listed = scopes.count > 6 ? scopes.prefix(5) + ["  and \(scopes.count - 5) more"] : scopes[...]
    let count =
      switch matchCount {
      case 0: "None has a matching stub."
      case 1: "One has a matching stub."
      default: "\(matchCount) have a matching stub."
      }
    var lines = [
      prefix + Excerpt.middle(request.summary, 100 - prefix.count),
      "It was made on a queue, on a thread or in a detached task, through a session that was created",
      "outside of every scope. \(scopes.count) scopes are open. \(count)",
    ]
    lines += listed
    lines += [
      "Create the session in the test or with StubRegistry.current.makeSession(), or make the request in a",
      "task of the test. If code outside of scopes may use the network, write once:",
      "StubRegistry.global.isEnabled = false.",
    ]
    self.init(request: request, nearest: [], description: lines.joined(separator: "\n"))
  }
}

extension [Stub] {
  /// Returns the newest stub that can answer a request, judged by the request's head. A body criterion counts as met,
  /// and a closure as not met.
  func newest(forHeadOf facts: inout RequestFacts) -> Stub? {
    for stub in reversed() where !stub.isUsedUp {
      switch stub.condition.verdictByHead(&facts) {
      case .matches: return stub
      case .undecided where !stub.condition.holdsClosure: return stub
      case .undecided, .fails: continue
      }
    }
    return nil
  }
}
