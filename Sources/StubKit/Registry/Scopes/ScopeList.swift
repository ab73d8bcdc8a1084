/// The open scopes in a report: their number, their tests, and the stubs in them that match.
struct ScopeList {
  private(set) var count = 0
  /// The tests that have them, in the order in which each is first.
  private var tests: [String] = []
  /// The matching stubs. Cases of a parameterised test share a line.
  private(set) var matches: [String] = []

  /// - Parameter excluded: The registry that was asked.
  init(_ scopes: OpenScopes, _ incoming: IncomingRequest? = nil, without excluded: StubRegistry? = nil) {
    for registry in scopes.registries.lazy.map(\.registry) where registry !== excluded && registry.isEnabled {
      count += 1
      if let test = registry.test, !tests.contains(test) { tests.append(test) }
      let stub = incoming.flatMap { registry.newestStub(forHeadOf: $0) }?.line
      if let stub, !matches.contains(stub) { matches.append(stub) }
    }
  }

  /// How many scopes are open, and whose they are.
  var heading: String {
    let heading = count == 1 ? "One scope is open" : "\(count) scopes are open"
    let names = tests.cut(to: 6) { "\($0) more" }.listed
    return heading + (names.isEmpty ? "." : ": \(names).")
  }

  var lines: [String] { matches.map { "  with a matching stub: \($0)" } }
}

extension StubRegistry {
  /// Returns a stub that would answer a request here. A stub that accepts any request is no hint.
  func hint(_ incoming: IncomingRequest) -> Stub? {
    guard isEnabled, let stub = newestStub(forHeadOf: incoming) else { return nil }
    if case .group(isEither: false, let children, _) = stub.condition.node, children.isEmpty { return nil }
    return stub
  }
}
