import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Waiting for a stub's calls", .inTurn)
struct StubWaitingTests {
  private let forever = Duration.seconds(3_600)

  /// A call is counted just before its request begins to wait for something.
  private func untilRequestWaits() async throws {
    let requests = StubRegistry.current.inFlight
    try await until("a request waits for something") {
      requests.table.withLock { $0.entries.values.contains { $0.state.wait != nil } }
    }
  }

  @Test("returns at once for calls that came before")
  func before() async throws {
    // The number of calls to wait for, what the journal may keep, and how many requests the wait returns.
    for (count, limit, kept) in [(1, 10, 2), (2, 10, 2), (2, 1, 1)] {
      try await withStubs {
        StubRegistry.current.journal.limit = limit
        let stub = stub(condition: isHost("a.example"), response: .text("x"), times: 2)
        for _ in 0..<2 { _ = try await URLSession.shared.fetch("http://a.example/") }
        if count == 1 { stub.remove() }
        let calls = try await stub.waitForCalls(count, timeout: forever)
        let completions = try await stub.waitForCompletions(count, timeout: forever)
        #expect(
          calls.count == kept && completions.count == kept && !stub.isActive,
          "\(count), \(limit): \(calls), \(completions)")
      }
    }
  }

  @Test("ends with the call, or with its completion")
  func milestones() async throws {
    try await withStubs {
      let (hung, latch) = (Latch(), Latch())
      let hanging = stub(condition: isHost("a.example")) { request in
        if request.url?.path != "/fast" { await (request.url?.path == "/slow" ? latch : hung).pass() }
        return .text("x")
      }
      let failing = stub(condition: isPath("/fails"), response: .failure(.timedOut))
      let cancelled = Task { await URLSession.shared.failure(of: "http://a.example/hangs") }
      let calls = try await hanging.waitForCalls(timeout: forever)
      #expect(calls.map(\.outcome) == [.inProgress])
      cancelled.cancel()
      #expect(try await hanging.waitForCompletions(timeout: forever).map(\.outcome) == [.cancelled])
      async let slow = URLSession.shared.fetch("http://a.example/slow")
      try await hanging.waitForCalls(2, timeout: forever)
      _ = try await URLSession.shared.fetch("http://a.example/fast")
      let over = try await hanging.waitForCompletions(2, timeout: forever)
      #expect(over.map { "\($0.url.path) \($0.outcome)" } == ["/hangs cancelled", "/fast answered with 200"])
      _ = await URLSession.shared.failure(of: "http://a.example/fails")
      #expect(try await failing.waitForCompletions(timeout: forever).map { $0.outcome.error is URLError } == [true])
      latch.open()
      hung.open()
      _ = (try await slow, await cancelled.value)
    }
  }

  enum Wait: CaseIterable, Sendable {
    case nextCall, calls, completions

    func wait(for stub: Stub) async throws {
      switch self {
      case .nextCall: _ = try await stub.nextCall(timeout: .seconds(3_600))
      case .calls: try await stub.waitForCalls(timeout: .seconds(3_600))
      case .completions: try await stub.waitForCompletions(timeout: .seconds(3_600))
      }
    }
  }

  @Test(
    "ends at once if the stub is removed meanwhile, because no call can come any more", arguments: Wait.allCases,
    [false, true])
  func removed(_ wait: Wait, withAll: Bool) async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .controlled)
      let waiting = Task { try await wait.wait(for: stub) }
      try await until("somebody waits") { StubRegistry.current.inFlight.table.waitCount == 1 }
      if withAll { HTTPStubs.removeAllStubs() } else { stub.remove() }
      let error = await #expect(throws: StubWaitError.self) { try await waiting.value }
      #expect(error?.description.contains("call, and it was removed.") == true, "\(error as Any)")
    }
  }

  @Test("waits until conditions were asked for a request that was made before the removal", arguments: [false, true])
  func removedDuringSearch(isRemovedFirst: Bool) async throws {
    try await withStubs {
      let slow = SlowCondition()
      let stub = stub(condition: isPath("/list") && slow.matcher, response: .ok)
      async let answer = URLSession.shared.fetch("http://a.example/list")
      try await until("the condition is asked") { slow.isAsked.isOpen }
      if isRemovedFirst { stub.remove() }
      let waiting = Task { try await stub.waitForCalls(timeout: forever).count }
      try await until("somebody waits") { StubRegistry.current.inFlight.table.waitCount > 0 }
      stub.remove()
      slow.answer.open()
      #expect(try await waiting.value == 1)
      _ = try await answer
    }
  }

  @Test("goes on for a request that the stub was chosen for, although it is removed meanwhile")
  func removedWithRequest() async throws {
    try await withStubs {
      let gate = ResponseGate()
      let stub = stub(condition: .anything, response: .text("there").held(by: gate))
      async let answer = URLSession.shared.fetch("http://a.example/")
      try await stub.waitForCalls(timeout: forever)
      let waiting = Task { try await stub.waitForCompletions(timeout: forever).count }
      try await until("somebody waits") { StubRegistry.current.inFlight.table.waitCount == 1 }
      stub.remove()
      gate.open()
      #expect(try await waiting.value == 1)
      _ = try await answer
    }
  }

  @Test("has many waiters end each at its own count")
  func manyWaiters() async throws {
    try await withStubs {
      let stub = stub(condition: isHost("a.example"), response: .text("x"))
      let counts = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for count in 1...40 {
          group.addTask { (count, try await stub.waitForCompletions(count, timeout: forever).count) }
        }
        for _ in 1...40 { group.addTask { (0, try await URLSession.shared.fetch("http://a.example/").status) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      // Each with what it waited for and what it got, beside the requests with their statuses.
      #expect(counts.filter { $0.0 > 0 }.count == 40 && counts.allSatisfy { $0.1 >= $0.0 }, "\(counts)")
    }
  }

  @Test("that can't end says what came, and what to do")
  func reports() async throws {
    try await withStubs {
      func add(_ path: String, times: Int? = nil, _ response: @escaping @Sendable () async -> StubResponse) -> Stub {
        StubKit.stub(condition: isPath(path), name: path, times: times, fileID: "App/A.swift", line: 3) { _ in
          await response()
        }
      }
      var texts: [String] = []
      func fails(_ count: Int, _ wait: () async throws -> Void) async {
        let error = await #expect(throws: StubWaitError.self, "\(texts.count)") { try await wait() }
        texts.append(error?.description ?? "")
        #expect(
          error?.localizedDescription == texts.last && error?.count == count && error?.stub.location.line == 3,
          "\(count): \(texts)")
      }
      let latch = Latch()
      let events = add("/events") { .text("x") }
      await fails(0) { try await events.waitForCalls(timeout: .milliseconds(1)) }
      _ = try? await URLSession.shared.fetch("http://a.example/event")
      await fails(0) { try await events.waitForCalls(timeout: .zero) }
      _ = try await URLSession.shared.fetch("http://a.example/events")
      events.remove()
      await fails(1) { try await events.waitForCalls(2, timeout: forever) }
      let slow = add("/slow", times: 2) {
        await latch.pass()
        return .text("x")
      }
      async let fetched = URLSession.shared.fetch("http://a.example/slow")
      try await slow.waitForCalls(timeout: forever)
      try await untilRequestWaits()
      await fails(0) { try await slow.waitForCompletions(timeout: .zero) }
      await fails(1) { try await slow.waitForCalls(3, timeout: forever) }
      latch.open()
      _ = try await fetched
      // What they say is in Fixtures/waits.txt.
      try expectTexts(texts, in: "waits")
    }
    let stub = stub(condition: .anything, response: .status(204), in: StubRegistry())
    let error = await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(timeout: forever) }
    #expect(error?.description.contains("registry no longer exists") == true)
  }

  @Test(
    "that can't end names what holds the response, and nothing else",
    arguments: [
      (.ok.held(by: ResponseGate()), .real, "A request waits for its gate. Open the gate."),
      (.controlled, .real, "A request waits for the test. Answer the call with respond(), finish() or fail()."),
      (.ok.delay(.seconds(1)), ManualClock(), "Advance the clock, or wait longer with timeout:."),
      (
        .noAnswer, .real,
        "A request waits for its timeout, because the response never ends. Give the test an immediate clock, as in "
          + ".stubbed(clock: .immediate), or the request a short timeoutInterval."
      ),
    ] as [(StubResponse, any StubClock, String)])
  func cures(response: StubResponse, clock: any StubClock, cure: String) async throws {
    try await withStubs(in: StubRegistry(clock: clock)) {
      let held = stub(condition: .anything, response: response)
      let loading = Task { try await URLSession.shared.fetch("http://a.example/") }
      try await held.waitForCalls(timeout: forever)
      if cure.hasPrefix("A request waits") { try await untilRequestWaits() }
      let error = await #expect(throws: StubWaitError.self) { try await held.waitForCompletions(timeout: .zero) }
      #expect(error?.description.hasSuffix("\n\(cure)") == true)
      loading.cancel()
      _ = await loading.result
    }
  }

  @Test("counts a request that the journal dropped", arguments: [true, false])
  func droppedInProgress(isCleared: Bool) async throws {
    try await withStubs {
      let gate = ResponseGate()
      let stub = stub(condition: .anything, response: .text("x").held(by: gate))
      async let fetched = URLSession.shared.fetch("http://a.example/")
      try await stub.waitForCalls(timeout: forever)
      if isCleared { HTTPStubs.journal.clear() } else { HTTPStubs.journal.limit = 0 }
      gate.open()
      _ = try await fetched
      #expect(try await stub.waitForCompletions(timeout: forever).isEmpty)
      #expect(stub.callCount == 1)
      let error = await #expect(throws: StubWaitError.self) { try await stub.waitForCompletions(2, timeout: .zero) }
      #expect(error?.description.contains("1 earlier request is no longer in the journal.") == !isCleared)
    }
  }

  @Test("of a task that is cancelled ends at once", arguments: [true, false])
  func cancellation(isCancelledBefore: Bool) async {
    await withStubs {
      let stub = stub(condition: isHost("a.example"), response: .text("x"))
      let latch = Latch()
      let waiting = Task {
        if isCancelledBefore { await latch.pass() }
        return try await stub.waitForCalls(timeout: forever)
      }
      waiting.cancel()
      latch.open()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
  }
}
