import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Waiting for a stub's calls", .inTurn)
struct StubWaitingTests {
  private let forever = Duration.seconds(3_600)

  @Test("returns at once for calls that came before", arguments: [0, 1, 2])
  func before(count: Int) async throws {
    try await withStubs {
      let stub = stub(condition: isHost("a.example"), response: .text("x"))
      for _ in 0..<2 { _ = try await URLSession.shared.fetch("http://a.example/") }
      let calls = try await stub.waitForCalls(count, timeout: forever)
      let completions = try await stub.waitForCompletions(count, timeout: forever)
      #expect(calls.count == 2 && completions.count == 2)
    }
  }

  @Test("ends with the call, whose answer may take its time, or with its completion")
  func milestones() async throws {
    try await withStubs {
      let latch = Latch()
      let stub = stub(condition: isHost("a.example")) { _ in
        await latch.pass()
        return .text("x")
      }
      async let fetched = URLSession.shared.fetch("http://a.example/1")
      let calls = try await stub.waitForCalls(timeout: forever)
      #expect(calls.map(\.outcome) == [.inProgress])
      latch.open()
      let completions = try await stub.waitForCompletions(timeout: forever)
      #expect(completions.map(\.outcome) == [.answered(status: 200)])
      _ = try await fetched
    }
  }

  @Test("returns of the completions only those that are over")
  func overOnly() async throws {
    try await withStubs {
      let latch = Latch()
      let stub = stub(condition: isHost("a.example")) { request in
        if request.url?.path == "/slow" { await latch.pass() }
        return .text("x")
      }
      async let slow = URLSession.shared.fetch("http://a.example/slow")
      try await stub.waitForCalls(timeout: forever)
      async let fast = URLSession.shared.fetch("http://a.example/fast")
      let completions = try await stub.waitForCompletions(timeout: forever)
      #expect(completions.map(\.request.url?.path) == ["/fast"])
      latch.open()
      _ = try await (slow, fast)
    }
  }

  @Test("takes failures and cancellations for completions")
  func failures() async throws {
    try await withStubs {
      let failing = stub(condition: isPath("/fails"), response: .failure(.timedOut))
      let latch = Latch()
      let hanging = stub(condition: isPath("/hangs")) { _ in
        await latch.pass()
        return .empty()
      }
      _ = await URLSession.shared.failure(of: "http://a.example/fails")
      let task = Task { await URLSession.shared.failure(of: "http://a.example/hangs") }
      try await hanging.waitForCalls(timeout: forever)
      task.cancel()
      let failed = try await failing.waitForCompletions(timeout: forever)
      let cancelled = try await hanging.waitForCompletions(timeout: forever)
      #expect(failed.map(\.outcome.error).count == 1 && cancelled.map(\.outcome) == [.cancelled])
      latch.open()
      _ = await task.value
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
      #expect(counts.filter { $0.0 > 0 }.count == 40 && counts.allSatisfy { $0.1 >= $0.0 })
    }
  }

  @Test("that is too long fails, and names the stub, what came and the cure")
  func timeout() async throws {
    try await withStubs {
      let stub = stub(condition: isPath("/events"), response: .text("x")); let line = #line
      _ = try await URLSession.shared.fetch("http://a.example/events")
      let error = try #require(
        await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(2, timeout: .milliseconds(20)) })
      #expect(error.stub == stub.reference && error.expectedCount == 2 && error.count == 1)
      let location = "StubKitTests/StubWaitingTests.swift:\(line)"
      #expect(error.description.contains("isPath(\"/events\") (\(location)) received 1 of 2 expected calls within"))
      #expect(error.localizedDescription == error.description && error.description.contains("timeout:"))
    }
  }

  @Test("for which no request arrived says where to look", arguments: [false, true])
  func nothing(hasOtherRequest: Bool) async {
    await withStubs {
      let stub = stub(condition: isPath("/events"), response: .text("x"))
      if hasOtherRequest { _ = try? await URLSession.shared.fetch("http://a.example/event") }
      let error = await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(timeout: .zero) }
      let cure =
        hasOtherRequest ? "Mend the condition" : "Check that the request is made, and that it is made in the scope"
      #expect(error?.description.contains("\n\(cure)") == true)
      #expect(error?.description.contains("No requests arrived.") == !hasOtherRequest)
    }
  }

  @Test("for completions that is too long says how many have begun")
  func completionTimeout() async throws {
    try await withStubs {
      let latch = Latch()
      let stub = stub(condition: isPath("/events")) { _ in
        await latch.pass()
        return .text("x")
      }
      async let fetched = URLSession.shared.fetch("http://a.example/events")
      try await stub.waitForCalls(timeout: forever)
      let error = await #expect(throws: StubWaitError.self) {
        try await stub.waitForCompletions(timeout: .zero)
      }
      #expect(
        error?.count == 0
          && error?.description.contains("1 request has begun. Open its gate or advance its clock") == true)
      latch.open()
      _ = try await fetched
    }
  }

  @Test("for more calls than the stub can get fails at once")
  func usedUp() async throws {
    try await withStubs {
      let stub = stub(condition: isHost("a.example"), response: .text("x"), times: 2)
      _ = try await URLSession.shared.fetch("http://a.example/")
      _ = try await URLSession.shared.fetch("http://a.example/")
      let calls = try await stub.waitForCalls(2, timeout: forever)
      #expect(calls.count == 2 && !stub.isActive)
      let error = await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(3, timeout: forever) }
      #expect(error?.count == 2 && error?.description.contains("answers at most 2") == true)
    }
  }

  @Test("finds the calls of a stub that was removed, and says of others that it is")
  func removed() async throws {
    try await withStubs {
      let stub = stub(condition: isHost("a.example"), response: .text("x"))
      _ = try await URLSession.shared.fetch("http://a.example/")
      stub.remove()
      let calls = try await stub.waitForCompletions(timeout: forever)
      #expect(calls.count == 1)
      let error = await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(2, timeout: .zero) }
      #expect(error?.description.contains("The stub was removed, or its uses are spent") == true)
    }
  }

  @Test("counts the calls that the journal has dropped, and returns those it still has")
  func dropped() async throws {
    try await withStubs {
      StubRegistry.current.journal.limit = 1
      let stub = stub(condition: isHost("a.example"), response: .text("x"))
      for _ in 0..<3 { _ = try await URLSession.shared.fetch("http://a.example/") }
      let calls = try await stub.waitForCalls(3, timeout: forever)
      let completions = try await stub.waitForCompletions(3, timeout: forever)
      #expect(calls.count == 1 && completions.count == 1)
    }
  }

  @Test(
    "counts the completion of a call once that the journal dropped while it was in progress", arguments: [true, false])
  func droppedInProgress(isCleared: Bool) async throws {
    try await withStubs {
      let journal = StubRegistry.current.journal
      let calls = StubCalls()
      let request = URLRequest(url: url("http://a.example/"))
      let entry = journal.begin(request, body: nil, stub: nil, calls: calls)
      if isCleared { journal.clear() } else { journal.limit = 0 }
      journal.end(entry, .cancelled)
      journal.end(entry, .answered(status: 200))
      #expect(journal.count(of: .begun, of: calls) == 1 && journal.count(of: .completed, of: calls) == 1)
      let isMet = try await journal.wait(for: 1, .completed, of: calls, timeout: forever)
      #expect(isMet)
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

  @Test("fails at once when the registry is gone")
  func goneRegistry() async throws {
    func lonely() -> Stub { StubKit.stub(condition: .anything, response: .empty(), in: StubRegistry()) }
    let stub = lonely()
    let none = try await stub.waitForCalls(0, timeout: forever)
    let error = await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(timeout: forever) }
    #expect(none.isEmpty && error?.description.contains("registry no longer exists") == true)
  }
}
