import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A verification", .inTurn)
struct VerificationTests {
  /// A registry that has answered requests.
  private static func registry(_ paths: [String], limit: Int = 1_000) -> StubRegistry {
    let registry = StubRegistry()
    registry.journal.limit = limit
    for path in paths {
      let entry = registry.journal.decided(URLRequest(url: url("http://a.example\(path)")))
      entry.ends(.answered(status: 200))
    }
    return registry
  }

  @Test(
    "holds for as many requests as it says",
    arguments: [
      (.atLeast(1), "holds"), (.atLeast(2), "holds"), (.atLeast(3), "at least 3 calls, got 2\n"), (2, "holds"),
      (.exactly(1), "exactly 1 call, got 2\n"), (.atMost(2), "holds"), (.atMost(1), "at most 1 call, got 2\n"),
      (.never, "no call, got 2\n"), (.once, "exactly 1 call, got 2\n"),
    ] as [(CallCount, Lines)])
  func counts(count: CallCount, part: Lines) {
    let registry = Self.registry(["/a", "/b", "/a"])
    let found = report { try verify(isPath("/a"), called: count, in: registry) }
    #expect(found.contains(part.text), "\(found)")
  }

  @Test("fails if its count is negative", arguments: [.exactly(-1), .atLeast(-1), .atMost(-1)] as [CallCount])
  func negativeCounts(count: CallCount) {
    let found = report { try verify(.anything, called: count, in: StubRegistry()) }
    #expect(found.contains("-1 is not a valid number of calls. Write 0 or more."), "\(found)")
  }

  /// Three requests to `/a`, of which the journal keeps two. The first could have been any.
  private static func shortened() -> StubRegistry { registry(["/a", "/a", "/a"], limit: 2) }
  private static let saysUncertain =
    "1 earlier request is no longer in the journal, which keeps 2, so the result is uncertain."

  @Test(
    "of a journal that has dropped a request is uncertain if that could change the result",
    arguments: [(.atLeast(3), "/a"), (.atMost(2), "/a"), (.never, "/x"), (.exactly(2), "/a")] as [(CallCount, String)])
  func uncertain(count: CallCount, path: String) {
    let found = report { try verify(isPath(path), called: count, in: Self.shortened()) }
    #expect(found.contains(Self.saysUncertain), "\(found)")
  }

  @Test("of a journal that has dropped a request is certain if no other request could change the result")
  func certain() throws {
    try verify(isPath("/a"), called: .atLeast(1), in: Self.shortened())
    for count in [.atMost(1), .exactly(1)] as [CallCount] {
      let found = report { try verify(isPath("/a"), called: count, in: Self.shortened()) }
      #expect(found != "holds" && !found.contains(Self.saysUncertain), "\(count): \(found)")
    }
  }

  @Test("of a journal that was cleared is certain that there was no request")
  func clearedJournal() throws {
    let registry = Self.shortened()
    registry.journal.clear()
    try verify(.anything, called: .never, in: registry)
  }

  @Test(
    "of an order holds if each request comes after the one before, whatever comes in between",
    arguments: [
      ("abc", true), ("aca", true), ("bca", true), ("aab", false), ("aaa", false), ("cba", false), ("abx", false),
    ])
  func order(letters: String, holds: Bool) {
    let registry = Self.registry(["/a", "/b", "/c", "/a"])
    let conditions = letters.map { isPath("/\($0)") }
    let found = report { try verifyInOrder(conditions[0], conditions[1], conditions[2], in: registry) }
    #expect((found == "holds") == holds, "\(found)")
  }

  /// What they say is in `Fixtures/verifications.txt`.
  static let reports: [(paths: [String], verify: @Sendable (StubRegistry) throws -> Void)] = [
    (
      ["/c?page=2", "/b?page=1", "/c"],
      { try verify(isPath("/b") && containsQuery("page", "2"), in: $0, fileID: "App/A.swift", line: 7) }
    ), (["/a", "/b", "/a"], { try verify(isPath("/a"), called: .once, in: $0, fileID: "App/A.swift", line: 7) }),
    (["/b", "/a", "/c"], { try verifyInOrder(isPath("/a"), isPath("/b"), in: $0, fileID: "App/A.swift", line: 7) }),
    (
      ["/b", "/a", "/c"],
      { try verifyInOrder(isPath("/a"), isHost("a.example"), isPath("/a"), in: $0, fileID: "App/A.swift", line: 7) }
    ),
  ]

  @Test("that fails says what was expected, and what came")
  func reports() throws {
    let texts = Self.reports.map { paths, verification in
      let registry = Self.registry(paths)
      return report { try verification(registry) }
    }
    try expectTexts(texts, in: "verifications")
  }

  @Test("that fails after 500 requests says so in a screen of 25 lines, with the number of those left out")
  func longReports() {
    let registry = Self.registry((0..<500).map { "/\($0)" })
    for report in [
      report { try verify(isPath("/x") && isMethod(.post) && hasHeader("A"), in: registry) },
      report { try verify(.anything, called: 0, in: registry) },
      report { try verifyInOrder(isPath("/0"), isPath("/x"), in: registry) },
    ] {
      #expect(report.split(separator: "\n").count <= 25 && report.contains("more"), "\(report)")
    }
  }

  @Test("runs a closure once for each request")
  func closures() {
    let (registry, runs) = (Self.registry(["/a", "/b", "/c"]), Locked(0))
    #expect(report { try verify(.counting(runs, answer: false), in: registry) } != "holds")
    #expect(runs.withLock(\.self) == 3)
  }

  @Test("of an order runs a closure for each request until one meets it")
  func closuresInOrder() {
    let (registry, unmet, met) = (Self.registry(["/a", "/b", "/c"]), Locked(0), Locked(0))
    #expect(report { try verifyInOrder(.counting(unmet, answer: false), in: registry) } != "holds")
    #expect(unmet.withLock(\.self) == 3)
    #expect(report { try verifyInOrder(.counting(met, answer: true), in: registry) } == "holds")
    #expect(met.withLock(\.self) == 1)
  }

  private static func add(_ path: String, _ name: String, times: Int? = nil) -> Stub {
    stub(condition: isPath(path), response: .status(204), name: name, times: times, fileID: "App/A.swift", line: 3)
  }

  /// What they say is in `Fixtures/stub-verifications.txt`.
  @Test("of a stub says what came in place of its calls")
  func ofStub() async throws {
    try await withStubs {
      let users = Self.add("/users", "users")
      _ = Self.add("/login", "used up", times: 1)
      let early = report { try verify(users, called: 2, fileID: "App/A.swift", line: 7) }
      for path in ["users", "login"] { _ = try await URLSession.shared.fetch("http://a.example/\(path)") }
      _ = await URLSession.shared.failure(of: "http://a.example/logon")
      let older = Self.add("/events", "older")
      _ = Self.add("/events", "newer")
      _ = try await URLSession.shared.fetch("http://a.example/events")
      let taken = report { try verify(older, fileID: "App/A.swift", line: 7) }
      let unused = report { try HTTPStubs.verifyAllStubsUsed(fileID: "App/A.swift", line: 7) }
      try expectTexts([early, taken, unused], in: "stub-verifications")
    }
  }

  @Test("says nothing of a request that can still come if one is nearly right, or nothing was to come")
  func nothingToWaitFor() async throws {
    try await withStubs {
      let login = Self.add("/login", "login", times: 1)
      let older = Self.add("/events", "older")
      _ = Self.add("/events", "newer")
      for path in ["login", "events"] { _ = try await URLSession.shared.fetch("http://a.example/\(path)") }
      for (what, report) in [
        ("a path misspelt", report { try verify(isPath("/longon")) }),
        ("no call expected", report { try verify(isPath("/login"), called: .never) }),
        ("another stub answered", report { try verify(older) }),
        ("the stub is used up", report { try verify(login, called: 2) }),
      ] {
        #expect(report != "holds" && !report.contains("If it is still on its way"), "\(what): \(report)")
      }
    }
  }

  @Test("of a stub counts calls from before the journal was cleared, and asks no removed stub")
  func clearedAndRemoved() async throws {
    try await withStubs {
      let users = Self.add("/users", "users")
      let removed = Self.add("/events", "removed")
      _ = try await URLSession.shared.fetch("http://a.example/users")
      removed.remove()
      StubRegistry.current.journal.clear()
      try verify(users, called: .once)
      try HTTPStubs.verifyAllStubsUsed()
    }
  }

  @Test("of a stub counts calls from before the journal was cleared, and says so", arguments: [1, 5] as [CallCount])
  func cleared(count: CallCount) async throws {
    let registry = StubRegistry()
    let list = stub(condition: isPath("/list"), response: .status(204), in: registry)
    let session = registry.makeSession()
    for _ in 0..<3 { _ = try await session.fetch("http://a.example/list") }
    #expect(!report { try verify(list, called: 1) }.contains("no longer in the journal"))
    registry.journal.clear()
    _ = try await session.fetch("http://a.example/list")
    let text = report { try verify(list, called: count) }
    #expect(text.contains("got 4\n") && text.contains("3 earlier calls are no longer in the journal."), "\(text)")
    #expect(text.contains("also those from before the journal was cleared"), "\(text)")
    #expect(text.contains("call HTTPStubs.forgetRequests()"), "\(text)")
    try verify(list.condition, called: 1, in: registry)
  }

  @Test("doesn't count a request that was forgotten while conditions were asked", arguments: 1...2)
  func forgottenDuringSearch(earlierCalls: Int) async throws {
    try await withStubs {
      let slow = SlowCondition()
      let list = stub(condition: isPath("/list") && slow.matcher, response: .ok)
      slow.answer.open()
      for _ in 1...earlierCalls { _ = try await URLSession.shared.fetch("http://a.example/list") }
      let second = SlowCondition()
      let other = stub(condition: isPath("/other") && second.matcher, response: .ok)
      async let sent = URLSession.shared.fetch("http://a.example/other")
      try await until("the condition is asked") { second.isAsked.isOpen }
      HTTPStubs.forgetRequests()
      second.answer.open()
      _ = try await sent
      #expect(other.callCount == 0 && other.requests.isEmpty && list.callCount == 0)
      try verify(other, called: .never)
      _ = try await URLSession.shared.fetch("http://a.example/other")
      try verify(other, called: .once)
    }
  }

  /// Runs a test with a stub of three responses and one of one use, after one call of each and forgetRequests().
  private func withForgottenCalls(_ test: (_ list: Stub, _ once: Stub) async throws -> Void) async throws {
    try await withStubs {
      let list = stub(.get, "/list", responses: [.text("1"), .text("2"), .text("3")], afterLast: .stopMatching)
      let once = stub(.get, "/once", response: .ok, times: 1)
      for path in ["/list", "/once"] { _ = try await URLSession.shared.fetch("http://a.example\(path)") }
      HTTPStubs.forgetRequests()
      try await test(list, once)
    }
  }

  @Test("counts anew after forgetRequests()")
  func forgotten() async throws {
    try await withForgottenCalls { list, _ in
      try verify(list, called: .never)
      #expect(HTTPStubs.requests.isEmpty && list.requests.isEmpty && list.callCount == 0)
      _ = try await URLSession.shared.fetch("http://a.example/list")
      try verify(list, called: 1)
      try verify(isPath("/list"), called: 1)
      #expect(list.callCount == 1)
    }
  }

  @Test("goes with responses and uses that forgetRequests() doesn't give back")
  func usesAfterForgetting() async throws {
    try await withForgottenCalls { (_, once) async throws in
      #expect(try await URLSession.shared.fetch("http://a.example/list").text == "2")
      #expect(!once.isActive)
      #expect(await URLSession.shared.failure(of: "http://a.example/once") is UnmatchedRequestError)
    }
  }

  @Test("that all stubs were used holds for calls from before forgetRequests()")
  func usedBeforeForgetting() async throws {
    try await withForgottenCalls { _, _ in try HTTPStubs.verifyAllStubsUsed() }
  }

  @Test("of a stub runs no closure for its report")
  func reportOfStub() async {
    await withStubs {
      let runs = Locked(0)
      let answered = stub(
        condition: isPath("/a") && RequestMatcher.counting(runs, answer: true), response: .status(204))
      let refused = stub(
        condition: isPath("/b") && RequestMatcher.counting(runs, answer: false), response: .status(204))
      for path in ["a", "b"] { _ = try? await URLSession.shared.fetch("http://a.example/\(path)") }
      let before = runs.withLock(\.self)
      #expect(before == 2)
      for _ in 0..<3 {
        #expect(
          report { try verify(answered, called: .never) }.contains("1. GET http://a.example/a: answered with 204"))
        #expect(report { try verify(answered, called: 2) }.contains("got 1"))
        #expect(report { try verify(refused) }.contains("GET http://a.example/b: unmatched"))
        #expect(report { try HTTPStubs.verifyAllStubsUsed() } != "holds")
        _ = await #expect(throws: StubWaitError.self) { try await refused.waitForCalls(timeout: .zero) }
      }
      #expect(runs.withLock(\.self) == before)
    }
  }
}

extension RequestJournal {
  /// Returns the entry of a request that has arrived, and whose stub is known.
  func decided(
    _ request: URLRequest, by stub: Stub? = nil, match: RequestMatch? = nil, waitsForTest: Bool = false
  ) -> JournalEntry {
    let entry = begin(request)
    let use = stub.map { stub in
      StubUse(stub: stub, reference: stub.reference, counts: stub.counts, callNumber: match?.callNumber ?? 1)
    }
    let kind = RequestLife.Finding.answer(byStub: stub != nil, waitsForTest ? .test : .code)
    let finding = JournalEntry.Finding(choice: "matched", kind: kind, use: use, match: match)
    _ = entry.arrives(IncomingRequest(request), finding: finding)
    return entry
  }
}

/// What a verification says, or "holds".
func report(_ verification: () throws -> Void) -> String {
  do { try verification() } catch { return error.localizedDescription }
  return "holds"
}

/// The warnings of the process from now on. For a test in a process of its own.
func receivedWarnings() -> Locked<[String]> {
  let warnings = Locked<[String]>([])
  RunningTest.listener.withLock { $0 = Closure { text in warnings.withLock { $0.append(text) } } }
  return warnings
}
