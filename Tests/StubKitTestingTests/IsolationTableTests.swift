#if os(Linux) && compiler(>=6.3)
  import Foundation
  import TestSupport
  import Testing
  import XCTest

  @testable import StubKit
  @testable import StubKitTesting

  /// In a process of its own, whose network is a proxy that sees what gets out.
  @Suite("Requests of every kind of test, at every time, from every place", .inTurn)
  struct IsolationTableTests {
    /// What is open outside of scopes.
    enum Network: String, CaseIterable, Codable { case closed, allowed, switchedOff }

    /// `Fixtures/isolation.txt` has a line for each kind of test and time, and a column for each place.
    @Test(
      "reach the network, or get the answer of a scope, as the table in Fixtures/isolation.txt says", .startsProcess,
      .serialized,
      arguments: Network.allCases)
    func table(network: Network) async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [network] in
        let lines = try await IsolationTable().lines(network)
        FileHandle.standardError.write(Data(lines.joined(separator: "\n").utf8))
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(try text == sectionsOfFile("isolation")[network.rawValue])
    }
  }

  private final class IsolationTable: Sendable {
    enum Who: CaseIterable {
      case stubbedTest, stubbedTestCase
      /// Tests without a scope, of Swift Testing and of XCTest.
      case plainTest, plainTestCase
      /// The app that hosts the tests.
      case app
    }

    enum When: CaseIterable {
      /// Before the first scope of the process.
      case before
      /// While the test runs, and no other scope is open any more, or one is.
      case withNone, besideOne
      /// After the end of the test, while no scope is open any more, one is, or two are.
      case thenNone, thenOne, thenTwo

      var isAfterwards: Bool { self == .thenNone || self == .thenOne || self == .thenTwo }
      var otherScopes: Int { self == .thenTwo ? 2 : self == .besideOne || self == .thenOne ? 1 : 0 }
    }

    enum Place: CaseIterable { case code, task, detachedTask, queue, handler }

    struct Row {
      let who: Who
      let when: When
      let place: Place

      var path: String { "/\(who)/\(when)/\(place)" }
      /// Before the first scope, each is a test without one.
      var isStubbed: Bool { when != .before && (who == .stubbedTest || who == .stubbedTestCase) }
    }

    private let proxy: LoopbackServer

    init() throws {
      proxy = try LoopbackServer()
      setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
      SessionInstallation.activateScopes()
      RunningTest.use(Framework.self)
      RunningTest.listener.withLock { $0 = Closure { _ in } }
      // Outside of every test, the main thread is nobody's.
      TestsOfSwiftTesting.forgetGuess()
    }

    func lines(_ network: IsolationTableTests.Network) async throws -> [String] {
      var lines = [Self.columns([""] + Place.allCases.map { "\($0)" })]
      if network == .closed {
        for when in When.allCases { for who in Who.allCases { lines.append(try await line(who, when)) } }
        return lines
      }
      if network == .allowed { HTTPStubs.unscoped = .passThrough } else { StubRegistry.global.isEnabled = false }
      withStubs {}
      lines.append(try await line(.app, .withNone))
      // The only open scope still has what names none.
      return try await withStubs {
        Self.addStubs("own")
        return lines + [
          "queue beside one scope: \(try await outcome(of: Row(who: .app, when: .before, place: .queue)))"
        ]
      }
    }

    private func line(_ who: Who, _ when: When) async throws -> String {
      var cells = ["\(who) \(when)"]
      for place in Place.allCases { cells.append(try await outcome(of: Row(who: who, when: when, place: place))) }
      return Self.columns(cells)
    }

    private static func columns(_ cells: [String]) -> String {
      let padded = cells.enumerated().map { $1.padding(toLength: $0 == 0 ? 26 : 14, withPad: " ", startingAt: 0) }
      return padded.joined().replacing(#/ +$/#, with: "")
    }

    func outcome(of row: Row) async throws -> String {
      let result = Locked<String?>(nil)
      let gate = row.when.isAfterwards ? Latch() : nil
      let opened = (0..<row.when.otherScopes).map { _ in Latch() }
      let isDone = Latch()
      if !row.when.isAfterwards { try await openOthers(opened, until: isDone) }
      let isAnswered = { @Sendable in
        try await until("\(row.path) has an answer") { result.withLock { $0 != nil } }
      }
      await run(row, gate) { text in
        result.withLock { $0 = text }
      } whileItRuns: {
        // What a test waits for, it waits for before its end.
        if gate == nil { try? await isAnswered() }
      }
      if row.when.isAfterwards { try await openOthers(opened, until: isDone) }
      gate?.open()
      try await isAnswered()
      isDone.open()
      try await until("the other scopes are closed, after \(row.path)") { opened.isEmpty || OpenScopes.shared.isEmpty }
      let outcome = result.withLock { $0 } ?? ""
      let hasEscaped = proxy.requests.contains { $0.hasSuffix(row.path) }
      guard hasEscaped == (outcome == "network") else { return "\(outcome), and the proxy disagrees" }
      return outcome
    }

    /// Opens scopes of other tests, which stay open until something is done.
    private func openOthers(_ opened: [Latch], until isDone: Latch) async throws {
      for latch in opened {
        Task.detached {
          await Framework.$isInTest.withValue(true) {
            await withStubs {
              Self.addStubs("other")
              latch.open()
              await isDone.pass()
            }
          }
        }
        try await until("another scope is open") { latch.isOpen }
      }
    }

    /// Runs a test that makes the request of a row.
    private func run(
      _ row: Row, _ gate: Latch?, _ receive: @escaping @Sendable (String) -> Void,
      whileItRuns wait: @escaping @Sendable () async -> Void
    ) async {
      let make: @Sendable () -> Void = { Self.launch(row, gate, receive) }
      switch row.who {
      case .app:
        make()
        await wait()
      case .plainTest, .stubbedTest:
        await Framework.$isInTest.withValue(true) {
          guard row.isStubbed else {
            make()
            return await wait()
          }
          let (findings, _) = await TestScope(ScopeOptions()).run {
            Self.addStubs("own")
            make()
            await wait()
          }
          guard findings.isEmpty else { fatalError("\(row.path): \(findings)") }
        }
      case .plainTestCase, .stubbedTestCase:
        let isOver = Latch()
        let body: @Sendable () -> Void = {
          if row.isStubbed { Self.addStubs("own") }
          make()
          Task {
            await wait()
            isOver.open()
          }
          isOver.blockUntilOpened()
        }
        await MainActor.run {
          let test =
            row.isStubbed ? StubbedTestCase(name: "test") { _ in body() } : XCTestCase(name: "test") { _ in body() }
          test.run()
        }
      }
      // The code after the test is code of nobody.
      if let gate, row.place == .code {
        Task.detached {
          await gate.pass()
          Self.request(row.path, receive)
        }
      }
    }

    /// Makes a request at the place of a row, now or when the gate opens.
    private static func launch(
      _ row: Row, _ gate: Latch?, _ receive: @escaping @Sendable (String) -> Void
    ) {
      let work: @Sendable () -> Void = { request(row.path, receive) }
      let workWhenOpen: @Sendable () async -> Void = {
        await gate?.pass()
        work()
      }
      switch row.place {
      case .code: if gate == nil { work() }
      case .task: Task { await workWhenOpen() }
      case .detachedTask: Task.detached { await workWhenOpen() }
      case .queue:
        DispatchQueue(label: "plain").async {
          gate?.blockUntilOpened()
          work()
        }
      case .handler:
        session.dataTask(with: url("http://isolation.example/first")) { _, _, _ in
          gate?.blockUntilOpened()
          work()
        }.resume()
      }
    }

    private static let session = URLSession(configuration: .patient)

    private static func request(_ path: String, _ receive: @escaping @Sendable (String) -> Void) {
      session.dataTask(with: url("http://isolation.example\(path)")) { data, _, error in
        switch error {
        case is StubScopeEndedError: receive("ended")
        case let error as UnmatchedRequestError:
          receive(error.description.hasPrefix("It is unclear") ? "unclear" : "\(error)")
        case let error?: receive("\(error)")
        case nil:
          let text = String(decoding: data ?? Data(), as: UTF8.self)
          receive(text.hasPrefix("real ") ? "network" : text)
        }
      }.resume()
    }

    private static func addStubs(_ name: String) { stub(condition: isHost("isolation.example"), response: .text(name)) }
  }

  /// Swift Testing knows no test in the process of an exit test, so a task-local value stands for it. XCTest is itself.
  private final class Framework: QuietFramework {
    @TaskLocal static var isInTest = false

    static var knowsTest: Bool { isInTest }
    static var runsUnscopedTest: Bool { TestsOfSwiftTesting.runsUnscopedTest }
    static func opensScope() -> Bool { isInTest }
  }
#endif
