import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Every way to make a request × what is open × the state of the global registry × the request's host and path, each with what
/// the rules say becomes of it.
///
/// To be checked in a process of its own.
final class AttributionTable: Sendable {
  enum Global { case unused, inUse, switchedOff }

  /// Where the request is made by code that is in the innermost of the scopes.
  enum Place: CaseIterable {
    case task, childTask, handler, delegate
    case queue, mainQueue, thread, operation, detachedTask
  }

  /// Which scopes are open.
  enum Opening: CaseIterable {
    case none, one, nested, shielded, sideBySide, besideDisabled, noneAnyMore
  }

  enum Host: CaseIterable {
    case loopback
    /// Another name for this machine, which nobody takes for a loopback host.
    case other

    func url(_ server: LoopbackServer, _ path: String) -> URL {
      URL(string: "http://\(self == .loopback ? "127.0.0.1" : "0.0.0.0"):\(server.port)\(path)")!
    }
  }

  enum Path: String, CaseIterable { case stubbed = "/stubbed", unknown = "/unknown" }

  struct Row: CustomStringConvertible {
    let place: Place
    let opening: Opening
    let host: Host
    let path: Path
    let global: Global
    /// Whether code in a task of which the test framework knows no test is nobody's.
    let asksForTests: Bool
    /// Whether a scope is open, or has been.
    let hadScope = OpenScopes.shared.hadAny

    var description: String { "\(place), \(opening), \(host), \(path), global \(global)" }

    /// `network`, `no stub`, `unclear`, `ended`, or the name of the scope that answers.
    var expected: String {
      let answer = { (name: String) in path == .stubbed ? name : "no stub" }
      if isOwn {
        switch opening {
        case .none, .noneAnyMore: break
        case .one, .sideBySide, .besideDisabled: return answer("own")
        case .nested: return answer("inner")
        // Its code may use the network.
        case .shielded: return "network"
        }
      }
      if global == .inUse { return answer("global") }
      if global == .switchedOff || isOfATask || isKnownHandler { return "network" }
      let isLeft = host == .loopback && path == .unknown
      switch opening {
      case .none, .noneAnyMore: return hadScope && host == .other ? "ended" : "network"
      case .one, .besideDisabled: return isLeft ? "network" : answer("own")
      case .nested: return isLeft ? "network" : answer("inner")
      case .shielded: return isLeft ? "network" : answer("outer")
      case .sideBySide: return isLeft ? "network" : "unclear"
      }
    }

    /// Whether the code that makes it is the scope's.
    private var isOwn: Bool {
      switch place {
      case .task, .childTask, .handler, .delegate: true
      case .queue, .mainQueue, .thread, .operation, .detachedTask: false
      }
    }

    /// Whether the handler of such a task's request makes it. It knows as much.
    private var isKnownHandler: Bool { (place == .handler || place == .delegate) && !asksForTests }

    /// Whether a task makes it that is not known to be no test's.
    private var isOfATask: Bool {
      switch place {
      case .task, .childTask, .detachedTask: !asksForTests
      default: false
      }
    }
  }

  private let server: LoopbackServer
  private let asksForTests: Bool
  private let session: URLSession
  private let completions = Completions()
  private let rows = Protected(0)

  var rowCount: Int { rows.withLock(\.self) }

  init(framework: (any TestFramework.Type)? = nil) throws {
    server = try LoopbackServer()
    asksForTests = framework.map { !$0.knowsTest } ?? false
    SessionInstallation.activateScopes()
    // In the place of StubKitTesting, which this process contains.
    RunningTest.use(framework)
    session = URLSession(configuration: .patient, delegate: completions, delegateQueue: nil)
  }

  /// Throws at the first row that comes to something else.
  func check(global: Global) async throws {
    for opening in Opening.allCases {
      try await Self.within(opening) { [self] in
        var all: [Row] = []
        for place in Place.allCases {
          for (host, path) in Host.allCases.flatMap({ host in Path.allCases.map { (host, $0) } }) {
            let row = Row(
              place: place, opening: opening, host: host, path: path, global: global, asksForTests: asksForTests)
            try await check(row)
            all.append(row)
          }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for row in all { group.addTask { try await self.check(row) } }
          try await group.waitForAll()
        }
      }
    }
  }

  private func check(_ row: Row) async throws {
    rows.withLock { $0 += 1 }
    let url = row.host.url(server, row.path.rawValue)
    let outcome = try await untilResumed { continuation in
      make(url, at: row.place) { data, error in
        continuation.resume(returning: Self.outcome(data, error))
      }
    }
    if outcome != row.expected { throw WrongAnswer(what: "\(row): \(outcome) instead of \(row.expected)") }
  }

  private static func outcome(_ data: Data?, _ error: (any Error)?) -> String {
    if error is StubScopeEndedError { return "ended" }
    if let error = error as? UnmatchedRequestError {
      return error.description.hasPrefix("It is unclear") ? "unclear" : "no stub"
    }
    guard error == nil, let data else { return "\(error as Any)" }
    let text = String(decoding: data, as: UTF8.self)
    return text.hasPrefix("real ") ? "network" : text
  }

  typealias Completion = @Sendable (Data?, (any Error)?) -> Void

  private func make(_ url: URL, at place: Place, _ completion: @escaping Completion) {
    let make: @Sendable () -> Void = {
      URLSession.shared.dataTask(with: url) { data, _, error in completion(data, error) }.resume()
    }
    let first = server.url("/first")
    switch place {
    case .task: make()
    case .childTask: Task { make() }
    case .handler: URLSession.shared.dataTask(with: first) { _, _, _ in make() }.resume()
    case .delegate:
      let task = session.dataTask(with: first)
      completions.add(make, for: task)
      task.resume()
    case .queue: DispatchQueue(label: "plain").async(execute: make)
    case .mainQueue: DispatchQueue.main.async(execute: make)
    case .thread: Thread.detachNewThread(make)
    case .operation: OperationQueue().addOperation(make)
    case .detachedTask: Task.detached { make() }
    }
  }

  private static func within(_ opening: Opening, _ body: @escaping @Sendable () async throws -> Void) async throws {
    switch opening {
    case .none, .noneAnyMore: try await body()
    case .one: try await withStubs(registry: registry("own"), body)
    case .nested:
      try await withStubs(registry: registry("outer")) { try await withStubs(registry: registry("inner"), body) }
    case .shielded:
      let shield = StubRegistry()
      shield.isEnabled = false
      try await withStubs(registry: registry("outer")) { try await withStubs(registry: shield, body) }
    case .sideBySide:
      try await holding([registry("other")]) { try await withStubs(registry: registry("own"), body) }
    case .besideDisabled:
      let disabled = registry("disabled")
      disabled.isEnabled = false
      try await holding([disabled]) { try await withStubs(registry: registry("own"), body) }
    }
  }

  /// Runs the body beside scopes that are open as long as it runs, each in a task of its own.
  static func holding<Result: Sendable>(
    _ registries: ArraySlice<StubRegistry>, _ body: @escaping @Sendable () async throws -> Result
  ) async rethrows -> Result {
    guard let registry = registries.first else { return try await body() }
    let (isOpen, open) = AsyncStream.makeStream(of: Void.self)
    let (isOver, end) = AsyncStream.makeStream(of: Void.self)
    let scope = Task {
      await withStubs(registry: registry) {
        open.finish()
        for await _ in isOver {}
      }
    }
    for await _ in isOpen {}
    do {
      let result = try await holding(registries.dropFirst(), body)
      end.finish()
      await scope.value
      return result
    } catch {
      end.finish()
      await scope.value
      throw error
    }
  }

  private static func registry(_ name: String) -> StubRegistry {
    let registry = StubRegistry()
    stub(condition: isPath("/stubbed"), response: .text(name), in: registry)
    stub(condition: isPath("/first"), response: .empty(), in: registry)
    return registry
  }
}

/// Does something when a task is complete.
private final class Completions: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  // @unchecked holds because nothing but the lock's value changes.
  private let works = Protected<[Int: @Sendable () -> Void]>([:])

  func add(_ work: @escaping @Sendable () -> Void, for task: URLSessionTask) {
    works.withLock { $0[task.taskIdentifier] = work }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    works.withLock { $0.removeValue(forKey: task.taskIdentifier) }?()
  }
}
