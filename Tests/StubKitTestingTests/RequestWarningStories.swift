import Foundation
import TestSupport
import Testing
import XCTest

@testable import StubKit
@testable import StubKitTesting

#if compiler(>=6.3)
  extension RequestWarningTests.Story {
    /// Runs in a process of its own.
    func tell() async throws {
      switch self {
      case .queueBesideTwo:
        try await withOtherScope {
          try await inScope { try await onQueue(.shared) }
        }
      case .detachedTaskInOne:
        try await inScope {
          _ = await Task.detached { await URLSession.shared.failure(of: "http://miss.example/typo") }.value
        }
      case .queueAfterAll:
        try await inScope {}
        try await onQueue(.shared)
      case .queueAfterWithStubs:
        withStubs {}
        try await onQueue(.shared)
      case .answeredTaskAfterItsTest:
        let (isOver, isDone) = (Latch(), Latch())
        try await inScope {
          Task {
            try await until("the test is over") { isOver.isOpen }
            for _ in 0..<3 { _ = try await URLSession.shared.data(from: url("http://miss.example/typo?right")) }
            isDone.open()
          }
        }
        isOver.open()
        try await until("the task is done") { isDone.isOpen }
      case .handlerAfterItsScope:
        let isDone = Latch()
        try await inScope {
          stub(condition: isPath("/held"), response: .status(204).delay(.seconds(600)))
          URLSession.shared.dataTask(with: url("http://miss.example/held")) { _, _, _ in
            URLSession.shared.dataTask(with: url("http://miss.example/typo")) { _, _, _ in isDone.open() }.resume()
          }.resume()
        }
        try await until("the handlers have run") { isDone.isOpen }
      case .callsWithoutScope:
        stub(
          condition: isPath("/right"), response: .status(204), calls: .once, in: .global, fileID: "App/Users.swift",
          line: 1
        ).remove()
      case .queueWithGlobalStubs:
        stub(condition: isPath("/right"), response: .status(204), in: .global, fileID: "App/Users.swift", line: 1)
        try await inScope { try await onQueue(.shared) }
      case .sessionOfEndedTest:
        // A suite whose tests run one after the other, with a client in a `static let`.
        try await inScope { try await StaticClient.load("right") }
        try await inScope { try await StaticClient.load("right") }
        try await inScope { _ = try? await StaticClient.load("typo") }
        // No test is open any more.
        _ = try? await StaticClient.load("right")
      case .pollerOfEndedTest:
        try await inScope { try await StaticClient.load("right") }
        try await withOtherScope {
          try await inScope {
            let once = stub(
              condition: isPath("/once"), response: .status(204), times: 1, fileID: "App/Users.swift", line: 4)
            do { try await StaticClient.load("once") } catch {}
            guard once.callCount == 0 else { fatalError("It took the use of another test's stub.") }
            _ = try await URLSession.shared.data(from: url("http://miss.example/once"))
          }
        }
      case .settingsOnQueue:
        try await inScope {
          let isDone = Latch()
          DispatchQueue(label: "plain").async {
            for number in 1...3 { stubAtLine(UInt(number), isPath("/\(number)")) }
            HTTPStubs.clock = .immediate
            HTTPStubs.network = .threeG
            isDone.open()
          }
          try await until("it is done") { isDone.isOpen }
          await Task.detached { HTTPStubs.clock = .real }.value
          // Those of the scope, and of a registry that is named, are nobody else's.
          HTTPStubs.clock = .real
          let registry = StubRegistry.current
          await Task.detached { registry.network = nil }.value
        }
        // While no scope is open, everybody's settings are meant.
        HTTPStubs.clock = .real
      case .fiftyRequests:
        try await withOtherScope {
          try await withOtherScope {
            for _ in 0..<50 { try await onQueue(.shared) }
          }
        }
      case .requestsThatNoTestReports:
        await withStubs {
          // Only the hundredth is told.
          for number in 1...150 { _ = await URLSession.shared.failure(of: "http://miss.example/\(number)") }
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
        // All of them are counted, and only the first is told.
        for number in 1...258 { stubAtLine(1, isPath("/\(number)")) }
      case .endlessClient:
        let told = receiveWarnings()
        // The first hundred reports are kept. One finding counts the others, and one lists the newest.
        let findings = try await findings(ScopeOptions(clock: ManualClock())) {
          for number in 1...150 { _ = await URLSession.shared.failure(of: "http://miss.example/typo?\(number)") }
          try await until("it is told") { !told.withLock(\.isEmpty) }
        }
        guard told.withLock(\.count) == 1, findings.count == 102,
          findings[100].description == "50 more requests failed without a stub. Their reports were not kept."
        else { fatalError("\(told.withLock(\.self)) \(findings)") }
      case .findingsOfLongTest:
        let told = receiveWarnings()
        try await inScope {
          let misses = TestReport(of: "aTest()", patience: .zero)
          StubRegistry.current.testReport = misses
          stubAtLine(2, isPath("/mistake"), .ok.delay(.seconds(-2)))
          let held = stubAtLine(3, isPath("/held"), .controlled)
          for (count, path) in ["/typo", "/mistake"].enumerated() {
            for number in 1...2 { _ = await URLSession.shared.failure(of: "http://miss.example\(path)?\(number)") }
            try await until("\(path) is told") { told.withLock(\.count) == count + 1 }
          }
          for number in 1...2 {
            URLSession.shared.dataTask(with: url("http://miss.example/held?\(number)")) { _, _, _ in }.resume()
            try await held.waitForCalls(number, timeout: .seconds(60))
            try await until("call \(number) is told") { told.withLock(\.count) == 3 }
          }
          for _ in 1...2 { try await held.nextCall().finish() }
          // After its end, a test tells nothing. The timers share a queue.
          _ = misses.finish()
          let others = TestReport(of: "another()")
          for misses in [misses, others] { misses.tellEarly(.call, after: .zero) { "a call" } }
          try await until("the other is told") { told.withLock(\.last)?.hasPrefix("\(others.test ?? "")") == true }
        }
      case .inferredHit:
        let note = "1 answered request was inferred: GET http://miss.example/once, made on a plain queue"
        let findings = try await findings(ScopeOptions(reportUnused: true)) {
          stub(condition: isPath("/once"), response: .status(204), times: 1)
          try await onQueue(.shared, "http://miss.example/once")
          let journal = StubRegistry.current.journal
          guard journal.entries.map(\.isUnscoped) == [true] else { fatalError("\(journal.entries)") }
          var texts = [await URLSession.shared.failure(of: "http://miss.example/once")?.localizedDescription ?? ""]
          let other = stub(condition: isPath("/other"), response: .status(204))
          do { try verify(isPath("/once"), called: .never) } catch { texts.append("\(error)") }
          do { try HTTPStubs.verifyAllStubsUsed() } catch { texts.append("\(error)") }
          do { try await other.waitForCalls(timeout: .zero) } catch { texts.append("\(error)") }
          guard texts.count == 4, texts.allSatisfy({ $0.contains(note) }) else { fatalError("\(texts)") }
        }
        // Of the test's own request that found no stub, and of two unused stubs.
        guard findings.count == 3, findings.allSatisfy({ $0.description.contains(note) }) else {
          fatalError("\(findings)")
        }
      case .hitOutsideOfScopes:
        stub(condition: isPath("/global"), response: .status(204), in: .global, fileID: "App/Users.swift", line: 1)
        let note =
          "1 request that names no scope was answered outside of every scope, by the stub at App/Users.swift:1: "
          + "GET http://miss.example/global"
        let findings = try await findings {
          try await onQueue(.shared, "http://miss.example/global")
          do { try verify(isPath("/global")) } catch {
            guard "\(error)".contains(note) else { fatalError("\(error)") }
          }
          // Which fails the test.
          _ = await URLSession.shared.failure(of: "http://miss.example/typo")
        }
        guard findings.last?.isNote == true, findings.last?.description.hasSuffix(note) == true else {
          fatalError("\(findings)")
        }
        // It was before the next test.
        let later = try await self.findings {
          _ = await URLSession.shared.failure(of: "http://miss.example/typo")
        }
        guard !"\(later)".contains("outside of every scope, by") else { fatalError("\(later)") }
      case .untakenRequests:
        let texts = Locked<[String]>([])
        RunningTest.listener.withLock { $0 = Closure { text in texts.withLock { $0.append(text) } } }
        for round in 1...15 {
          let isDone = Latch()
          let findings = try await findings {
            let held = stub(condition: isPath("/held"), response: .controlled)
            URLSession.shared.dataTask(with: url("http://miss.example/held?\(round)")) { _, _, _ in isDone.open() }
              .resume()
            // Some of them end when the request has arrived, and some before.
            if round.isMultiple(of: 3) { try await held.waitForCalls() }
          }
          try await until("request \(round) has failed") { isDone.isOpen }
          let told = texts.withLock(\.self) + findings.map(\.description)
          guard told.contains(where: { $0.contains("waits for the test") }) else {
            fatalError("round \(round): \(told)")
          }
          texts.withLock { $0 = [] }
        }
      case .loopback:
        RunningTest.listener.withLock { $0 = Closure { _ in } }
        let server = try LoopbackServer()
        let address = server.url("/typo").absoluteString
        try await inScope(ScopeOptions(loopback: .fail)) {
          try await onQueue(.shared, address)
          try await withOtherScope { try await onQueue(.shared, address) }
        }
        guard server.requests.isEmpty else { fatalError("\(server.requests)") }
      #if os(Linux)
        case .departsWithoutScope:
          let proxy = try Self.proxy(NamedTest.self)
          for path in ["/a", "/b"] { _ = try? await URLSession.shared.data(from: url("http://miss.example\(path)")) }
          guard proxy.requests.count == 2 else { fatalError("\(proxy.requests)") }
        case .blockedInCode:
          let proxy = try Self.proxy(NamedTest.self)
          HTTPStubs.unscoped = .fail
          guard let error = await URLSession.shared.failure(of: "http://miss.example/a"), proxy.requests.isEmpty,
            error.localizedDescription.hasSuffix("\nGuide: Troubleshooting")
          else { fatalError("\(proxy.requests)") }
          // A server on this machine isn't the network.
          unsetenv("http_proxy")
          _ = try await URLSession(configuration: .ephemeral).data(from: proxy.url("/own"))
        case .blockedByEnvironment:
          let proxy = try Self.proxy(NamedTest.self)
          NetworkAccess.isOffForTests.current = true
          _ = await URLSession.shared.failure(of: "http://miss.example/a")
          let findings = try await findings(ScopeOptions(unmatched: .passThrough)) {
            stubAtLine(2, isPath("/passed"), .passThrough)
            for path in ["/typo", "/passed"] { _ = await URLSession.shared.failure(of: "http://miss.example\(path)") }
          }
          guard findings.filter({ !$0.isNote }).count == 2, proxy.requests.isEmpty else { fatalError("\(findings)") }
        case .allowedInCode:
          let proxy = try Self.proxy(NamedTest.self)
          HTTPStubs.unscoped = .passThrough
          _ = try? await URLSession.shared.data(from: url("http://miss.example/a"))
          guard proxy.requests.count == 1 else { fatalError("\(proxy.requests)") }
        case .taskCutOff:
          let ends = [Latch(), Latch()]
          try await inScope {
            let held = stub(condition: isPath("/held"), response: .status(204).delay(.seconds(600)))
            for (number, end) in ends.enumerated() {
              Task {
                _ = try? await URLSession.shared.data(from: url("http://miss.example/held"))
                end.open()
              }
              try await held.waitForCalls(number + 1)
            }
          }
          try await until("the tasks are over") { ends.allSatisfy(\.isOpen) }
        case .escapes:
          try await inScope {
            // Nothing listens at the port. The warning says which of these went to the network.
            for address in ["data:,x", "ftp://127.0.0.1:1/x", "ftp://127.0.0.1:1/y"] {
              _ = try? await URLSession.shared.data(from: url(address))
            }
          }
        case .sessionOfEndedTestCase:
          await MainActor.run {
            for (name, path, failureCount) in [("first", "right", 0), ("second", "right", 0), ("third", "typo", 1)] {
              let (test, seen) = (
                StubbedTestCase(name: name) { _ in
                  stubAtLine(1, isPath("/right"))
                  let isDone = DispatchSemaphore(value: 0)
                  StaticClient.load(path) { _ in isDone.signal() }
                  isDone.wait()
                }, Failures()
              )
              XCTestObservationCenter.shared.addTestObserver(seen)
              test.run()
              XCTestObservationCenter.shared.removeTestObserver(seen)
              guard seen.texts.count == failureCount,
                seen.texts.allSatisfy({
                  $0.contains("\nIts session was created by StubbedTestCase.first, which has ended.\n")
                })
              else { fatalError("\(name): \(seen.texts)") }
            }
          }
        case .queueInTestCase:
          await MainActor.run {
            let test = StubbedTestCase(name: "alone") { _ in
              let isDone = DispatchSemaphore(value: 0)
              DispatchQueue(label: "plain").async {
                URLSession.shared.dataTask(with: url("http://miss.example/typo")) { _, _, _ in isDone.signal() }
                  .resume()
              }
              isDone.wait()
            }
            test.run()
            guard test.testRun?.totalFailureCount == 1 else { fatalError("\(test.testRun as Any)") }
          }
      #endif
      }
    }
  }
#endif
