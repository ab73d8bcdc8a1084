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
    enum Story: String, CaseIterable, Codable {
      // How a request misses.
      case queueBesideTwo, queueInOne, detachedTaskInOne, detachedTaskBesideTwo
      case taskAfterItsTest, answeredTaskAfterItsTest, queueAfterAll, queueAfterWithStubs, sessionAfterItsScope
      case handlerAfterItsScope, queueWithGlobalStubs
      // What else is a warning of the run.
      case fiftyRequests, requestsUnderWay, stubsWithoutScope, forgottenTestCase
      // What is a finding of a test or none, and no warning.
      case inferredHit, innocentTests, untakenRequests, loopback

      /// Runs in a process of its own.
      func tell() async throws {
        switch self {
        case .queueBesideTwo, .detachedTaskBesideTwo:
          try await withOtherScope {
            try await inScope { try await request() }
          }
        case .queueInOne, .detachedTaskInOne: try await inScope { try await request() }
        case .queueAfterAll:
          try await inScope {}
          try await request()
        case .queueAfterWithStubs:
          withStubs {}
          try await request()
        case .taskAfterItsTest, .answeredTaskAfterItsTest:
          let isOver = Latch()
          let tasks = Locked<[Task<Void, any Error>]>([])
          try await inScope {
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
          try await inScope {
            sessions.withLock { $0.append(URLSession(configuration: .patient)) }
          }
          for session in sessions.withLock({ $0 }) { try await onQueue(session) }
        case .handlerAfterItsScope:
          let isDone = Latch()
          try await inScope {
            stub(condition: isPath("/held"), response: .empty().delay(.seconds(600)))
            URLSession.shared.dataTask(with: url("http://miss.example/held")) { _, _, _ in
              URLSession.shared.dataTask(with: url("http://miss.example/typo")) { _, _, _ in isDone.open() }.resume()
            }.resume()
          }
          try await until("the handlers have run") { isDone.isOpen }
        case .queueWithGlobalStubs:
          stub(
            condition: isPath("/right"), response: .empty(), in: .global, fileID: "App/Users.swift", line: 1)
          try await inScope { try await request() }
        case .fiftyRequests:
          try await withOtherScope {
            try await withOtherScope {
              for _ in 0..<50 { try await onQueue(.shared) }
            }
          }
        case .requestsUnderWay:
          let (first, isOver) = (Latch(), DispatchSemaphore(value: 0))
          try await inScope {
            for path in ["/right", "/held?right", "/held?right"] {
              URLSession.shared.dataTask(with: url("http://miss.example\(path)")) { _, _, _ in
                first.open()
                isOver.wait()
              }.resume()
            }
            try await until("a handler runs") { first.isOpen }
          }
          for _ in 0..<3 { isOver.signal() }
        case .stubsWithoutScope:
          RunningTest.use(PlainTest.self)
          for number in 1...258 { stub(condition: isPath("/\(number)"), response: .empty()) }
          guard PlainTest.warnings.withLock(\.count) == 1 else { fatalError("\(PlainTest.warnings)") }
        case .forgottenTestCase:
          RunningTest.use(PlainTest.self)
          PlainTest.isOfXCTest.withLock { $0 = true }
          stub(condition: isPath("/1"), response: .empty(), fileID: "App/Users.swift", line: 1)
        case .inferredHit:
          let note = "1 answered request was inferred: GET http://miss.example/once, made on a plain queue"
          let findings = try await inScope(ScopeOptions(reportUnused: true)) {
            let once = stub(condition: isPath("/once"), response: .empty(), times: 1)
            stub(condition: isPath("/unused"), response: .empty())
            try await onQueue(.shared, "http://miss.example/once")
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
        case .innocentTests:
          RequestWarnings.receiver.withLock { $0 = Closure { _ in } }
          for path in ["/right", "/typo"] {
            let findings = try await inScope {
              try await onQueue(.shared, "http://miss.example\(path)")
              try await withOtherScope { try await onQueue(.shared, "http://miss.example\(path)") }
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
        case .untakenRequests:
          let warnings = Locked(0)
          RequestWarnings.receiver.withLock {
            $0 = Closure { text in if text.contains("waits for the test") { warnings.withLock { $0 += 1 } } }
          }
          for round in 1...15 {
            let isDone = Latch()
            let findings = try await inScope {
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
        case .loopback:
          RequestWarnings.receiver.withLock { $0 = Closure { _ in } }
          let server = try LoopbackServer()
          let address = server.url("/typo").absoluteString
          try await inScope { try await onQueue(.shared, address) }
          guard server.requests == ["GET /typo"] else { fatalError("\(server.requests)") }
          try await inScope(ScopeOptions(loopback: .stubbed)) {
            guard StubRegistry.current.loopback == .stubbed else { fatalError("not passed on") }
            try await onQueue(.shared, address)
            try await withOtherScope { try await onQueue(.shared, address) }
          }
          guard server.requests == ["GET /typo"] else { fatalError("\(server.requests)") }
        }
      }

      private func request() async throws {
        switch self {
        case .detachedTaskInOne, .detachedTaskBesideTwo:
          _ = await Task.detached { await URLSession.shared.failure(of: "http://miss.example/typo") }.value
        default: try await onQueue(.shared)
        }
      }
    }

    /// The warnings are in `Fixtures/warnings.txt`, below the name of their story.
    @Test("is a warning of the run, or a finding of the one test that can have made it", arguments: Story.allCases)
    func warnings(story: Story) async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [story] in
        try await story.tell()
        exit(EXIT_SUCCESS)
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      let expected = try #require(try sectionsOfFile("warnings")[story.rawValue])
      // Swift Testing marks the end of an output, unless the process ends itself.
      #expect(expected.isEmpty ? !text.contains("StubKit:") : text == "\(expected)\n")
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
  #endif
}

/// Runs a test with a stub for `/right`, and returns what is wrong with it.
@discardableResult
private func inScope(
  _ options: ScopeOptions = ScopeOptions(), _ body: @Sendable () async throws -> Void
) async throws -> [Finding] {
  let (findings, error) = await TestScope(options, of: "aTest()").run {
    stubAtLine(1, isPath("/right") || containsQuery("right"))
    try await body()
  }
  if let error { throw error }
  return findings
}

/// Runs the body while the scope of another test is open.
private func withOtherScope(_ body: @Sendable () async throws -> Void) async throws {
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
private func onQueue(_ session: URLSession, _ address: String = "http://miss.example/typo") async throws {
  try await untilResumed { continuation in
    DispatchQueue(label: "plain").async {
      session.dataTask(with: url(address)) { _, _, _ in continuation.resume() }.resume()
    }
  }
}
