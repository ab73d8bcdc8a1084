import Foundation
import StubKitTesting
import TestSupport
import Testing

@testable import StubKit
@testable import StubKitTesting

/// Each in a process of its own, as it matters which scopes are open.
@Suite("A request that no test is certain to have made", .inTurn)
struct RequestWarningTests {
  #if compiler(>=6.3)
    /// How a request misses.
    enum Miss: String, CaseIterable, Codable {
      case queueBesideTwo, queueInOne, detachedTaskInOne, detachedTaskBesideTwo
      case taskAfterItsTest, answeredTaskAfterItsTest, queueAfterAll, queueAfterWithStubs, sessionAfterItsScope
      case handlerAfterItsScope, queueWithGlobalStubs

      /// What the warning says.
      var text: String {
        let typo = "GET http://miss.example/typo was requested"
        return switch self {
        case .taskAfterItsTest, .sessionAfterItsScope, .handlerAfterItsScope:
          "\(typo) after its test had ended: aTest(). Wait in the test"
        case .answeredTaskAfterItsTest:
          "GET http://miss.example/typo?right was requested 3 times after its test had ended: aTest(). Wait in the test"
        case .queueAfterAll: "\(typo) outside of every scope, after aTest() had ended. If"
        case .queueAfterWithStubs: "\(typo) outside of every scope, after every scope had ended. If"
        case .queueBesideTwo, .detachedTaskBesideTwo:
          "It is unclear whose request this is: GET http://miss.example/typo"
        case .queueInOne, .detachedTaskInOne, .queueWithGlobalStubs: "No stub matches GET http://miss.example/typo"
        }
      }

      /// Makes the request, in the process of a test with a scope.
      func make() async throws {
        switch self {
        case .queueBesideTwo, .detachedTaskBesideTwo:
          try await RequestWarningTests.withOtherScope {
            try await RequestWarningTests.inScope { try await request() }
          }
        case .queueInOne, .detachedTaskInOne: try await RequestWarningTests.inScope { try await request() }
        case .queueAfterAll:
          try await RequestWarningTests.inScope {}
          try await request()
        case .queueAfterWithStubs:
          withStubs {}
          try await request()
        case .taskAfterItsTest, .answeredTaskAfterItsTest:
          let isOver = Latch()
          let tasks = Locked<[Task<Void, any Error>]>([])
          try await RequestWarningTests.inScope {
            let task = Task {
              try await until("the test is over") { isOver.isOpen }
              guard self == .answeredTaskAfterItsTest else {
                return _ = await URLSession.shared.failure(of: "http://miss.example/typo")
              }
              for _ in 0..<3 { _ = try await URLSession.shared.data(from: url("http://miss.example/typo?right")) }
            }
            tasks.withLock { $0.append(task) }
          }
          isOver.open()
          for task in tasks.withLock({ $0 }) { try await task.value }
        case .sessionAfterItsScope:
          let sessions = Locked<[URLSession]>([])
          try await RequestWarningTests.inScope {
            sessions.withLock { $0.append(URLSession(configuration: .patient)) }
          }
          for session in sessions.withLock({ $0 }) { try await RequestWarningTests.onQueue(session) }
        case .handlerAfterItsScope:
          let isDone = Latch()
          try await RequestWarningTests.inScope {
            stub(condition: isPath("/held"), response: .empty().delay(.seconds(600)))
            URLSession.shared.dataTask(with: url("http://miss.example/held")) { _, _, _ in
              URLSession.shared.dataTask(with: url("http://miss.example/typo")) { _, _, _ in isDone.open() }.resume()
            }.resume()
          }
          try await until("the handlers have run") { isDone.isOpen }
        case .queueWithGlobalStubs:
          stub(condition: isPath("/right"), response: .empty(), in: .global)
          try await RequestWarningTests.inScope { try await request() }
        }
      }

      private func request() async throws {
        switch self {
        case .detachedTaskInOne, .detachedTaskBesideTwo:
          _ = await Task.detached { await URLSession.shared.failure(of: "http://miss.example/typo") }.value
        default: try await RequestWarningTests.onQueue(.shared)
        }
      }
    }

    @Test("is one warning of the run if it misses, and no issue of any test", arguments: Miss.allCases)
    func silence(miss: Miss) async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [miss] in
        try await miss.make()
        exit(EXIT_SUCCESS)
      }
      let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
      let warnings = lines.filter { $0.hasPrefix("StubKit: ") }
      #expect(warnings.count == 1 && warnings.allSatisfy { $0.hasPrefix("StubKit: warning: ") }, "\(lines)")
      #expect(warnings.first?.hasPrefix("StubKit: warning: \(miss.text)") == true)
    }

    @Test("is one warning of the run for all stubs of tests without a scope, with their number")
    func stubsWithoutScope() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        RunningTest.use(PlainTest.self)
        for number in 1...258 { stub(condition: isPath("/\(number)"), response: .empty()) }
        guard PlainTest.warnings.withLock(\.count) == 1 else { fatalError("\(PlainTest.warnings)") }
        exit(EXIT_SUCCESS)
      }
      let count = "258 stubs were registered outside of every scope, where tests share them."
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text == "StubKit: warning: \(count) The first was reported.\n")
    }

    @Test("is told by one line for the stubs of a test case of XCTest that forgets its scope")
    func forgottenTestCase() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        RunningTest.use(PlainTest.self)
        PlainTest.isOfXCTest.withLock { $0 = true }
        stub(condition: isPath("/1"), response: .empty(), fileID: "App/Users.swift", line: 1)
        exit(EXIT_SUCCESS)
      }
      #expect(
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
          == "StubKit: warning: The stub isPath(\"/1\") (App/Users.swift:1) is registered outside of every scope, where the "
          + "tests that follow share it. Let the test case inherit from StubbedTestCase. If they may share it, set "
          + "StubRegistry.global.isEnabled = true once. Further ones are only counted.\n")
    }

    /// A framework that runs a test without a scope.
    private final class PlainTest: TestFramework {
      static let warnings = Locked<[String]>([])
      static let isOfXCTest = Locked(false)
      static var knowsTest: Bool { isOfXCTest.withLock { !$0 } }
      static var runsUnscopedTest: Bool { true }

      static func begin() {}
      static func opensScope() -> Bool { false }
      static func record(_ sentence: String, at location: StubLocation?, isWarning: Bool) -> Bool {
        warnings.withLock { $0.append(sentence) }
        return true
      }
      static func watch(
        for verdict: TestVerdict, isolation: isolated (any Actor)?, _ body: () async -> Void
      ) async { await body() }
      static func watch(for verdict: TestVerdict, _ body: () -> Void) { body() }
    }

    @Test("is reported once, and counted after twenty of a kind, however many scopes are open")
    func noise() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        try await Self.withOtherScope {
          try await Self.withOtherScope {
            for _ in 0..<50 { try await Self.onQueue(.shared) }
          }
        }
        exit(EXIT_SUCCESS)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let reports = text.components(separatedBy: "It is unclear whose request this is").count - 1
      let tells20th = text.contains("This is the 20th such request. From now on, they are only counted.")
      #expect(reports == 20 && tells20th)
      let count = "50 requests were made outside of every scope while several were open. The first 20 were reported."
      let lastLine = text.split(separator: "\n").last
      #expect(lastLine == "StubKit: warning: \(count)")
    }

    @Test("is told with its test if it is still under way when that ends, all of them at once")
    func underWay() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let (first, isOver) = (Latch(), DispatchSemaphore(value: 0))
        try await Self.inScope {
          for path in ["/right", "/held?right", "/held?right"] {
            URLSession.shared.dataTask(with: url("http://miss.example\(path)")) { _, _, _ in
              first.open()
              isOver.wait()
            }.resume()
          }
          try await until("a handler runs") { first.isOpen }
        }
        for _ in 0..<3 { isOver.signal() }
        exit(EXIT_SUCCESS)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let requests = "GET http://miss.example/held?right, GET http://miss.example/right were"
      #expect(
        text
          == "StubKit: warning: \(requests) still under way when aTest() ended. Wait there until the client's handlers "
          + "have returned.\n")
    }

    @Test("is marked in the journal and in every failure text of the scope whose stub it used")
    func inferredHit() async {
      await #expect(processExitsWith: .success) {
        let note = "1 answered request was inferred: GET http://miss.example/once, made on a plain queue"
        let findings = try await Self.inScope(ScopeOptions(reportUnused: true)) {
          let once = stub(condition: isPath("/once"), response: .empty(), times: 1)
          stub(condition: isPath("/unused"), response: .empty())
          try await Self.onQueue(.shared, "http://miss.example/once")
          let journal = StubRegistry.current.journal
          guard journal.entries.map(\.isInferred) == [true] else { fatalError("\(journal.entries)") }
          var texts = [await URLSession.shared.failure(of: "http://miss.example/once")?.localizedDescription ?? ""]
          do { try verify(isPath("/once"), called: .never) } catch { texts.append("\(error)") }
          do { try verify(once, called: .exactly(2)) } catch { texts.append("\(error)") }
          do { try verifyInOrder(isPath("/other")) } catch { texts.append("\(error)") }
          do { try HTTPStubs.verifyAllStubsUsed() } catch { texts.append("\(error)") }
          do { try await once.waitForCompletions(1, timeout: .zero) } catch {}
          let other = stub(condition: isPath("/other"), response: .empty())
          do { try await other.waitForCalls(timeout: .zero) } catch { texts.append("\(error)") }
          guard texts.count == 6, texts.allSatisfy({ $0.contains(note) }) else { fatalError("\(texts)") }
        }
        // Of the test's own request that found no stub, and of three unused stubs.
        guard findings.count == 4, findings.allSatisfy({ $0.description.contains(note) }) else {
          fatalError("\(findings)")
        }
      }
    }

    @Test("blames no test that happens to run, with a stub for it or without")
    func innocent() async {
      await #expect(processExitsWith: .success) {
        RequestWarnings.receiver.withLock { $0 = Closure { _ in } }
        for path in ["/right", "/typo"] {
          let findings = try await Self.inScope {
            try await Self.onQueue(.shared, "http://miss.example\(path)")
            try await Self.withOtherScope { try await Self.onQueue(.shared, "http://miss.example\(path)") }
          }
          guard findings.isEmpty else { fatalError("\(findings)") }
        }
        #if os(Linux)
          // The same for XCTest, which runs one test at a time.
          let count = await MainActor.run {
            let test = StubbedTestCase(name: "alone") { _ in
              let isDone = DispatchSemaphore(value: 0)
              DispatchQueue(label: "plain").async {
                URLSession.shared.dataTask(with: url("http://miss.example/typo")) { _, _, _ in isDone.signal() }
                  .resume()
              }
              isDone.wait()
            }
            test.run()
            return test.testRun?.totalFailureCount ?? -1
          }
          // There, no other test can have made it.
          guard count == 1 else { fatalError("\(count) failures") }
        #endif
      }
    }

    @Test("is told if it waits for a test that ends at once: by the test, or by a warning")
    func untaken() async {
      await #expect(processExitsWith: .success) {
        let warnings = Locked(0)
        RequestWarnings.receiver.withLock {
          $0 = Closure { text in if text.contains("waits for the test") { warnings.withLock { $0 += 1 } } }
        }
        for round in 1...15 {
          let isDone = Latch()
          let findings = try await Self.inScope {
            let held = stub(condition: isPath("/held"), response: .controlled)
            URLSession.shared.dataTask(with: url("http://miss.example/held")) { _, _, _ in isDone.open() }.resume()
            // Some of them end when the request has arrived, and some before.
            if round.isMultiple(of: 3) { try await held.waitForCalls() }
          }
          try await until("the request has failed") { isDone.isOpen }
          let told = findings.count { $0.description.contains("waits for the test") } + warnings.withLock { $0 }
          guard told >= 1 else { fatalError("round \(round)") }
          warnings.withLock { $0 = 0 }
        }
      }
    }

    @Test("reaches no server of this machine's if an open scope refuses that")
    func loopback() async {
      await #expect(processExitsWith: .success) {
        RequestWarnings.receiver.withLock { $0 = Closure { _ in } }
        let server = try LoopbackServer()
        let address = server.url("/typo").absoluteString
        try await Self.inScope { try await Self.onQueue(.shared, address) }
        guard server.requests == ["GET /typo"] else { fatalError("\(server.requests)") }
        try await Self.inScope(ScopeOptions(loopback: .stubbed)) {
          guard StubRegistry.current.loopback == .stubbed else { fatalError("not passed on") }
          try await Self.onQueue(.shared, address)
          try await Self.withOtherScope { try await Self.onQueue(.shared, address) }
        }
        guard server.requests == ["GET /typo"] else { fatalError("\(server.requests)") }
      }
    }

    /// Runs a test with a stub for `/right`, and returns what is wrong with it.
    @discardableResult
    private static func inScope(
      _ options: ScopeOptions = ScopeOptions(), _ body: @Sendable () async throws -> Void
    ) async throws -> [Finding] {
      let (findings, error) = await TestScope(options, of: "aTest()").run {
        stub(condition: isPath("/right") || containsQuery("right"), response: .empty())
        try await body()
      }
      if let error { throw error }
      return findings
    }

    /// Runs the body while the scope of another test is open.
    private static func withOtherScope(_ body: @Sendable () async throws -> Void) async throws {
      let (isOpen, isOver) = (Latch(), Latch())
      let scope = Task.detached {
        try await withStubs {
          stub(condition: isPath("/right"), response: .empty())
          isOpen.open()
          try await until("the body has run") { isOver.isOpen }
        }
      }
      try await until("the scope is open") { isOpen.isOpen }
      defer { isOver.open() }
      try await body()
      isOver.open()
      try await scope.value
    }

    /// Makes a request on a plain queue, through a session that says nothing.
    private static func onQueue(_ session: URLSession, _ address: String = "http://miss.example/typo") async throws {
      try await untilResumed { continuation in
        DispatchQueue(label: "plain").async {
          session.dataTask(with: url(address)) { _, _, _ in continuation.resume() }.resume()
        }
      }
    }
  #endif
}
