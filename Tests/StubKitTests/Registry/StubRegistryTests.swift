import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A registry", .inTurn)
struct StubRegistryTests {
  private let registry = StubRegistry()
  private let request = URLRequest(url: url("http://a.example/users"))

  private func add(_ condition: RequestMatcher, _ name: String, times: Int? = nil) -> Stub {
    stub(condition: condition, response: .status(204), name: name, times: times, in: registry, fileID: "A/a", line: 3)
  }

  @Test("explains which stub answers a request, and what keeps newer ones from it")
  func explanation() throws {
    #expect("\(registry.explain(request))" == "GET http://a.example/users is answered by no stub")
    _ = add(.anything, "oldest")
    let answering = add(isHost("a.example"), "ri\nght")
    _ = add(isPath("/users"), "spent", times: 1).claim()
    _ = add(isHost("a.example") && isPath("/posts"), "wrong")
    let explanation = registry.explain(request)
    #expect(explanation.stub === answering)
    #expect(explanation.candidates.map(\.isUsedUp) == [false, true])
    #expect(explanation.candidates[0].mismatches.map(\.criterion) == ["path"])
    // The text is in Fixtures/explanation.txt.
    try expectTexts([explanation.description], in: "explanation")
  }

  @Test("explains a request without a call of a stub or an entry in the journal")
  func explanationAlone() {
    let once = add(isPath("/users"), "once", times: 1)
    for _ in 1...2 { #expect(registry.explain(request).stub === once) }
    #expect(once.callCount == 0)
    #expect(registry.journal.entries.isEmpty)
  }

  /// Conditions, and whether they ask for the body. The head decides about the others.
  private static let asking: [(condition: RequestMatcher, asksBody: Bool)] = [
    (hasJSON(at: "id", equals: 1), true), (bodyContains("id"), true), (isHost("a.com"), false),
    (hasJSONBody(containing: ["id": 1]) && isHost("a.com"), true),
    (hasHeader("X") || hasJSON(at: "id", equals: 1), true),
  ]

  @Test(
    "searches a long body outside of URLSession's queue, if a condition asks for it", arguments: asking,
    [1_000, 100_000])
  func longBodies(row: (condition: RequestMatcher, asksBody: Bool), length: Int) async throws {
    let isLong = length == 100_000
    let body = post(#"{"id": 1, "text": "\#(String(repeating: "x", count: length))"}"#)
    stub(condition: row.condition, response: .status(204), in: registry)
    StubKit.stub(condition: isPath("/other") && bodyContains("x"), response: .status(204), in: registry)
    let needsTask = if case .needsTask = registry.search(for: IncomingRequest(body)) { true } else { false }
    #expect(needsTask == (row.asksBody && isLong))
    #expect(try await registry.makeSession().fetch(body).status == 204)
  }

  /// It drops some at once, when there are a quarter more than the limit. That sum must not overflow near `.max`.
  @Test(
    "has a journal that keeps the newest requests, as many as its limit",
    arguments: [(.min, 0), (-1, 0), (0, 0), (1, 1), (3, 3), (.max / 5 * 4 + 1, 20), (.max, 20)] as [(Int, Int)])
  func journal(limit: Int, keptOf20: Int) {
    let journal = RequestJournal()
    journal.limit = limit
    #expect(journal.limit >= 0)
    let entries = (0..<20).map { journal.decided(TestSupport.request("http://a/\($0)")) }
    for (number, entry) in entries.enumerated() { entry.ends(.answered(status: number)) }
    #expect(journal.entries.map(\.request.url?.path) == (20 - keptOf20..<20).map { "/\($0)" })
    #expect(journal.entries.map(\.outcome) == (20 - keptOf20..<20).map { .answered(status: $0) })
    #expect(journal.made.droppedCount == 20 - keptOf20)
  }

  @Test("has a journal that says nothing more of a request from before it was cleared")
  func clearedJournal() {
    let journal = RequestJournal()
    let earlier = journal.decided(request)
    journal.clear()
    let later = journal.decided(request)
    earlier.ends(.cancelled)
    #expect(journal.entries.map(\.outcome) == [.inProgress])
    later.ends(.passedThrough)
    #expect(journal.entries.map(\.outcome) == [.passedThrough])
  }

  /// A POST to `/u`, as a client writes it.
  private func upload(_ headers: [String: String], _ body: String? = nil) -> URLRequest {
    TestSupport.request("http://a.example/u", method: "POST", headers: headers, body: body)
  }

  @Test("explains a request by its own headers, even if one with others was made to the same URL")
  func ownHeaders() async throws {
    let first = stub(condition: isPath("/u") && hasHeader("X", "1"), response: .ok, in: registry)
    let second = stub(condition: isPath("/u") && hasHeader("X", "2"), response: .ok, in: registry)
    _ = try await registry.makeSession().fetch(upload(["X": "2", "Content-Type": "text/plain"], "a"))
    #expect(registry.explain(upload(["X": "1"])).stub === first)
    #expect(registry.explain(upload(["X": "2"])).stub === second)
    #expect(registry.explain(upload(["X": "3"])).stub == nil)
  }

  @Test("explains a request whose body was too large for the journal as one whose body isn't known")
  func largeBodyUnknown() async throws {
    stub(condition: .anything, response: .ok, in: registry)
    let large = String(repeating: "a", count: 2_000_000)
    _ = try await registry.makeSession().fetch(upload(["X": "2", "Content-Type": "text/plain"], large))
    stub(condition: bodyContains("b"), response: .ok, in: registry)
    // The request that was made, and the same as the client writes it.
    for bare in [registry.journal.entries[0].request, upload(["x": "2"])] {
      #expect(registry.explain(bare).description.contains("unless its body, which is not known"), "\(bare)")
    }
  }

  @Test("warns once that a stub has answered 1,000 requests, with responses that would end a loop", .inOwnProcess)
  func endless() {
    let warnings = receivedWarnings()
    for (number, (response, cure))
      in ([
        (.json([2]), ": responses: [.json([1]), .json([])]"), (.status(204), ", in responses:"),
        (.status(401), ": responses: [.status(401), .ok]"),
        (.failure(.timedOut), ": responses: [.failure(.networkConnectionLost), .ok]"),
        (.events(["a"]), #": responses: [.events(["1"]), .status(204)]"#),
      ] as [(StubResponse, String)]).enumerated()
    {
      let users = Stub(
        condition: .anything, responder: .value(response), name: "users",
        location: StubLocation("App/Users.swift", "", 12, 1), registry: registry)
      // Twice as many, and one.
      for _ in 1...2_001 { _ = registry.journal.decided(request, by: users) }
      let start = #"The stub "users" (App/Users.swift:12) has answered 1,000 requests, now GET http://a.example/users"#
      let texts = warnings.withLock(\.self)
      #expect(texts.count == number + 1 && texts.last?.hasPrefix(start) == true, "\(texts)")
      let end = "let a later response end it\(cure). If the test means so many requests, pass times: with their number."
      #expect(texts.last?.hasSuffix("If the client never stops, \(end)") == true, "\(texts)")
    }
  }

  @Test(
    "warns of no stub that says how many requests it answers, and of one that can't answer says why", .inOwnProcess)
  func meantOrMistaken() {
    let warnings = receivedWarnings()
    func ask(_ response: StubResponse, times: Int?) {
      let stub = Stub(
        condition: .anything, responder: .value(response), name: nil, times: times,
        location: StubLocation("App/Users.swift", "", 12, 1), registry: registry)
      for _ in 1...1_001 { _ = registry.journal.decided(request, by: stub) }
    }
    ask(.ok, times: 10_000)
    #expect(warnings.withLock(\.self) == [])
    ask(.status(42), times: nil)
    let texts = warnings.withLock(\.self)
    #expect(texts.count == 1 && texts[0].contains("has failed 1,000 requests, now GET"), "\(texts)")
    #expect(texts.last?.contains("42") == true && texts.last?.contains("responses") == false, "\(texts)")
  }

  @Test("releases what it holds outside of its locks")
  func release() async throws {
    final class Holder: Error {
      let registry: StubRegistry
      init(_ registry: StubRegistry) { self.registry = registry }
      // Takes the locks. In a registry that releases below one, the test would never end.
      deinit { _ = (registry.stubs.count, registry.journal.entries.count) }
    }
    let (registry, request) = (registry, request)
    func fail(_ holder: Holder) { registry.journal.decided(request).ends(.failed(holder)) }
    let rows: [(hold: (Holder) -> Void, release: () -> Void)] = [
      ({ holder in stub(condition: .anything, in: registry) { _ in throw holder } }, { registry.removeAll() }),
      ({ holder in registry.unmatched = .respond { _ in .failure(holder) } }, { registry.unmatched = .fail }),
      (fail, { registry.journal.clear() }), (fail, { registry.journal.limit = 0 }),
      (
        {
          registry.journal.limit = 1
          fail($0)
        }, { for _ in 0..<3 { _ = registry.journal.decided(request) } }
      ),
    ]
    for (number, row) in rows.enumerated() {
      weak var witness: Holder?
      do {
        let holder = Holder(registry)
        witness = holder
        row.hold(holder)
      }
      #expect(witness != nil, "\(number)")
      row.release()
      // What a limit drops is released elsewhere, because a request can begin under a lock of URLSession.
      try await until("row \(number) is released") { witness == nil }
    }
  }

  @Test(
    "releases a stub that is removed during a search on another thread than the search's",
    arguments: [
      // The search finds the newest one, beside one that is known by a value.
      [isHost("a.example"), !isPath("/posts")],
      // It finds the newest one of those that are known by none.
      [!isPath("/comments"), !isPath("/posts")],
      // It has looked up all that are known by a value, because the newest one doesn't match.
      [isHost("a.example"), isPath("/users"), isPath("/users") && hasHeader("X-Page")],
    ])
  func removedMeanwhile(conditions: [RequestMatcher]) async throws {
    final class Witness: Sendable {
      let threads: Locked<[Thread]>
      init(_ threads: Locked<[Thread]>) { self.threads = threads }
      deinit { threads.withLock { $0.append(.current) } }
    }
    let threads = Locked<[Thread]>([])
    for condition in conditions {
      let witness = Witness(threads)
      stub(condition: condition, in: registry) { _ in withExtendedLifetime(witness) { .ok } }
    }
    let searching = Thread { [registry, request] in
      LastReleases.happenElsewhere {
        let found = registry.search(for: IncomingRequest(request)) {
          registry.removeAll()
          return false
        }
        if case .stub = found {} else { Issue.record("No stub was found.") }
      }
    }
    searching.start()
    try await until("all are released") { threads.withLock { $0.count } == conditions.count }
    #expect(threads.withLock { !$0.contains(searching) })
  }

  /// As Swift Testing does with all values of an expectation that was not met.
  private func count(_ value: Any, depth: Int = 0) -> Int {
    guard depth < 12 else { return 0 }
    return Mirror(reflecting: value).children.reduce(1) { $0 + count($1.value, depth: depth + 1) }
  }

  @Test("keeps one timer for a mistake that 3,000 requests repeat", .startsProcess)
  func repeatedMistake() async {
    await #expect(processExitsWith: .success) {
      let report = TestReport()
      for _ in 1...3_000 { report.add("The stub can't be sent.", at: nil) }
      #expect(report.mistakes.count == 1)
      let start = clock()
      // Nothing happens in this second.
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
      let spent = Double(clock() - start) / Double(CLOCKS_PER_SEC)
      precondition(spent < 0.03, "\(spent) s of processor time")
    }
  }

  @Test("that lives for ever keeps a bounded number of stubs that recordings and tests leave behind")
  func bounded() {
    let registry = StubRegistry()
    for number in 1...3_000 {
      let retired = stub(condition: isPath("/\(number)"), response: .ok, in: registry)
      registry.annotate(
        retired, isListed: true, line: { "" }, request: { "" }, advice: { _ in [] })
      registry.retire([retired])
      withStubs(in: registry) { _ = stub(condition: isPath("/x"), response: .ok, calls: .never, in: registry).remove() }
      withStubs(in: registry) {
        stub(condition: isPath("/y"), response: .ok, calls: .never, in: registry)
        registry.removeAll()
      }
    }
    #expect(
      registry.unusedStubs.count == 1_000 && registry.unusedStubs.last?.condition.description == "isPath(\"/3000\")")
    #expect(registry.annotations.count == 1_000)
    #expect(registry.stubsWithExpectedCalls.isEmpty)
  }

  @Test("with 100 stubs is small in a Mirror, and so are its journal, stubs, errors and explanations")
  func reflection() {
    for number in 0..<100 { StubKit.stub(condition: isPath("/\(number)"), response: .status(204), in: registry) }
    let error = UnmatchedRequestError(
      RequestFacts(TestSupport.request("http://a.example/b")), in: registry, scopes: OpenScopes())
    #expect(count(registry) < 50)
    // A hundred conditions, with a hundred values or so each.
    for value in [registry.journal, registry.stubs, error, registry.explain(error.request)] as [Any] {
      #expect(count(value) < 20_000, "\(type(of: value))")
    }
  }

  @Test("has stubs whose Mirror shows what a test asks about")
  func reflectionOfStub() {
    let stub = stub(condition: isPath("/a"), response: .status(204), name: "a", in: registry)
    #expect(Mirror(reflecting: stub).children.map(\.label) == ["name", "condition", "location", "callCount"])
  }
}

/// The one suite that touches the global registry. Each test runs in a process of its own, where nothing was stubbed
/// yet.
@Suite("The global registry", .inTurn, .serialized)
struct GlobalRegistryTests {
  @Test("leaves requests alone before its first stub, and while it is disabled", .startsProcess)
  func sleeping() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer()
      precondition(!StubRegistry.current.isEnabled)
      let real = try await URLSession.shared.fetch(server.url("/before").absoluteString)
      precondition(real.text == "real GET /before")
      stub(condition: isPath("/stubbed"), response: .text("stubbed"))
      precondition(StubRegistry.current.isEnabled)
      let stubbed = try await URLSession.shared.fetch(server.url("/stubbed").absoluteString)
      precondition(stubbed.text == "stubbed")
      HTTPStubs.removeAllStubs()
      precondition(StubRegistry.current.isEnabled && HTTPStubs.allStubs().isEmpty)
      let error = await URLSession.shared.failure(of: server.url("/after").absoluteString)
      precondition(error is UnmatchedRequestError)
      StubRegistry.current.isEnabled = false
      stub(condition: .anything, response: .text("stubbed too"))
      precondition(!StubRegistry.current.isEnabled)
      let off = try await URLSession.shared.fetch(server.url("/off").absoluteString)
      precondition(off.text == "real GET /off")
      StubRegistry.current.isEnabled = true
      let on = try await URLSession.shared.fetch(server.url("/on").absoluteString)
      precondition(on.text == "stubbed too")
    }
  }

  @Test("answers requests that belong to no scope, and those of its own sessions", .startsProcess)
  func last() async {
    await #expect(processExitsWith: .success) {
      let plain = URLSession(configuration: .patient)
      stub(condition: .anything, response: .text("global"))
      let installed = StubRegistry.global.makeSession()
      try await withStubs {
        stub(condition: .anything, response: .text("scope"))
        // A Place makes its request outside of the scope, where the session alone can say where it belongs.
        let texts = [
          try await plain.fetch("http://a.example/").text, try await SessionBindingTests.Place.queue.fetch(plain),
          try await SessionBindingTests.Place.queue.fetch(.shared),
          try await installed.fetch("http://a.example/").text,
          try await SessionBindingTests.Place.queue.fetch(URLSession(configuration: .patient)),
        ]
        precondition(texts == ["scope", "global", "global", "global", "scope"], "\(texts)")
      }
      let shared = withStubs { URLSession.shared }
      let text = try await SessionBindingTests.Place.thread.fetch(shared)
      precondition(text == "global")
    }
  }

  @Test("may get its first stubs on many threads", .startsProcess)
  func firstStubs() async {
    for _ in 0..<5 {
      await #expect(processExitsWith: .success) {
        let server = try LoopbackServer()
        let answered = DispatchGroup()
        for number in 0..<8 {
          answered.enter()
          Thread.detachNewThread {
            stub(condition: isPath("/\(number)"), response: .text("stubbed"))
            let session = URLSession(configuration: .patient)
            session.dataTask(with: server.url("/\(number)")) { _, _, _ in answered.leave() }.resume()
          }
        }
        answered.wait()
        precondition(server.requests.isEmpty, "\(server.requests)")
      }
    }
  }

  @Test("prints one line for each decision with STUBKIT_LOG=1", .startsProcess)
  func lines() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        setenv("STUBKIT_LOG", "1", 1)
        try await withStubs {
          let server = try LoopbackServer()
          stub(condition: isPath("/users"), response: .text("x"), name: "users")
          _ = try await URLSession.shared.fetch("http://a.example/users")
          _ = await URLSession.shared.failure(of: "http://a.example/posts")
          HTTPStubs.unmatched = .passThrough
          _ = try await URLSession.shared.fetch(server.url("/out").absoluteString)
        }
      })
    let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("StubKit:") }.map { String($0.dropFirst(9)) }
    try #require(lines.count == 7, "\(lines)")
    #expect(lines[0] == "taken GET http://a.example/users")
    #expect(lines[1].hasPrefix("matched GET http://a.example/users, by the stub \"users\" (StubKitTests/"))
    #expect(lines[2].hasPrefix("answered GET http://a.example/users with 200, by the stub \"users\" (StubKitTests/"))
    #expect(lines[3...4] == ["taken GET http://a.example/posts", "unmatched GET http://a.example/posts"])
    #expect(lines[6].hasPrefix("passed through GET http://127.0.0.1:"))
  }
}
