import Foundation

/// What reports say about scopes: whose request it is, which scopes are open, and what to do about it.
enum ScopeHints {
  /// Returns the lines about a request that no stub of a registry matches.
  ///
  /// If it is certain that the request belongs to the registry, the scopes of other tests have nothing to do with it,
  /// whatever stubs they contain.
  static func unmatched(
    _ incoming: IncomingRequest, _ confidence: AttributionConfidence = .certain, _ creator: EndedCreator? = nil,
    in registry: StubRegistry, scopes: OpenScopes = .shared
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
        "Register the stub inside the scope, or open the scope with withStubs(in: .current).",
        "A scope does not inherit stubs.",
      ]
    }
    if let stub = StubRegistry.global.hint(incoming) {
      let cure =
        registry.testReport?.runsAlone == true
        ? [
          "It was registered before a test ran, or by a test case that is no StubbedTestCase. Register it in",
          "setUp() of a StubbedTestCase. XCTest sets the properties of all test cases before the first test.",
        ]
        : [
          "Add the trait .stubbed to the test that registers it, or to its suite, in front of others. In XCTest,",
          "inherit from StubbedTestCase. It was registered where no scope is open.",
        ]
      return ["A stub outside of every scope would match:", "  \(stub.line)"] + cure
    }
    if let (stub, test) = scopes.endedStub(matching: incoming) {
      return [
        "A stub that \(test ?? "an earlier scope") registered would match, but ended with it:", "  \(stub.line)",
        "A static stub belongs to the test that uses it first. Register it in each test, in the init of the suite,",
        "or in setUp().",
      ]
    }
    guard confidence.isInferred else { return [] }
    return cure
      + (confidence == .session
        ? ["This one may come from another test: it is here only because its session was created here."]
        : [
          "This one may come from another test: it names no scope, so it went to the one that is open."
        ] + (creator.map { ["Its session was created by \($0), which has ended."] } ?? []) + [
          ScopeList(scopes, incoming).heading
        ])
  }

  /// Returns the report of a request that can belong to any of several scopes.
  static func unclear(_ request: URLRequest, _ creator: EndedCreator? = nil, _ scopes: OpenScopes) -> [String] {
    let list = ScopeList(scopes, IncomingRequest(request))
    let prefix = "It is unclear whose request this is: "
    return [prefix + request.summary(in: .shared).middle(100 - prefix.count)] + cure + [
      "This one was made on a queue, on a thread or in a detached task, through a session that was created",
      "\(creator.map { "by \($0), which has ended." } ?? "outside of every scope.") \(list.heading)",
    ] + list.lines
  }

  private static let cure = [
    "If the client leaves the task of its test, create its session in the test, with the registry's",
    "makeSession() for example, or pass its configuration to install(in:).",
  ]
}
