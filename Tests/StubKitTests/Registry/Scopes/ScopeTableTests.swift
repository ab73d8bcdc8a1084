import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Each in a process of its own: what becomes of a request depends on all scopes that are open, and on the global
/// registry.
@Suite("A request's scope", .inTurn)
struct ScopeTableTests {
  #if compiler(>=6.2)
    @Test("is the one that the rules say", .startsProcess)
    func rules() async {
      await #expect(processExitsWith: .success) {
        let table = try ScopeTable()
        try await table.check(global: .unused)
        for _ in 0..<2 {
          HTTPStubs.removeAllStubs()
          stub(condition: isPath("/stubbed"), response: .text("global"))
          try await table.check(global: .inUse)
        }
        StubRegistry.global.isEnabled = false
        try await table.check(global: .switchedOff)
      }
    }

    @Test("is unknown in a task without a test", .startsProcess)
    func detachedTasks() async {
      await #expect(processExitsWith: .success) {
        try await ScopeTable(framework: NoTest.self).check(global: .unused)
        try await ScopeTable(framework: SomeTest.self).check(global: .unused)
      }
    }

    @Test("is over in a handler that comes after its end", .startsProcess)
    func late() async {
      await #expect(processExitsWith: .success) {
        try await LateTable().check(.nothing)
        try await LateTable().check(.otherScope)
        try await LateTable().check(.outerScope)
      }
      await #expect(processExitsWith: .success) { try await LateTable().check(.globalInUse) }
      await #expect(processExitsWith: .success) { try await LateTable().check(.switchedOff) }
    }

    @Test("has no stub of those outside of every scope", .startsProcess)
    func forgottenScope() async {
      await #expect(processExitsWith: .success) {
        stub(condition: isHost("api.example") && isPath("/users"), response: .empty(), in: .global, line: 3)
        let error = await withStubs { await URLSession.shared.failure(of: "http://api.example/users") }
        let hint = "A stub outside of every scope would match:\n  isHost(\"api.example\") && isPath(\"/users\")"
        guard let text = error?.localizedDescription, text.contains(hint), text.contains("Add the trait .stubbed")
        else { throw WrongAnswer(what: error?.localizedDescription ?? "none") }
      }
    }

    @Test("is the open one for a local server", .startsProcess)
    func closureAndLoopback() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer()
        try await withStubs {
          stub(condition: { $0.url?.path == "/closure" }, response: .text("closure"))
          stub(condition: isPath("/body") && hasBody(Data("wanted".utf8)), response: .text("body"))
          for (path, expected) in [("/closure", "closure"), ("/real", "network"), ("/body", "no stub")] {
            let found = try await ScopeTable.outcome(of: server.url(path), at: .queue)
            guard found == expected else { throw WrongAnswer(what: "\(path): \(found)") }
          }
        }
      }
    }
  #endif
}

/// Every way to make a request × what is open × the state of the global registry × the request's host and path, each
/// with what the rules say becomes of it: `network`, `no stub`, `unclear`, `ended`, or the name of the scope that
/// answers.
private final class ScopeTable: Sendable {
  enum Global { case unused, inUse, switchedOff }

  /// Where the request is made by code that is in the innermost of the scopes.
  enum Place: CaseIterable { case task, childTask, handler, queue, mainQueue, thread, detachedTask }

  /// Which scopes are open, and whose a request then is: one of the innermost scope's code, and one that names no
  /// scope.
  enum Opening: CaseIterable {
    case none, one, nested, shielded, shieldBetween, sideBySide, twoInsideOne, besideDisabled, outerLeft, noneAnyMore

    var answers: (own: String, nobodys: String)? {
      switch self {
      case .none, .noneAnyMore: nil
      case .one, .besideDisabled, .outerLeft: ("own", "own")
      case .nested, .shieldBetween: ("inner", "inner")
      // The shield's code may use the network.
      case .shielded: ("network", "outer")
      case .sideBySide, .twoInsideOne: ("own", "unclear")
      }
    }
  }

  enum Host: CaseIterable {
    case loopback
    /// Another name for this machine, which nobody takes for a loopback host.
    case other

    func url(_ server: LoopbackServer, _ path: String) -> URL {
      URL(string: "http://\(self == .loopback ? "127.0.0.1" : "0.0.0.0"):\(server.port)\(path)")!
    }
  }

  private let server: LoopbackServer
  /// Whether code in a task of which the test framework knows no test is nobody's.
  private let asksForTests: Bool

  init(framework: (any TestFramework.Type)? = nil) throws {
    server = try LoopbackServer()
    asksForTests = framework.map { !$0.knowsTest } ?? false
    SessionInstallation.activateScopes()
    // In the place of StubKitTesting, which this process contains.
    RunningTest.use(framework)
  }

  /// Makes all requests, those of an opening at once. Throws at the first that comes to something else.
  func check(global: Global) async throws {
    for opening in Opening.allCases {
      try await Self.within(opening) { [self] in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for place in Place.allCases {
            for host in Host.allCases {
              for path in ["/stubbed", "/unknown"] {
                let expected = expected(place, opening, host, path, global)
                group.addTask { [self] in
                  let found = try await Self.outcome(of: host.url(server, path), at: place, after: server.url("/first"))
                  guard found == expected else {
                    throw WrongAnswer(
                      what: "\(place), \(opening), \(host), \(path), global \(global): \(found), not \(expected)")
                  }
                }
              }
            }
          }
          try await group.waitForAll()
        }
      }
    }
  }

  private func expected(_ place: Place, _ opening: Opening, _ host: Host, _ path: String, _ global: Global) -> String {
    let answer = { (name: String) in
      path == "/stubbed" || name == "network" || name == "unclear" ? name : "no stub"
    }
    let isInTask = place == .task || place == .childTask
    let isKeptHandler = place == .handler
    if isInTask || isKeptHandler, let answers = opening.answers { return answer(answers.own) }
    if global == .inUse { return answer("global") }
    // The handler of such a task's request knows as much as the task.
    let isKnown = !asksForTests && (isInTask || isKeptHandler || place == .detachedTask)
    if isKnown { return "network" }
    guard let answers = opening.answers else {
      let hadScopes = if case .never = OpenScopes.shared.inferred { false } else { true }
      return hadScopes && host == .other ? "ended" : "network"
    }
    return host == .loopback && path == "/unknown" ? "network" : answer(answers.nobodys)
  }

  static func outcome(of url: URL, at place: Place, after first: URL? = nil) async throws -> String {
    try await untilResumed { continuation in
      let make: @Sendable () -> Void = {
        URLSession.shared.dataTask(with: url) { continuation.resume(returning: outcome($0, $2)) }.resume()
      }
      switch place {
      case .task: make()
      case .childTask: Task { make() }
      case .handler: URLSession.shared.dataTask(with: first!) { _, _, _ in make() }.resume()
      case .queue: DispatchQueue(label: "plain").async(execute: make)
      case .mainQueue: DispatchQueue.main.async(execute: make)
      case .thread: Thread.detachNewThread(make)
      case .detachedTask: Task.detached { make() }
      }
    }
  }

  static func outcome(_ data: Data?, _ error: (any Error)?) -> String {
    if error is StubScopeEndedError { return "ended" }
    if let error = error as? UnmatchedRequestError {
      return error.description.hasPrefix("It is unclear") ? "unclear" : "no stub"
    }
    guard error == nil, let data else { return "\(error as Any)" }
    let text = String(decoding: data, as: UTF8.self)
    return text.hasPrefix("real ") ? "network" : text
  }

  private static func within(_ opening: Opening, _ body: @escaping @Sendable () async throws -> Void) async throws {
    let (own, outer, inner, other) = (registry("own"), registry("outer"), registry("inner"), registry("other"))
    let shield = StubRegistry(isEnabled: false)
    switch opening {
    case .none, .noneAnyMore: try await body()
    case .one: try await withStubs(registry: own, body)
    case .nested: try await withStubs(registry: outer) { try await withStubs(registry: inner, body) }
    case .shielded: try await withStubs(registry: outer) { try await withStubs(registry: shield, body) }
    case .shieldBetween:
      try await withStubs(registry: outer) {
        try await withStubs(registry: shield) { try await withStubs(registry: inner, body) }
      }
    case .sideBySide: try await beside(other) { try await withStubs(registry: own, body) }
    case .twoInsideOne:
      try await withStubs(registry: outer) {
        try await beside(other, inside: outer) { try await withStubs(registry: own, body) }
      }
    case .besideDisabled: try await beside(shield) { try await withStubs(registry: own, body) }
    case .outerLeft:
      OpenScopes.shared.open(outer)
      try await StubRegistry.$local.withValue(outer) {
        try await withStubs(registry: own) {
          OpenScopes.shared.close(outer)
          try await body()
        }
      }
    }
  }

  /// Runs the body beside a scope of another test.
  static func beside(
    _ registry: StubRegistry, inside parent: StubRegistry? = nil, _ body: () async throws -> Void
  ) async rethrows {
    OpenScopes.shared.open(registry, inside: parent)
    defer {
      OpenScopes.shared.close(registry)
      _ = registry.inFlight.endAll(with: StubScopeEndedError())
    }
    try await body()
  }
}

private func registry(_ name: String) -> StubRegistry {
  let registry = StubRegistry()
  stub(condition: isPath("/stubbed") || isPath("/next"), response: .text(name), in: registry)
  stub(condition: isPath("/first"), response: .empty(), in: registry)
  stub(condition: isPath("/held"), response: .noAnswer, in: registry)
  return registry
}

/// Every way to make a request whose handler runs after the end of its scope × what the handler finds × whether it
/// makes its requests in a task × the host of the requests, each with what the rules say becomes of three requests, one
/// after the other.
private final class LateTable: Sendable {
  /// How the first request is made, while its scope is open.
  enum Maker: CaseIterable {
    /// By the code of the scope.
    case code
    /// On a plain queue, through a session that is bound to the scope's registry, or was created in the scope.
    case boundSession, session
    /// On a plain queue, while no other scope is open, only one around the scope, or two.
    case queue, queueInNestedScope, unclear
    /// On a plain queue, to a server of this machine that the scope has no stub for.
    case network
  }

  /// What the handler finds when its scope has ended.
  enum Situation { case nothing, otherScope, outerScope, globalInUse, switchedOff }

  private let server: LoopbackServer
  private let outer = registry("outer")
  /// Opens when the scopes of the first requests have ended, and the situation is there.
  private let isThere = Latch()

  init() throws {
    server = try LoopbackServer()
    SessionInstallation.activateScopes()
    RunningTest.use(nil)
  }

  private static func expected(_ maker: Maker, _ situation: Situation, _ host: ScopeTable.Host, inTask: Bool) -> String
  {
    if situation == .outerScope { return "outer" }
    guard maker == .network else {
      return situation == .globalInUse && maker != .code && maker != .boundSession ? "global" : "ended"
    }
    return switch situation {
    case .nothing, .switchedOff: inTask || host == .loopback ? "network" : "ended"
    // Any code in a task counts as a test's.
    case .otherScope: inTask ? "network" : "other"
    case .globalInUse: "global"
    case .outerScope: "network"
    }
  }

  /// Throws if something comes to something else. In one process, the global registry can come into use once.
  func check(_ situation: Situation) async throws {
    var running: [(row: String, expected: String, found: Locked<[String]>)] = []
    func begin(_ maker: Maker, _ host: ScopeTable.Host, inTask: Bool) async throws {
      let found = Locked<[String]>([])
      try await makeFirst(maker, host) { [self] in ask(host.url(server, "/next"), inTask, found) }
      running.append(
        (
          "\(maker), \(situation), \(host), in a task: \(inTask)",
          Self.expected(maker, situation, host, inTask: inTask), found
        ))
    }
    let compare = { [self] in
      isThere.open()
      for (row, expected, found) in running {
        try await until("a handler has made its requests") { found.withLock { $0.count == 3 } }
        let found = found.withLock { $0 }
        guard found.allSatisfy({ $0 == expected }) else { throw WrongAnswer(what: "\(row): \(found), not \(expected)") }
      }
    }
    if situation == .outerScope {
      return try await withStubs(registry: outer) {
        try await begin(.queue, .other, inTask: false)
        try await compare()
      }
    }
    for maker in Maker.allCases {
      for host in ScopeTable.Host.allCases {
        for inTask in [false, true] { try await begin(maker, host, inTask: inTask) }
      }
    }
    switch situation {
    case .otherScope: return try await withStubs(registry: registry("other"), compare)
    case .globalInUse: stub(condition: isPath("/next"), response: .text("global"))
    case .switchedOff: StubRegistry.global.isEnabled = false
    case .nothing, .outerScope: break
    }
    try await compare()
  }

  /// Makes the requests of the handler.
  private func ask(_ url: URL, _ inTask: Bool, _ found: Locked<[String]>) {
    let make: @Sendable () -> Void = { [self] in
      URLSession.shared.dataTask(with: url) { [self] data, _, error in
        let count = found.withLock { found in
          found.append(ScopeTable.outcome(data, error))
          return found.count
        }
        if count < 3 { ask(url, inTask, found) }
      }.resume()
    }
    if inTask { Task { make() } } else { make() }
  }

  /// Makes a request in a scope that then ends. Its handler waits for the situation, without blocking its thread.
  private func makeFirst(
    _ maker: Maker, _ host: ScopeTable.Host, _ next: @escaping @Sendable () -> Void
  ) async throws {
    let own = registry("own")
    let isCalled = Latch()
    let make: @Sendable (URLSession) -> Void = { [self] session in
      session.dataTask(with: maker == .network ? server.url("/real") : host.url(server, "/held")) { [isThere] _, _, _ in
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
    try await Self.within(maker, outer) {
      try await withStubs(registry: own) {
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
        try await until("the handler is called") { isCalled.isOpen }
      }
    }
  }

  private static func within(_ maker: Maker, _ outer: StubRegistry, _ body: () async throws -> Void) async throws {
    switch maker {
    case .queueInNestedScope: try await withStubs(registry: outer, body)
    case .unclear: try await ScopeTable.beside(registry("second"), body)
    default: try await body()
    }
  }
}

/// A test framework of which no test is running.
private final class NoTest: QuietFramework { static let knowsTest = false }

private final class SomeTest: QuietFramework { static let knowsTest = true }
