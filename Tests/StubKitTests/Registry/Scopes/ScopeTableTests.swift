import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Some in a process of their own: what becomes of a request depends on all scopes that are open, and on the global
/// registry. DepartureTests have what follows for each, and IsolationTableTests each place of a test.
@Suite("A request's scope", .inTurn)
struct ScopeTableTests {
  @Test("is the innermost open one if nothing names it and all are nested, and unclear if two are side by side")
  func inferred() {
    let (outer, inner, other) = (StubRegistry(), StubRegistry(), StubRegistry())
    // A scope whose registry is disabled takes no requests, and counts as none.
    let shield = StubRegistry(isEnabled: false)
    for (name, inside, expected) in [
      ("none", [], "never"), ("only a shield", [(shield, nil)], "never"), ("one", [(outer, nil)], "outer"),
      ("one inside another", [(outer, nil), (inner, outer)], "inner"),
      ("a shield inside one", [(outer, nil), (shield, outer)], "outer"),
      ("a shield between two", [(outer, nil), (shield, outer), (inner, shield)], "inner"),
      ("two side by side", [(other, nil), (outer, nil)], "several"),
      ("two inside one", [(outer, nil), (other, outer), (inner, outer)], "several"),
      ("one beside a shield", [(shield, nil), (outer, nil)], "outer"),
    ] as [(String, [(StubRegistry, StubRegistry?)], String)] {
      let scopes = OpenScopes()
      func found() -> String {
        switch scopes.inferred() {
        case .only(let found, _):
          found.registry === inner ? "inner" : found.registry === outer ? "outer" : "another"
        case let other: String("\(other)".prefix { $0.isLetter })
        }
      }
      for (registry, parent) in inside { scopes.open(registry, inside: parent) }
      #expect(found() == expected, "\(name)")
      if expected == "inner" {
        scopes.close(outer)
        #expect(found() == "inner", "\(name), whose outer one has ended")
      }
      for (registry, _) in inside { scopes.close(registry) }
      #expect(found() == (expected == "never" ? "never" : "ended"), "\(name), and no more")
    }
  }

  @Test(
    "is the global one if that is enabled, or the only open one if its test runs alone",
    arguments: [
      (runsAlone: false, isBesideAnother: false, expected: "global"), (true, false, "only"), (true, true, "global"),
      (false, true, "global"),
    ])
  func besideGlobal(runsAlone: Bool, isBesideAnother: Bool, expected: String) {
    let (scopes, registry, other) = (OpenScopes(), StubRegistry(), StubRegistry())
    registry.testReport = TestReport(of: "test", runsAlone: runsAlone)
    scopes.open(registry)
    if isBesideAnother { scopes.open(other) }
    // The name of the case.
    #expect("\(scopes.inferred(besideGlobal: true))".prefix { $0.isLetter } == expected)
  }

  @Test("a request that names no scope belongs to the global registry if that is enabled, and no scope is open")
  func globalAlone() { #expect("\(OpenScopes().inferred(besideGlobal: true))" == "global(isAlone: true)") }

  @Test("isn't given to requests that a handler makes after its end", .startsProcess)
  func late() async {
    await #expect(processExitsWith: .success) {
      try await LateTable().check(.nothing)
      try await LateTable().check(.otherScope)
      try await LateTable().check(.outerScope)
    }
    await #expect(processExitsWith: .success) { try await LateTable().check(.globalInUse) }
  }

  @Test("has no stubs from outside of it, and the report of a request says so", .startsProcess)
  func forgottenScope() async {
    await #expect(processExitsWith: .success) {
      stub(condition: isHost("api.example") && isPath("/users"), response: .status(204), in: .global, line: 3)
      let error = await withStubs { await URLSession.shared.failure(of: "http://api.example/users") }
      let hint = "A stub outside of every scope would match:\n  isHost(\"api.example\") && isPath(\"/users\")"
      guard let text = error?.localizedDescription, text.contains(hint), text.contains("Add the trait .stubbed")
      else { throw WrongAnswer(what: "\(error as Any)") }
    }
  }

  @Test("is the only open one for a local server's paths that have a stub there", .startsProcess)
  func closureAndLoopback() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      try await withStubs {
        stub(condition: { $0.url?.path == "/closure" }, response: .text("closure"))
        stub(condition: isPath("/body") && hasBody(Data("wanted".utf8)), response: .text("body"))
        // What no stub is for goes to the server. "/body" has a stub, so it stays, though its body is another one.
        for (path, expected) in [("/closure", "closure"), ("/real", "network"), ("/body", "no stub")] {
          let found: String = try await untilResumed { continuation in
            DispatchQueue(label: "plain").async {
              URLSession.shared.dataTask(with: server.url(path)) { continuation.resume(returning: outcome($0, $2)) }
                .resume()
            }
          }
          guard found == expected else { throw WrongAnswer(what: "\(path): \(found)") }
        }
      }
    }
  }
}

private func outcome(_ data: Data?, _ error: (any Error)?) -> String {
  if error is StubScopeEndedError { return "ended" }
  if error is UnmatchedRequestError { return "no stub" }
  guard error == nil, let data else { return "\(error as Any)" }
  let text = String(decoding: data, as: UTF8.self)
  return text.hasPrefix("real ") ? "network" : text
}

private func registry(_ name: String) -> StubRegistry {
  let registry = StubRegistry()
  stub(condition: isPath("/stubbed") || isPath("/next"), response: .text(name), in: registry)
  stub(condition: isPath("/first"), response: .status(204), in: registry)
  stub(condition: isPath("/held"), response: .noAnswer, in: registry)
  return registry
}

/// Every way to make a request whose handler runs after the end of its scope × what the handler finds × whether it
/// makes its requests in a task, each with what the rules say becomes of three requests, one after the other.
private final class LateTable: Sendable {
  /// How the first request is made, while its scope is open.
  enum Maker: CaseIterable {
    /// By the code of the scope.
    case code
    /// On a plain queue, through a session that is bound to the scope's registry, or was created in the scope.
    case boundSession, session
    /// On a plain queue, while no other scope is open, or two.
    case queue, unclear
    /// On a plain queue, to a server of this machine that the scope has no stub for.
    case network
  }

  /// What the handler finds when its scope has ended.
  enum Situation { case nothing, otherScope, outerScope, globalInUse }

  private let server: LoopbackServer
  /// Opens when the scopes of the first requests have ended, and the situation is there.
  private let isThere = Latch()

  init() throws {
    server = try LoopbackServer()
    SessionInstallation.activateScopes()
    // Without a test framework, any code in a task counts as a test's.
    RunningTest.use(nil)
  }

  private static func expected(_ maker: Maker, _ situation: Situation, inTask: Bool) -> String {
    if situation == .outerScope { return "outer" }
    guard maker == .network else {
      // What code or a bound session has claimed for the scope is not the global registry's.
      return situation == .globalInUse && maker != .code && maker != .boundSession ? "global" : "ended"
    }
    return switch situation {
    case .nothing, .outerScope: "network"
    // Any code in a task counts as a test's.
    case .otherScope: inTask ? "network" : "other"
    case .globalInUse: "global"
    }
  }

  /// Throws if something comes to something else. In one process, the global registry can come into use once.
  func check(_ situation: Situation) async throws {
    var running: [(row: String, expected: String, found: Locked<[String]>)] = []
    func begin(_ maker: Maker, inTask: Bool) async throws {
      let row = "\(maker), \(situation), in a task: \(inTask)"
      let found = Locked<[String]>([])
      try await makeFirst(maker, row) { [self] in ask(inTask, found) }
      running.append((row, Self.expected(maker, situation, inTask: inTask), found))
    }
    let compare = { [self] in
      isThere.open()
      for (row, expected, found) in running {
        try await until("\(row) has made its requests") { found.withLock { $0.count == 3 } }
        let found = found.withLock { $0 }
        guard found.allSatisfy({ $0 == expected }) else { throw WrongAnswer(what: "\(row): \(found), not \(expected)") }
      }
    }
    if situation == .outerScope {
      return try await withStubs(in: registry("outer")) {
        try await begin(.queue, inTask: false)
        try await compare()
      }
    }
    for maker in Maker.allCases {
      for inTask in [false, true] { try await begin(maker, inTask: inTask) }
    }
    switch situation {
    case .otherScope: return try await withStubs(in: registry("other"), compare)
    case .globalInUse: stub(condition: isPath("/next"), response: .text("global"))
    case .nothing, .outerScope: break
    }
    try await compare()
  }

  /// Makes the requests of the handler.
  private func ask(_ inTask: Bool, _ found: Locked<[String]>) {
    let make: @Sendable () -> Void = { [self] in
      URLSession.shared.dataTask(with: server.url("/next")) { [self] data, _, error in
        let count = found.withLock { found in
          found.append(outcome(data, error))
          return found.count
        }
        if count < 3 { ask(inTask, found) }
      }.resume()
    }
    if inTask { Task { make() } } else { make() }
  }

  /// Makes a request in a scope that then ends. Its handler waits for the situation, without blocking its thread.
  private func makeFirst(_ maker: Maker, _ row: String, _ next: @escaping @Sendable () -> Void) async throws {
    let own = registry("own")
    let isCalled = Latch()
    let make: @Sendable (URLSession) -> Void = { [self] session in
      session.dataTask(with: server.url(maker == .network ? "/real" : "/held")) { [isThere] _, _, _ in
        isCalled.open()
        let scope = CallbackScope.current
        Thread.detachNewThread {
          isThere.blockUntilOpened()
          if let scope { scope.run(next) } else { next() }
        }
      }.resume()
    }
    // It belongs to no scope.
    let plain = StubRegistry.$local.withValue(nil) { URLSession(configuration: .patient) }
    let bound = own.makeSession()
    try await Self.within(maker) {
      try await withStubs(in: own) {
        let inScope = URLSession(configuration: .patient)
        let session = maker == .session ? inScope : maker == .boundSession ? bound : plain
        guard maker != .code else { return make(session) }
        await withCheckedContinuation { continuation in
          DispatchQueue(label: "plain").async {
            make(session)
            continuation.resume()
          }
        }
        guard maker == .unclear || maker == .network else { return }
        try await until("\(row) is called") { isCalled.isOpen }
      }
    }
  }

  private static func within(_ maker: Maker, _ body: () async throws -> Void) async throws {
    guard maker == .unclear else { return try await body() }
    let second = registry("second")
    _ = second.inFlight.changeDepth(by: 1)
    OpenScopes.shared.open(second)
    defer {
      _ = second.inFlight.changeDepth(by: -1)
      OpenScopes.shared.close(second)
      _ = second.inFlight.endAll(with: StubScopeEndedError())
    }
    try await body()
  }
}
