import Foundation
import StubKitOHHTTPStubs
import TestSupport
import Testing

@testable import StubKit

extension URLSession {
  /// Fetches with a session that never times out.
  fileprivate static func fetchPatiently(_ body: Data? = nil) async throws -> Fetched {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 1e12
    configuration.timeoutIntervalForResource = 1e12
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    return try await session.fetch(
      request(url("http://a.example/"), method: body == nil ? "GET" : "POST", body: body, timeout: 1e12))
  }
}

@Suite("A number, however great,", .inTurn)
struct ExtremeNumbersTests {
  private static let counts = [Int.min, -1, 0, 1, 1_000, .max - 1, .max]
  private static let doubles = [
    Double.nan, -.infinity, -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 1,
    .greatestFiniteMagnitude, .infinity,
  ]

  @Test("is one that a journal can be limited to")
  func journal() async throws {
    for limit in [.min, -1, 0, 1, .max / 5 * 4, .max / 5 * 4 + 1, .max - 1, .max] {
      try await withStubs {
        HTTPStubs.journal.limit = limit
        let stub = stub(condition: .anything, response: .text("x"))
        for _ in 0..<3 { _ = try await URLSession.shared.fetch("http://a.example/") }
        let kept = min(max(limit, 0), 3)
        #expect(HTTPStubs.journal.entries.count == kept && stub.requests.count == kept, "\(limit)")
        #expect(HTTPStubs.journal.history.droppedCount == 3 - kept && HTTPStubs.journal.limit >= 0, "\(limit)")
      }
    }
  }

  @Test("is one that calls are counted to, and that a stub can be said to be written at")
  func calls() async throws {
    for count in Self.counts where count > 0 {
      try await withStubs {
        let stub = stub(condition: .anything, responses: [.text("x")], times: count, line: UInt(count), column: .max)
        _ = try await URLSession.shared.fetch("http://a.example/")
        #expect(stub.callCount == 1 && stub.isActive == (count > 1) && stub.location.line == count)
        if count > 1 {
          await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(count, timeout: .zero) }
          await #expect(throws: StubWaitError.self) { try await stub.waitForCompletions(count, timeout: .zero) }
        }
        for expected in [CallCount.exactly(count), .atLeast(count), .atMost(count)] {
          #expect(expected.contains(count) && !CallCount.exactly(count).contains(.min))
          #expect(((try? verify(stub, called: expected)) != nil) == expected.contains(1), "\(expected)")
          #expect(((try? verify(.anything, called: expected)) != nil) == expected.contains(1), "\(expected)")
        }
      }
    }
  }

  @Test("is one that a body can be cut by, or break off after, and a clock can be asked for")
  func bytes() async throws {
    for count in Self.counts {
      await withStubs {
        HTTPStubs.clock = .immediate
        let stream = AsyncStream {
          $0.yield(Data("abc".utf8))
          $0.finish()
        }
        stub(condition: isPath("/chunked"), response: .text("abc").chunked(by: count, every: .seconds(1)))
        stub(condition: isPath("/broken"), response: .text("abc").failing(afterBytes: count))
        stub(
          condition: isPath("/stream"), response: .stream(stream).chunked(by: max(count, 1)).failing(afterBytes: count))
        for path in ["chunked", "broken", "stream"] {
          let failure = await URLSession.shared.failure(of: "http://a.example/\(path)")
          switch (path, count) {
          case ("chunked", 1...): #expect(failure == nil, "\(count)")
          case ("chunked", _), (_, ..<0): #expect(failure is StubResponseError, "\(count)")
          default: #expect((failure as? URLError)?.code == .networkConnectionLost, "\(count)")
          }
        }
      }
      let clock = ManualClock()
      let waiting = Task { await clock.waitForPending(count) }
      if count > 0 { waiting.cancel() }
      await waiting.value
    }
  }

  @Test("is one that a request can time out after")
  func timeout() async throws {
    for count in Self.doubles {
      for clock in [RealStubClock(), ImmediateStubClock()] as [any StubClock] {
        await withStubs {
          HTTPStubs.clock = clock
          stub(condition: .anything) { _ in .text("x") }
          let configuration = URLSessionConfiguration.ephemeral
          configuration.timeoutIntervalForRequest = count
          configuration.timeoutIntervalForResource = count
          let session = URLSession(configuration: configuration)
          for timeout in [nil, count] {
            do {
              _ = try await session.fetch(request("http://a.example/", timeout: timeout))
            } catch {
              #expect((error as? URLError)?.code == .timedOut && count > 0 && count < 2, "\(count)")
            }
          }
          session.finishTasksAndInvalidate()
        }
      }
    }
  }

  @Test("of seconds is one that a response can take, or fails the request")
  func seconds() async throws {
    for count in Self.doubles {
      for response in [
        StubResponse.text("abc").responseTime(count), .text("abc").requestTime(count, responseTime: count),
      ] {
        let clock = ManualClock.patient
        await withStubs {
          HTTPStubs.clock = clock
          stub(condition: .anything, response: response)
          await clock.run {
            do { _ = try await URLSession.fetchPatiently() } catch { #expect(error is StubResponseError, "\(count)") }
          }
          #expect(!response.description.isEmpty, "\(count)")
        }
      }
    }
  }

  @Test("is one that a network can carry in a second")
  func bandwidth() async throws {
    for rate in [Double.leastNonzeroMagnitude, 1e-300, 1, 1e300, .greatestFiniteMagnitude] {
      let (clock, bandwidth) = (ManualClock.patient, Bandwidth.bytesPerSecond(rate))
      #expect(!bandwidth.description.isEmpty, "\(rate)")
      try await withStubs {
        HTTPStubs.clock = clock
        HTTPStubs.network = NetworkConditions(downlink: bandwidth, uplink: bandwidth)
        stub(condition: .anything, response: .text("abc"))
        let text = try await clock.run { try await URLSession.fetchPatiently(Data("abc".utf8)) }.text
        #expect(text == "abc", "\(rate)")
      }
    }
  }
}

@Suite("A duration, however long,", .inTurn)
struct ExtremeDurationsTests {
  /// The last ones are about the least and the greatest that there are.
  static let durations: [Duration] = [
    .seconds(-1), .zero, Duration(secondsComponent: 0, attosecondsComponent: 1), .nanoseconds(Int64.max),
    .seconds(150 * 31_557_600), .seconds(Int64.min), .seconds(Int64.max), .seconds(-1.7e20), .seconds(1.7e20),
  ]
  private static let longest = Duration.seconds(Int64.max)

  /// The uses of a duration by a response. Below zero, it is a mistake in those of a network, which has its own test.
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

  @Test("is one that a response can take", arguments: durations)
  func response(duration: Duration) async throws {
    for (number, response) in Self.responses(duration).enumerated() {
      for isManual in [true, false] {
        let clock = ManualClock.patient
        let registry = StubRegistry()
        registry.clock = isManual ? clock : .immediate
        stub(condition: .anything, response: response, in: registry)
        let result = await withStubs(registry: registry) {
          await clock.run { await Task { try await URLSession.fetchPatiently().status }.result }
        }
        if duration < .seconds(-1) {
          #expect(throws: StubResponseError.self, "\(response)") { try result.get() }
        } else {
          #expect((try? result.get()) == 200, "\(response)")
        }
        // Jitter is any time up to it.
        #expect(!isManual || number == 5 || clock.elapsed >= duration.clamped, "\(response)")
      }
      guard duration > .seconds(1) else { continue }
      // In real time, until it is cancelled.
      try await withStubs {
        let stub = stub(condition: .anything, response: response)
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
    let (clock, instant) = (ManualClock.patient, ManualClock.Instant(offset: duration))
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

  @Test("is one that a call can be waited for, and an event can tell its client to wait")
  func waiting() async throws {
    for duration in Self.durations {
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
          #expect(counts == (1, 1), "\(duration)")
        }
      }
      let text = String(decoding: ServerSentEvent("x", retry: duration).encoded, as: UTF8.self)
      let milliseconds = text.split(separator: "\n").first.flatMap { Int64($0.dropFirst("retry: ".count)) }
      #expect(duration > .zero ? milliseconds! >= 0 : milliseconds == 0, "\(duration)")
      #expect(duration < .seconds(1e16) || milliseconds == .max, "\(duration)")
    }
  }

  @Test("may lie before a request, which takes its time as anywhere, and comes by the end of time")
  func farAway() async throws {
    for years in [100, 145, 146, 147, 293, 585, 1_000_000_000] {
      let (clock, registry) = (ManualClock.patient, StubRegistry())
      registry.clock = clock
      await clock.advance(by: .seconds(years * 31_557_600))
      try await withStubs(registry: registry) {
        stub(condition: isPath("/slow"), response: .text("late").delay(.seconds(2)).bodyDuration(.seconds(8)))
        stub(condition: isPath("/silent"), response: .noAnswer)
        let text = try await clock.run { try await URLSession.shared.fetch("http://a.example/slow").text }
        let failure = await clock.run { await URLSession.shared.failure(of: "http://a.example/silent") }
        #expect(text == "late" && (failure as? URLError)?.code == .timedOut, "\(years)")
      }
      #expect(registry.journal.entries.map(\.duration) == [.seconds(10), .seconds(60)], "\(years)")
    }
    for delay in [Self.longest, .seconds(1.7e20)] {
      let clock = ManualClock.patient
      await clock.advance(by: .seconds(Int64.max - 1))
      for count in [1, 0] {
        try await withStubs {
          HTTPStubs.clock = clock
          stub(condition: .anything, response: .text("late").delay(delay))
          let text = Task { try await URLSession.fetchPatiently().text }
          await clock.waitForPending(count)
          await clock.advanceToEnd()
          let received = try await text.value
          #expect(received == "late")
        }
        #expect(clock.elapsed == Self.longest && clock.pendingCount == 0)
      }
    }
  }
}
