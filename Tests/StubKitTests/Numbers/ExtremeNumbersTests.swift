import Foundation
import StubKit
import TestSupport
import Testing

extension URLSession {
  /// Fetches with a session that never times out.
  fileprivate static func fetchPatiently() async throws -> Fetched {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 1e12
    configuration.timeoutIntervalForResource = 1e12
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    return try await session.fetch(request("http://a.example/", method: "POST", body: "abc", timeout: 1e12))
  }
}

@Suite("A number or a duration, however extreme,", .inTurn)
struct ExtremeNumbersTests {
  /// The last ones are about the least and the greatest that there are.
  static let durations: [Duration] = [
    .seconds(-1), .zero, Duration(secondsComponent: 0, attosecondsComponent: 1), .nanoseconds(Int64.max),
    .seconds(150 * 31_557_600), .seconds(Int64.min), .seconds(Int64.max), .seconds(-1.7e20), .seconds(1.7e20),
  ]
  private static let longest = Duration.seconds(Int64.max)

  /// The uses of a duration by a response. Below zero, those of a network count as zero.
  private static func responses(_ duration: Duration) -> [StubResponse] {
    let text = StubResponse.text("abc")
    let body = [
      text.delay(duration), text.bodyDuration(duration), text.chunked(by: 1, every: duration),
      .events(["a", "b"], every: duration),
    ]
    guard duration >= .zero else { return body }
    return body + [
      text.network(NetworkConditions(latency: duration)), text.network(NetworkConditions(jitter: duration, seed: 7)),
      text.delay(duration).chunked(by: 1, every: duration)
        .network(NetworkConditions(latency: duration, jitter: duration, downlink: .bytesPerSecond(1e-300))),
    ]
  }

  /// Arithmetic with clocks can end just below zero, so that a second below it counts as zero.
  @Test("can be any time of a response, which fails only if it is more than a second below zero", arguments: durations)
  func responses(duration: Duration) async {
    for (number, response) in Self.responses(duration).enumerated() {
      for isManual in [true, false] {
        let clock = ManualClock.patient
        let registry = StubRegistry(clock: isManual ? clock : .immediate)
        stub(condition: .anything, response: response, in: registry)
        let result = await withStubs(in: registry) {
          await clock.run { await Task { try await URLSession.fetchPatiently().status }.result }
        }
        if duration < .seconds(-1) {
          #expect(throws: StubResponseError.self, "\(number), \(isManual)") { try result.get() }
        } else {
          #expect((try? result.get()) == 200, "\(number), \(isManual): \(result)")
        }
        // Jitter, of response 5, is any time up to it.
        #expect(!isManual || number == 5 || clock.elapsed >= duration.clamped, "\(number)")
      }
    }
  }

  @Test("can be the time of a response that is cancelled in real time", arguments: durations)
  func cancelledResponses(duration: Duration) async throws {
    guard duration > .seconds(1) else { return }
    for response in Self.responses(duration) {
      try await withStubs {
        let stub = stub(condition: .anything, response: response)
        let task = Task { try await URLSession.fetchPatiently() }
        try await stub.waitForCalls(timeout: .seconds(60))
        task.cancel()
        try await stub.waitForCompletions(timeout: .seconds(60))
        await #expect(throws: (any Error).self, "\(response)") { try await task.value }
      }
    }
  }

  @Test("is one that a response can be given")
  func others() async throws {
    let text = StubResponse.text("abc")
    let stream = StubResponse.stream { AsyncStream<Data> { $0.finish() } }
    let networks = [Double.leastNonzeroMagnitude, 1e300, .greatestFiniteMagnitude].map { rate in
      text.network(NetworkConditions(downlink: .bytesPerSecond(rate), uplink: .bytesPerSecond(rate)))
    }
    let cut = [text, stream.chunked(by: .max)].map { $0.failing(afterBytes: .max) }
    // The first four answer. One that fails after more bytes than it has fails at its end.
    for (number, response) in (networks + [text.chunked(by: .max, every: .seconds(1))] + cut).enumerated() {
      let clock = ManualClock.patient
      await withStubs(in: StubRegistry(clock: clock)) {
        stub(condition: .anything, response: response)
        let result = await clock.run { await Task { try await URLSession.fetchPatiently().text }.result }
        switch result {
        case .success(let text): #expect(text == "abc" && number < 4, "\(number): \(text)")
        case .failure(let error):
          #expect((error as? URLError)?.code == .networkConnectionLost && number > 3, "\(number): \(error)")
        }
      }
    }
  }

  @Test("can be the number of calls that a stub answers", arguments: [1, 2, .max])
  func uses(count: Int) async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .text("x"), times: count)
      _ = try await URLSession.shared.fetch("http://a.example/")
      #expect(stub.callCount == 1)
      #expect(stub.isActive == (count > 1))
    }
  }

  @Test("can be the number of calls that a test expects", arguments: [1, 2, .max])
  func expectedCalls(count: Int) async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .text("x"))
      _ = try await URLSession.shared.fetch("http://a.example/")
      for expected in [CallCount.exactly(count), .atLeast(count), .atMost(count)] {
        let report = report { try verify(stub, called: expected) }
        #expect((report == "holds") == expected.contains(1), "\(expected): \(report)")
      }
    }
  }

  @Test("can be the number of calls that a test waits for, in vain, for any time", arguments: [2, .max], durations)
  func awaitedCalls(count: Int, duration: Duration) async throws {
    guard duration < .seconds(1) else { return }
    try await withStubs {
      let stub = stub(condition: .anything, response: .text("x"))
      _ = try await URLSession.shared.fetch("http://a.example/")
      await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(count, timeout: duration) }
      await #expect(throws: StubWaitError.self) { try await stub.waitForCompletions(count, timeout: duration) }
    }
  }

  @Test("can be the line of a stub", arguments: [1, 2, .max])
  func line(count: Int) {
    let stub = stub(condition: .anything, response: .ok, in: StubRegistry(), line: UInt(count), column: .max)
    #expect(stub.location.line == count)
  }

  @Test("is one that a wait can take", arguments: durations.filter { $0 > .seconds(1) })
  func waits(duration: Duration) async throws {
    try await withStubs {
      let stub = stub(condition: .anything, response: .text("x"))
      async let called = stub.waitForCalls(timeout: duration)
      async let completed = stub.waitForCompletions(timeout: duration)
      _ = try await URLSession.shared.fetch("http://a.example/")
      let counts = try await [called.count, completed.count]
      #expect(counts == [1, 1])
    }
  }

  @Test(
    "can be the retry time of a server-sent event, which lies between zero and a hundred years", arguments: durations)
  func retry(duration: Duration) {
    let text = String(decoding: StubResponse.Event("x", retry: duration).encoded, as: UTF8.self)
    let milliseconds = text.split(separator: "\n").first.flatMap { Int64($0.dropFirst("retry: ".count)) }
    #expect(duration > .zero ? milliseconds! >= 0 : milliseconds == 0)
    // A client is told to wait for a hundred years at most.
    #expect(duration < .seconds(1e16) || milliseconds == 3_155_760_000_000)
  }

  @Test("is one by which a clock's instants can differ", arguments: durations)
  func instants(duration: Duration) {
    let instant = ManualClock.Instant(offset: duration)
    for other in Self.durations {
      let later = instant.advanced(by: other)
      #expect(other < .zero ? later <= instant : later >= instant, "\(other)")
      #expect((.zero - Self.longest...Self.longest).contains(later.offset), "\(other)")
      _ = instant.duration(to: ManualClock.Instant(offset: other))
    }
  }

  @Test("is one that a clock can be moved to, as far as it goes", arguments: durations)
  func moved(duration: Duration) async {
    let clock = ManualClock.patient
    await clock.advance(to: ManualClock.Instant(offset: duration))
    #expect(clock.elapsed == min(max(duration, .zero), Self.longest))
  }

  @Test("is one that code can sleep for, also when the clock has moved by it before", arguments: durations)
  func slept(duration: Duration) async throws {
    let clock = ManualClock.patient
    try await clock.run { try await clock.sleep(for: duration) }
    for _ in 0..<2 { await clock.advance(by: max(duration, .zero)) }
    try await clock.run { try await clock.sleep(for: duration) }
    #expect(clock.elapsed >= min(duration, Self.longest))
    #expect(clock.elapsed <= Self.longest)
  }

  /// 292 years are the most nanoseconds of an Int64, 146 are half of them, and 584 are the most of a UInt64.
  @Test(
    "can have passed on the clock before a request, which is then timed as ever",
    arguments: [145, 146, 147, 293, 585, 1_000_000_000])
  func farAway(years: Int) async throws {
    let clock = ManualClock.patient
    let registry = StubRegistry(clock: clock)
    await clock.advance(by: .seconds(years * 31_557_600))
    try await withStubs(in: registry) {
      stub(condition: isPath("/slow"), response: .text("late").delay(.seconds(2)).bodyDuration(.seconds(8)))
      stub(condition: isPath("/silent"), response: .noAnswer)
      let text = try await clock.run { try await URLSession.shared.fetch("http://a.example/slow").text }
      #expect(text == "late")
      let failure = await clock.run { await URLSession.shared.failure(of: "http://a.example/silent") }
      #expect((failure as? URLError)?.code == .timedOut)
    }
    // A request times out after a minute.
    #expect(registry.journal.entries.map(\.duration) == [.seconds(10), .seconds(60)])
  }

  @Test("can be how many sleepers a clock waits for, until the wait is cancelled")
  func pending() async {
    let clock = ManualClock.patient
    let waiting = Task { await clock.waitForPending(.max) }
    waiting.cancel()
    await waiting.value
    // So many are always there: this returns at once.
    await clock.waitForPending(.min)
  }
}
