import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A duration, however long,", .inTurn)
struct ExtremeDurationsTests {
  /// The last ones are about the least and the greatest that there are.
  static let durations: [Duration] = [
    .seconds(-1), .zero, Duration(secondsComponent: 0, attosecondsComponent: 1), .nanoseconds(Int64.max),
    .seconds(150 * 31_557_600), .seconds(Int64.min), .seconds(Int64.max), .seconds(-1.7e20), .seconds(1.7e20),
  ]
  private static let longest = Duration.seconds(Int64.max)

  private let clock = ManualClock.patient

  enum Use: String, CaseIterable, CustomTestStringConvertible {
    case delay, bodyDuration, chunked, events, latency, jitter, all

    var testDescription: String { rawValue }
    /// A mistake, which has its own test.
    var trapsBelowZero: Bool { self == .latency || self == .jitter || self == .all }

    func response(_ duration: Duration) -> StubResponse {
      let text = StubResponse.text("abc")
      return switch self {
      case .delay: text.delay(duration)
      case .bodyDuration: text.bodyDuration(duration)
      case .chunked: text.chunked(by: 1, every: duration)
      case .events: .events(["a", "b"], every: duration)
      case .latency: text.network(NetworkConditions(latency: duration))
      case .jitter: text.network(NetworkConditions(jitter: duration, seed: 7))
      case .all:
        text.delay(duration).chunked(by: 1, every: duration)
          .network(NetworkConditions(latency: duration, jitter: duration, downlink: .bytesPerSecond(1e-300)))
      }
    }
  }

  @Test("is one that a response can take", arguments: Use.allCases, durations)
  func response(use: Use, duration: Duration) async throws {
    guard duration >= .seconds(-1) || !use.trapsBelowZero else { return }
    let response = use.response(duration)
    #expect(!response.description.isEmpty)
    for clock in [clock, ImmediateStubClock()] as [any StubClock] {
      let registry = StubRegistry()
      registry.clock = clock
      await withStubs(registry: registry) {
        stub(condition: .anything, response: response)
        let result = await self.clock.run { await Result { try await URLSession.fetchPatiently() } }
        if duration < .seconds(-1) {
          #expect(throws: StubResponseError.self) { try result.get() }
        } else {
          #expect((try? result.get())?.status == 200)
        }
      }
    }
    #expect(use == .jitter || clock.elapsed >= duration.clamped)
  }

  @Test("is one that a response can take in real time, until it is cancelled", arguments: Use.allCases)
  func realTime(use: Use) async throws {
    for duration in Self.durations where duration > .seconds(1) {
      try await withStubs {
        let stub = stub(condition: .anything, response: use.response(duration))
        let task = Task { try await URLSession.fetchPatiently() }
        try await stub.waitForCalls(timeout: .seconds(60))
        task.cancel()
        try await stub.waitForCompletions(timeout: .seconds(60))
        _ = await task.result
      }
    }
  }

  @Test("is one that a clock can be moved by, and slept on for", arguments: durations)
  func clock(duration: Duration) async throws {
    let instant = ManualClock.Instant(offset: duration)
    for other in Self.durations {
      let later = instant.advanced(by: other)
      #expect(other < .zero ? later <= instant : later >= instant)
      #expect(later.offset <= Self.longest && later.offset >= .zero - Self.longest)
      _ = instant.duration(to: ManualClock.Instant(offset: other))
    }
    try await clock.run { try await clock.sleep(for: duration) }
    await clock.advance(to: instant)
    #expect(clock.elapsed == min(max(duration, .zero), Self.longest))
    guard duration >= .zero else { return }
    for _ in 0..<2 { await clock.advance(by: duration) }
    try await clock.run { try await clock.sleep(for: duration) }
    #expect(clock.elapsed >= min(duration, Self.longest) && clock.elapsed <= Self.longest)
    await clock.advanceToEnd()
  }

  @Test("is one that a call can be waited for", arguments: durations)
  func waiting(duration: Duration) async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .text("x"))
      if duration < .seconds(1) {
        await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(timeout: duration) }
        await #expect(throws: StubWaitError.self) { try await stub.waitForCompletions(timeout: duration) }
      } else {
        async let called = stub.waitForCalls(timeout: duration)
        async let completed = stub.waitForCompletions(timeout: duration)
        _ = try await URLSession.shared.fetch("http://a.example/")
        let counts = try await (called.count, completed.count)
        #expect(counts == (1, 1))
      }
    }
  }

  @Test("is one that an event can tell its client to wait", arguments: durations)
  func retry(duration: Duration) throws {
    let text = String(decoding: ServerSentEvent("x", retry: duration).encoded, as: UTF8.self)
    let written = try #require(text.split(separator: "\n").first?.dropFirst("retry: ".count))
    let milliseconds = try #require(Int64(written))
    #expect(duration > .zero ? milliseconds >= 0 : milliseconds == 0)
    #expect(duration < .seconds(1e16) || milliseconds == .max)
  }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

@Suite("Requests on a clock that is far away", .inTurn)
struct FarAwayTimeTests {
  private let clock = ManualClock.patient
  private static let year = 31_557_600

  @Test(
    "take their time there as anywhere", arguments: [100, 145, 146, 147, 293, 585, 1_000_000_000].map { $0 * year })
  func farAway(seconds: Int) async throws {
    let registry = StubRegistry()
    registry.clock = clock
    await clock.advance(by: .seconds(seconds))
    try await withStubs(registry: registry) {
      stub(condition: isPath("/slow"), response: .text("late").delay(.seconds(2)).bodyDuration(.seconds(8)))
      stub(condition: isPath("/silent"), response: .noAnswer)
      let start = clock.elapsed
      let text = try await clock.run { try await URLSession.shared.fetch("http://a.example/slow").text }
      #expect(text == "late" && clock.elapsed - start == .seconds(10))
      let failure = await clock.run { await URLSession.shared.failure(of: "http://a.example/silent") }
      #expect((failure as? URLError)?.code == .timedOut && clock.elapsed - start == .seconds(70))
    }
    #expect(registry.journal.entries.map(\.duration) == [.seconds(10), .seconds(60)])
  }

  @Test(
    "come by the end of time, and at once when it has come", arguments: [Duration.seconds(Int64.max), .seconds(1.7e20)])
  func endOfTime(delay: Duration) async throws {
    await clock.advance(by: .seconds(Int64.max - 1))
    for round in 0..<2 {
      try await withStubs {
        HTTPStubs.clock = clock
        stub(condition: .anything, response: .text("late").delay(delay))
        let text = Task { try await URLSession.fetchPatiently().text }
        await clock.waitForPending(round == 0 ? 1 : 0)
        await clock.advanceToEnd()
        let received = try await text.value
        #expect(received == "late")
      }
      #expect(clock.elapsed == .seconds(Int64.max) && clock.pendingCount == 0)
    }
  }
}
