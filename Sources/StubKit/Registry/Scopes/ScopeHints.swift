import Foundation

/// What reports say about scopes: whose request it is, which scopes are open, and what to do about it.
enum ScopeHints {
  /// Returns the lines about a request that no stub of a registry matches.
  ///
  /// If it is certain that the request belongs to the registry, the scopes of other tests have nothing to do with it,
  /// whatever stubs they contain.
  static func unmatched(
    _ incoming: IncomingRequest, _ confidence: AttributionConfidence = .certain, in registry: StubRegistry,
    scopes: OpenScopes = .shared
  ) -> [String] {
    if registry === StubRegistry.global {
      let list = ScopeList(scopes, incoming, without: registry)
      guard list.count > 0 else { return [] }
      return cure + ["This one was made outside of every scope. \(list.heading)"] + list.lines
    }
    for outer in scopes.enclosing(registry) {
      guard let stub = outer.hint(incoming) else { continue }
      return [
        "A stub of an enclosing scope would match:", "  \(stub.line)",
        "Register the stub inside the scope, or open the scope with withStubs(registry: .current).",
        "A scope does not inherit stubs.",
      ]
    }
    if let stub = StubRegistry.global.hint(incoming) {
      return [
        "A stub outside of every scope would match:", "  \(stub.line)",
        "Add the trait .stubbed to the test that registers it, or to its suite, in front of others. In XCTest,",
        "inherit from StubbedTestCase. It was registered where no scope is open.",
      ]
    }
    guard confidence.isInferred else { return [] }
    return cure
      + (confidence == .session
        ? ["This one may come from another test: it is here only because its session was created here."]
        : [
          "This one may come from another test: it names no scope, so it went to the one that is open.",
          ScopeList(scopes, incoming).heading,
        ])
  }

  /// Returns the report of a request that can belong to any of several scopes.
  static func unclear(_ request: URLRequest, _ scopes: OpenScopes) -> [String] {
    let list = ScopeList(scopes, IncomingRequest(request))
    let prefix = "It is unclear whose request this is: "
    return [prefix + request.summary(in: .shared).middle(100 - prefix.count)] + cure + [
      "This one was made on a queue, on a thread or in a detached task, through a session that was created",
      "outside of every scope. \(list.heading)",
    ] + list.lines
  }

  private static let cure = [
    "If the client leaves the task of its test, create its session in the test, with the registry's",
    "makeSession() for example, or pass its configuration to install(in:).",
  ]
}

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
  fileprivate func hint(_ incoming: IncomingRequest) -> Stub? {
    guard isEnabled, let stub = newestStub(forHeadOf: incoming) else { return nil }
    if case .group(isEither: false, let children, _) = stub.condition.node, children.isEmpty { return nil }
    return stub
  }
}
