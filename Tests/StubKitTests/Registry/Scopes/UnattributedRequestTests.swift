import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Each in a process of its own: what becomes of such a request depends on all scopes that are open, and on the global registry.
@Suite("A request that names no scope", .inTurn)
struct UnattributedRequestTests {
  #if compiler(>=6.2)
    @Test("is treated by the rules, wherever it is made, whatever is open, one after the other and all at once")
    func rules() async {
      await #expect(processExitsWith: .success) {
        let table = try AttributionTable()
        try await table.check(global: .unused)
        stub(condition: isPath("/stubbed"), response: .text("global"))
        try await table.check(global: .inUse)
        HTTPStubs.removeAllStubs()
        stub(condition: isPath("/stubbed"), response: .text("global"))
        try await table.check(global: .inUse)
        StubRegistry.global.isEnabled = false
        try await table.check(global: .switchedOff)
        guard table.rowCount > 1_000 else { throw WrongAnswer(what: "\(table.rowCount) rows") }
      }
    }

    @Test("is one too in a task of which the test framework knows no test")
    func detachedTasks() async {
      await #expect(processExitsWith: .success) {
        try await AttributionTable(framework: NoTest.self).check(global: .unused)
        try await AttributionTable(framework: SomeTest.self).check(global: .unused)
      }
    }

    @Test("is a warning of the run if no stub of the only open scope matches, and no issue of its test")
    func onlyScope() async {
      await #expect(processExitsWith: .success) {
        let warnings = Locked<[String]>([])
        RequestWarnings.receiver.withLock { $0 = Closure { warning in warnings.withLock { $0.append(warning) } } }
        let misses = try await withStubs {
          let collection = StubRegistry.current.collectMisses(of: "loadsAUser()")
          stub(condition: isHost("api.example") && isPath("/users/42"), response: .empty())
          for address in ["http://api.example/users/43", "http://other.example/", "http://api.example/users/43"] {
            let error = await SessionBindingTests.Place.queue.failure(.shared, address)
            let hint =
              "It is unknown whose request this is. It names no scope, and no other one is open.\nOne scope is open: loadsAUser().\n"
            guard let error = error as? UnmatchedRequestError, error.description.contains(hint),
              warnings.withLock({ $0.last }) == error.description
            else {
              throw WrongAnswer(what: "\(error as Any)")
            }
          }
          guard StubRegistry.current.journal.entries.map(\.isInferred) == [true, true, true] else {
            throw WrongAnswer(what: "\(StubRegistry.current.journal.entries)")
          }
          return collection.finish()
        }
        guard misses.isEmpty, warnings.withLock(\.count) == 3 else { throw WrongAnswer(what: "\(misses)") }
      }
    }

    @Test(
      "fails where several scopes are open, with a report, and is one warning of the run, whoever has a stub for it")
    func several() async {
      await #expect(processExitsWith: .success) {
        let warnings = Locked<[String]>([])
        RequestWarnings.receiver.withLock { $0 = Closure { warning in warnings.withLock { $0.append(warning) } } }
        let registries = (0..<8).map { _ in StubRegistry() }
        let collections = registries.map { $0.collectMisses() }
        for (number, registry) in registries.enumerated() where number < 3 {
          stub(
            condition: isPath(number == 1 ? "/users" : "/other"), response: .empty(), name: "users of \(number)",
            in: registry, fileID: "AppTests/UserTests.swift", line: UInt(number + 1))
        }
        // A closure is not asked by a request that is not the scope's.
        stub(condition: { _ in fatalError("It ran.") }, response: .empty(), in: registries[3])
        let error = await AttributionTable.holding(registries[...]) {
          await SessionBindingTests.Place.queue.failure(.shared, "http://api.example/users")
        }
        let expected = """
          It is unclear whose request this is: GET http://api.example/users
          It was made on a queue, on a thread or in a detached task, through a session that was created
          outside of every scope. 8 scopes are open.
            one with a matching stub: "users of 1" isPath("/users") (AppTests/UserTests.swift:2)
          A request belongs to the scope of its task or its session. If it leaves its task, create its session in
          the test, with the registry's makeSession() for example, or pass its configuration to install(in:).
          If code outside of scopes may use the network, write once: StubRegistry.global.isEnabled = false.
          """
        guard error?.localizedDescription == expected else {
          throw WrongAnswer(what: error?.localizedDescription ?? "none")
        }
        guard collections.allSatisfy({ $0.finish().isEmpty }), warnings.withLock({ $0 }) == [expected] else {
          throw WrongAnswer(what: "\(warnings.withLock { $0 })")
        }
        guard registries.allSatisfy({ $0.journal.entries.isEmpty }) else { throw WrongAnswer(what: "an entry") }
      }
    }

    @Test("is told of a stub outside of every scope, with the cure")
    func forgottenScope() async {
      await #expect(processExitsWith: .success) {
        stub(condition: isHost("api.example") && isPath("/users"), response: .empty(), in: .global, line: 3)
        let error = await withStubs { await URLSession.shared.failure(of: "http://api.example/users") }
        let hint = "A stub outside of every scope would match:\n  isHost(\"api.example\") && isPath(\"/users\")"
        guard let text = error?.localizedDescription, text.contains(hint), text.contains("Add the trait .stubbed")
        else {
          throw WrongAnswer(what: error?.localizedDescription ?? "none")
        }
      }
    }

    @Test("goes to a server of this machine's if the only scope has but a closure, which does not want it")
    func closureAndLoopback() async {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer()
        let texts = try await withStubs {
          stub(condition: { $0.url?.path == "/closure" }, response: .text("closure"))
          stub(condition: isPath("/body") && hasBody(Data("wanted".utf8)), response: .text("body"))
          return try await ["/closure", "/real"].asyncMap {
            try await SessionBindingTests.Place.queue.fetch(.shared, server.url($0).absoluteString)
          }
        }
        guard texts == ["closure", "real GET /real"] else { throw WrongAnswer(what: "\(texts)") }
        let error = await withStubs {
          stub(condition: isPath("/body") && hasBody(Data("wanted".utf8)), response: .text("body"))
          return await SessionBindingTests.Place.queue.failure(.shared, server.url("/body").absoluteString)
        }
        guard error is UnmatchedRequestError else { throw WrongAnswer(what: "\(error as Any)") }
      }
    }
  #endif
}

/// A test framework of which no test is running.
private final class NoTest: TestFramework {
  static let knowsTest = false
  static func record(_ sentence: String, at location: StubLocation?, isWarning: Bool) -> Bool { false }
}

private final class SomeTest: TestFramework {
  static let knowsTest = true
  static func record(_ sentence: String, at location: StubLocation?, isWarning: Bool) -> Bool { false }
}

extension SessionBindingTests.Place {
  fileprivate func failure(_ session: URLSession, _ address: String) async -> (any Error)? {
    do {
      _ = try await fetch(session, address)
      return nil
    } catch {
      return error
    }
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
