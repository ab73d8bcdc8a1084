import Foundation
import StubKitTesting
import TestSupport
import Testing

/// A client of one `.controlled` stub.
private final class Client: Sendable {
  let stub: Stub
  private let tasks = Locked<[Task<Void, Never>]>([])

  init(of stub: Stub) { self.stub = stub }

  /// Makes a request, and returns when the test can answer it.
  func ask() async throws {
    let earlier = stub.lastCall
    let task = Task { _ = try? await URLSession.shared.fetch("http://a.example/feed") }
    tasks.withLock { $0.append(task) }
    try await until("the test can answer the request") { stub.lastCall.map { $0 !== earlier } ?? false }
  }

  /// Cancels the last request, and returns when its end is known.
  func cancel() async throws {
    tasks.withLock(\.last)?.cancel()
    try await until("the request is cancelled") { stub.lastCall?.isCancelled ?? false }
    await settle()
  }

  /// Answers the last request, and returns when its client has the answer.
  ///
  /// - Parameter call: The call, if it was taken.
  func answer(_ call: StubCall?) async {
    call?.finish()
    await settle()
  }

  private func settle() async {
    let task = tasks.withLock(\.last)
    await task?.value
  }
}

/// What has happened to a stub, and what each question has to find then.
private struct History: Sendable, CustomTestStringConvertible {
  let name: String
  let calls: Int
  let completions: Int
  /// How many requests the journal has.
  let requests: Int
  /// How many calls `nextCall()` gives.
  let untaken: Int
  let isUsed: Bool
  /// How many calls `calls:` has found.
  let judged: Int
  let happen: @Sendable (Client) async throws -> Void

  init(
    _ name: String, calls: Int = 0, completions: Int = 0, requests: Int? = nil, untaken: Int = 0, isUsed: Bool = true,
    judged: Int? = nil, _ happen: @escaping @Sendable (Client) async throws -> Void
  ) {
    (self.name, self.calls, self.completions, self.untaken) = (name, calls, completions, untaken)
    (self.requests, self.isUsed, self.judged, self.happen) = (requests ?? calls, isUsed, judged ?? calls, happen)
  }

  var testDescription: String { name }

  static let all = [
    History("nothing", isUsed: false) { _ in },
    History("forgetting nothing", isUsed: false) { _ in HTTPStubs.forgetRequests() },
    History("a request that waits for the test", calls: 1, untaken: 1) { try await $0.ask() },
    History("one that the test has taken and answered", calls: 1, completions: 1) { client in
      try await client.ask()
      await client.answer(try await client.stub.nextCall())
    },
    History("one that was answered and not taken", calls: 1, completions: 1, untaken: 1) { client in
      try await client.ask()
      await client.answer(client.stub.lastCall)
    },
    History("one that was cancelled", calls: 1, completions: 1, untaken: 1) { client in
      try await client.ask()
      try await client.cancel()
    },
    History("an answered one, forgotten") { client in
      try await client.ask()
      await client.answer(try await client.stub.nextCall())
      HTTPStubs.forgetRequests()
    },
    History("one that waits, forgotten") { client in
      try await client.ask()
      HTTPStubs.forgetRequests()
    },
    History("one that is answered after it was forgotten") { client in
      try await client.ask()
      let call = client.stub.lastCall
      HTTPStubs.forgetRequests()
      await client.answer(call)
    },
    History("one, forgetting, and another one", calls: 1, untaken: 1) { client in
      try await client.ask()
      HTTPStubs.forgetRequests()
      try await client.ask()
    },
    History("one, a cleared journal, and another one", calls: 2, requests: 1, untaken: 2) { client in
      try await client.ask()
      HTTPStubs.journal.clear()
      try await client.ask()
    },
    History("two, of which the journal keeps one", calls: 2, completions: 2, requests: 1) { client in
      HTTPStubs.journal.limit = 1
      for _ in 1...2 {
        try await client.ask()
        await client.answer(try await client.stub.nextCall())
      }
    },
    History("one, and the removal of the stub", calls: 1, completions: 1) { client in
      try await client.ask()
      await client.answer(try await client.stub.nextCall())
      client.stub.remove()
    },
    History("one, and the removal of the stub before forgetting", judged: 1) { client in
      try await client.ask()
      await client.answer(try await client.stub.nextCall())
      client.stub.remove()
      HTTPStubs.forgetRequests()
    },
  ]
}

@Suite("All who ask for the calls of a stub", .inTurn)
struct CallCountsTests {
  /// Runs a history in a test of its own, and returns the issues of that.
  private static func issues(
    _ history: History, calls: CallCount? = nil, then ask: @escaping @Sendable (Client) async throws -> Void = { _ in }
  ) async throws -> [String] {
    let test = try #require(Test.current)
    return await takingIssues {
      try await StubbedTrait.stubbed(reportUnused: true).provideScope(for: test, testCase: nil) {
        let stub = stub(condition: isPath("/feed"), response: .controlled, calls: calls)
        let client = Client(of: stub)
        try await history.happen(client)
        try await ask(client)
      }
    }.issues.map(\.text)
  }

  @Test("answer the same", arguments: History.all)
  private func same(_ history: History) async throws {
    let found = try await Self.issues(history) { client in
      let stub = client.stub
      let isRemoved = !HTTPStubs.allStubs().contains { $0.id == stub.id }
      let (calls, completions) = (history.calls, history.completions)
      #expect(stub.callCount == calls)
      #expect(stub.requests.count == history.requests)
      #expect((stub.lastRequest != nil) == (history.requests > 0))
      #expect(HTTPStubs.journal.count == history.requests)
      if calls > 0 { #expect(try await stub.waitForCalls(calls, timeout: .zero).count == history.requests) }
      let tooMany = await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(calls + 1, timeout: .zero) }
      #expect(tooMany?.count == calls)
      if completions > 0 { try await stub.waitForCompletions(completions, timeout: .seconds(60)) }
      let unfinished = await #expect(throws: StubWaitError.self) {
        try await stub.waitForCompletions(completions + 1, timeout: .zero)
      }
      #expect(unfinished?.count == completions)
      try verify(stub, called: .exactly(calls))
      expectCalls(to: stub, .exactly(calls))
      #expect((stub.lastCall != nil) == (calls > 0))
      for _ in 0..<history.untaken { _ = try await stub.nextCall(timeout: .zero) }
      await #expect(throws: StubWaitError.self) { try await stub.nextCall(timeout: .zero) }
      if history.isUsed || isRemoved {
        try HTTPStubs.verifyAllStubsUsed()
      } else {
        #expect(throws: VerificationError.self) { try HTTPStubs.verifyAllStubsUsed() }
      }
    }
    #expect(
      found.filter { $0.contains("Expectation failed") || $0.hasPrefix("threw") || $0.contains("expectCalls") } == [])
    #expect(found.contains { $0.hasPrefix("No request used the stub") } == !history.isUsed, "\(found)")
  }

  @Test("answer the same at the end of the test, for calls:", arguments: History.all)
  private func expected(_ history: History) async throws {
    let right = try await Self.issues(history, calls: .exactly(history.judged))
    #expect(!right.contains { $0.hasPrefix("The stub") }, "\(right)")
    let wrong = try await Self.issues(history, calls: .exactly(history.judged + 1))
    #expect(wrong.contains { $0.contains("expected exactly") && $0.contains("got \(history.judged)\n") }, "\(wrong)")
  }

  @Test("agree for a call that nextCall() can't return any more, and the end of the test says why")
  func forgottenWait() async throws {
    let waiting = try #require(History.all.first { $0.name == "one that waits, forgotten" })
    let found = try await Self.issues(waiting)
    #expect(
      found.contains { $0.contains("It was made before forgetRequests(), so nextCall() doesn't return it") }, "\(found)"
    )
  }
}

@Suite("Responses in turn that no request got", .inTurn)
struct UnusedResponsesTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let responses: [StubResponse]
    let requests: Int
    let calls: CallCount?
    let issue: String?

    init(_ responses: [StubResponse], requests: Int, calls: CallCount? = nil, _ issue: String? = nil) {
      (self.responses, self.requests, self.calls, self.issue) = (responses, requests, calls, issue)
    }

    var testDescription: String { "\(responses.count) responses, \(requests) requests" }
  }

  static let rows = [
    Row([.text("a"), .text("b")], requests: 1, "1 request used the stub, and none got response 2:"),
    Row(
      [.ok, .ok, .status(204), .status(404)], requests: 2,
      "2 requests used the stub, and none got responses 3 to 4:"),
    Row([.text("a"), .text("b")], requests: 2), Row([.text("a"), .text("b")], requests: 3),
    Row([.ok], requests: 1), Row([.text("a"), .text("b")], requests: 1, calls: .once),
    Row([.ok, .ok], requests: 0, "No request used the stub isPath(\"/a\") (App/Users.swift:7)"),
  ]

  @Test("are issues at their stub with reportUnused", arguments: rows)
  func reported(row: Row) async throws {
    let test = try #require(Test.current)
    let issues = await takingIssues {
      try await StubbedTrait.stubbed(reportUnused: true).provideScope(for: test, testCase: nil) {
        stub(
          condition: isPath("/a"), responses: row.responses, calls: row.calls, fileID: "App/Users.swift",
          filePath: "/app/Users.swift", line: 7)
        for _ in 0..<row.requests { _ = try await fetch("http://a.example/a") }
      }
    }.issues
    let texts = issues.map { issue in
      String(issue.text.prefix { !$0.isNewline }).replacing(" isPath(\"/a\") (App/Users.swift:7),", with: ",")
    }
    #expect(texts == (row.issue.map { [$0] } ?? []))
    #expect(issues.allSatisfy { $0.sourceLocation?.line == 7 })
  }
}
