import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Code that a manual clock runs", .inTurn, .inOwnProcess)
struct ManualClockRunTests {
  private let clock = ManualClock.patient

  private struct Failure: Error, Equatable {
    let attempt: Int
  }

  /// Answers after a time, as a load would.
  private func response(after duration: Duration) async {
    await withCheckedContinuation { continuation in
      _ = clock.virtual.schedule(at: clock.virtual.now + duration, on: DispatchQueue(label: "load")) {
        continuation.resume()
      }
    }
  }

  @Test("needs no try where the body throws nothing")
  func returns() async {
    final class NotSendable {}
    let thing = NotSendable()
    let same = await clock.run { thing }
    #expect(same === thing && clock.elapsed == .zero)
    let elapsed = await clock.run {
      try? await clock.sleep(for: .seconds(90))
      return clock.elapsed
    }
    #expect(elapsed == .seconds(90))
    await clock.run {}
  }

  @Test("throws what the body throws, once the clock has moved there")
  func throwing() async {
    await #expect(throws: Failure(attempt: 3)) {
      try await clock.run {
        try await clock.sleep(for: .seconds(3))
        throw Failure(attempt: 3)
      }
    }
    #expect(clock.elapsed == .seconds(3))
  }

  @Test("throws an error of the type that the body names")
  func typedThrow() async {
    do throws(Failure) {
      try await clock.run { () async throws(Failure) in throw Failure(attempt: 1) }
      Issue.record("It threw nothing.")
    } catch {
      #expect(error.attempt == 1)
    }
  }

  /// Returns what ends first: the work, or a timeout of 30 seconds.
  private func winner(_ work: @escaping @Sendable () async throws -> Void) async throws -> String? {
    try await clock.run {
      try await withThrowingTaskGroup(of: String.self) { group in
        group.addTask {
          try await clock.sleep(for: .seconds(30))
          return "timeout"
        }
        group.addTask {
          try await work()
          return "work"
        }
        defer { group.cancelAll() }
        return try await group.next()
      }
    }
  }

  @Test("lets no timeout win against earlier work")
  func timeouts() async throws {
    for round in 0..<TestSize.of(200, inPart: 20) {
      let start = clock.elapsed
      let winner = try await winner {
        await response(after: .seconds(1))
        for step in 1...(round % 5 + 1) { try await clock.sleep(for: .seconds(step)) }
      }
      #expect(winner == "work", "round \(round)")
      // A second, and up to 1 + 2 + 3 + 4 + 5.
      #expect(clock.elapsed - start <= .seconds(16), "round \(round)")
    }
  }

  @Test("stays on the main actor if it begins there")
  @MainActor func mainActor() async throws {
    var count = 0
    for round in 1...50 {
      try await clock.run {
        MainActor.assertIsolated()
        try await clock.sleep(for: .seconds(1))
        MainActor.assertIsolated()
        count += 1
        await response(after: .seconds(2))
        count += 1
        await Task.yield()
      }
      MainActor.assertIsolated()
      #expect(count == 2 * round, "\(round)")
      #expect(clock.elapsed == .seconds(3 * round), "\(round)")
    }
  }

  @Test("is cancelled with the task that runs it")
  func cancellation() async throws {
    let begun = Latch()
    let run = Task { [clock] in
      try await clock.run {
        begun.open()
        try await Task.sleep(for: .seconds(600))
      }
    }
    try await until("the body has begun") { begun.isOpen }
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(clock.elapsed == .zero)
  }

  @Test("may move the clock itself")
  func advancing() async {
    await clock.run {
      await clock.advance(by: .seconds(5))
      #expect(clock.elapsed == .seconds(5))
      await clock.advanceToEnd()
      try? await clock.sleep(for: .seconds(5))
    }
    #expect(clock.elapsed == .seconds(10))
  }

  /// Plays a response on a manual clock to its end: after three seconds, a byte a minute. Returns what the delegate was
  /// told, and the reports of the clock.
  private func play(pieceCount: Int) async -> (clock: ManualClock, told: [String], reports: [String]) {
    let reports = Log<String>()
    let clock = ManualClock.reporting(after: .seconds(60), endlessTime: .zero) { reports.note($0) }
    let told = await withStubs(in: StubRegistry(clock: clock)) {
      let response = StubResponse.data(Data(count: pieceCount)).delay(.seconds(3))
        .chunked(by: 1, every: .seconds(60))
      stub(condition: .anything, response: response)
      let events = DelegateEvents()
      let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
      session.dataTask(with: url("http://a.example/")).resume()
      await clock.waitForPending()
      await clock.advanceToEnd()
      session.invalidateAndCancel()
      return events.told
    }
    return (clock, told, reports.entries)
  }

  @Test("aside, advanceToEnd() plays a response of hundreds of pieces")
  func slowResponse() async {
    let pieceCount = TestSize.of(900, inPart: 200)
    let (clock, told, reports) = await play(pieceCount: pieceCount)
    // A minute lies between two pieces.
    #expect(clock.elapsed == .seconds(3 + (pieceCount - 1) * 60))
    #expect(told == ["head 200"] + Array(repeating: "data \0", count: pieceCount) + ["complete"])
    #expect(reports == [])
  }

  @Test("aside, advanceToEnd() gives up after 1,000 deadlines, each of which sets another one, and reports it")
  func endlessResponse() async {
    let (clock, told, reports) = await play(pieceCount: 1_100)
    #expect(reports.map { $0.contains("each deadline sets another one") } == [true])
    #expect(clock.elapsed >= .seconds(999 * 60))
    #expect(told.last != "complete")
  }
}
