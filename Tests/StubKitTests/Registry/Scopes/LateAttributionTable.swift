import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Every way to make a request whose handler runs after the end of its scope × what the handler finds × where it makes
/// its request × that request's host, each with what the rules say becomes of the request, of the one that its handler
/// makes, and of a third.
///
/// To be checked in a process of its own.
final class LateAttributionTable: Sendable {
  /// How the first request is made, while its scope is open.
  enum Maker: CaseIterable {
    /// By the code of the scope.
    case code
    /// On a plain queue, through a session that is bound to the scope's registry.
    case boundSession
    /// On a plain queue, through a session that was created in the scope.
    case session
    /// On a plain queue, while no other scope is open, or only one around the scope.
    case queue, queueInNestedScope
    /// On a plain queue, while two scopes are open.
    case unclear
    /// On a plain queue, to a server of this machine that the scope has no stub for.
    case network
  }

  /// What the handler finds when its scope has ended.
  enum Situation: CaseIterable { case nothing, otherScope, globalInUse, switchedOff }

  enum Place: CaseIterable { case handler, task }

  struct Row: CustomStringConvertible {
    let maker: Maker
    let situation: Situation
    let place: Place
    let host: AttributionTable.Host

    var description: String { "\(maker), then \(situation), in a \(place), \(host)" }

    /// `ended`, `network`, or the name of the scope that answers.
    var expected: String {
      switch maker {
      case .code, .boundSession: return "ended"
      case .session, .queue, .queueInNestedScope, .unclear: return situation == .globalInUse ? "global" : "ended"
      case .network: break
      }
      switch situation {
      case .nothing: return place == .task || host == .loopback ? "network" : "ended"
      case .switchedOff: return "network"
      // Any code in a task counts as a test's.
      case .otherScope: return place == .task ? "network" : "other"
      case .globalInUse: return "global"
      }
    }
  }

  private let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    SessionInstallation.activateScopes()
    RunningTest.use(nil)
  }

  /// Throws at the first row that comes to something else. In one process, the global registry can come into use once.
  func check(_ situation: Situation) async throws {
    let isOver = DispatchGroup()
    isOver.enter()
    var running: [(row: Row, outcomes: Locked<[String]>)] = []
    for maker in Maker.allCases {
      for (place, host) in Place.allCases.flatMap({ place in AttributionTable.Host.allCases.map { (place, $0) } }) {
        let row = Row(maker: maker, situation: situation, place: place, host: host)
        running.append((row, try await begin(row, until: isOver)))
      }
    }
    let all = running
    let compare: @Sendable () async throws -> Void = {
      isOver.leave()
      for (row, outcomes) in all {
        try await until("a handler has made its requests") { outcomes.withLock { $0.count == 3 } }
        let found = outcomes.withLock { $0 }
        guard found == Array(repeating: row.expected, count: 3) else {
          throw WrongAnswer(what: "\(row): \(found) instead of \(row.expected)")
        }
      }
    }
    switch situation {
    case .nothing: try await compare()
    case .otherScope: try await withStubs(registry: Self.registry("other"), compare)
    case .globalInUse:
      stub(condition: isPath("/next"), response: .text("global"))
      try await compare()
    case .switchedOff:
      StubRegistry.global.isEnabled = false
      try await compare()
    }
  }

  /// Makes a request in a scope, and ends the scope. Its handler makes the next request when the situation is there.
  private func begin(_ row: Row, until isOver: DispatchGroup) async throws -> Locked<[String]> {
    let outcomes = Locked<[String]>([])
    let next = row.host.url(server, "/next")
    @Sendable func ask(_ number: Int) {
      URLSession.shared.dataTask(with: next) { data, _, error in
        outcomes.withLock { $0.append(Self.outcome(data, error)) }
        guard number < 3 else { return }
        if row.place == .task { Task { ask(number + 1) } } else { ask(number + 1) }
      }.resume()
    }
    let plain = Self.plainSession()
    let isCalled = Latch()
    let make: @Sendable (URLSession, URL) -> Void = { session, url in
      session.dataTask(with: url) { _, _, _ in
        isCalled.open()
        Self.proceed(after: isOver) { if row.place == .task { Task { ask(1) } } else { ask(1) } }
      }.resume()
    }
    let held = row.host.url(server, "/held")
    let own = Self.registry("own")
    switch row.maker {
    case .code: withStubs(registry: own) { make(plain, held) }
    case .boundSession:
      let session = own.makeSession()
      await withStubs(registry: own) { await Self.onPlainQueue { make(session, held) } }
    case .session:
      await withStubs(registry: own) {
        let session = URLSession(configuration: .patient)
        await Self.onPlainQueue { make(session, held) }
      }
    case .queue: await withStubs(registry: own) { await Self.onPlainQueue { make(plain, held) } }
    case .queueInNestedScope:
      await withStubs(registry: Self.registry("outer")) {
        await withStubs(registry: own) { await Self.onPlainQueue { make(plain, held) } }
      }
    case .unclear:
      try await AttributionTable.holding([Self.registry("second")]) {
        try await withStubs(registry: own) {
          await Self.onPlainQueue { make(plain, held) }
          try await until("the handler is called") { isCalled.isOpen }
        }
      }
    case .network:
      try await withStubs(registry: own) {
        let real = server.url("/real")
        await Self.onPlainQueue { make(plain, real) }
        try await until("the handler is called") { isCalled.isOpen }
      }
    }
    return outcomes
  }

  /// Keeps a handler from its work until the situation is there, without blocking its thread.
  static func proceed(after situation: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
    let scope = CallbackScope.current
    situation.notify(queue: .global()) { if let scope { scope.run(work) } else { work() } }
  }

  static func onPlainQueue(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "plain").async {
        work()
        continuation.resume()
      }
    }
  }

  /// A session that belongs to no scope.
  static func plainSession() -> URLSession {
    StubRegistry.$local.withValue(nil) { URLSession(configuration: .patient) }
  }

  static func registry(_ name: String) -> StubRegistry {
    let registry = StubRegistry()
    stub(condition: isPath("/next"), response: .text(name), in: registry)
    stub(condition: isPath("/held"), response: .empty().delay(.seconds(600)), in: registry)
    return registry
  }

  static func outcome(_ data: Data?, _ error: (any Error)?) -> String {
    if error is StubScopeEndedError { return "ended" }
    guard error == nil, let data else { return "\(error as Any)" }
    let text = String(decoding: data, as: UTF8.self)
    return text.hasPrefix("real ") ? "network" : text
  }
}
