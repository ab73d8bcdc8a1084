import Foundation
import StubKitOHHTTPStubs
import TestSupport
import Testing

@testable import StubKit

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
        let journal = StubRegistry.current.journal
        journal.limit = limit
        let stub = stub(condition: .anything, response: .text("x"))
        for _ in 0..<3 { _ = try await URLSession.shared.fetch("http://a.example/") }
        let kept = min(max(limit, 0), 3)
        #expect(journal.entries.count == kept && stub.requests.count == kept, "\(limit)")
        #expect(journal.history.droppedCount == 3 - kept && journal.limit >= 0, "\(limit)")
      }
    }
  }

  @Test("is one that calls are counted to", arguments: counts)
  func calls(count: Int) async throws {
    guard count > 0 else { return }
    try await withStubs {
      let stub = stub(condition: .anything, responses: [.text("x")], times: count)
      _ = try await URLSession.shared.fetch("http://a.example/")
      #expect(stub.callCount == 1 && stub.isActive == (count > 1))
      if count > 1 {
        await #expect(throws: StubWaitError.self) { try await stub.waitForCalls(count, timeout: .zero) }
        await #expect(throws: StubWaitError.self) { try await stub.waitForCompletions(count, timeout: .zero) }
      }
      for expected in [CallCount.exactly(count), .atLeast(count), .atMost(count)] {
        #expect(expected.contains(count) && !expected.description.isEmpty)
        #expect(!CallCount.exactly(count).contains(.min))
        let result = Result {
          try verify(stub, called: expected)
          try verify(.anything, called: expected)
        }
        #expect(((try? result.get()) != nil) == expected.contains(1))
      }
    }
  }

  @Test("is one that a body can be cut by, or break off after")
  func bytes() async throws {
    for count in Self.counts {
      await withStubs {
        HTTPStubs.clock = .immediate
        stub(condition: isPath("/chunked"), response: .text("abc").chunked(by: count, every: .seconds(1)))
        stub(condition: isPath("/broken"), response: .text("abc").failing(afterBytes: count))
        stub(
          condition: isPath("/stream"),
          response: .stream {
            AsyncStream {
              $0.yield(Data("abc".utf8))
              $0.finish()
            }
          }.chunked(by: max(count, 1)).failing(afterBytes: count))
        let chunked = await URLSession.shared.failure(of: "http://a.example/chunked")
        #expect(count < 1 ? chunked is StubResponseError : chunked == nil, "\(count)")
        for path in ["broken", "stream"] {
          let broken = await URLSession.shared.failure(of: "http://a.example/\(path)")
          #expect(
            count < 0 ? broken is StubResponseError : (broken as? URLError)?.code == .networkConnectionLost, "\(count)")
        }
      }
    }
  }

  @Test("is one that a clock can be asked for")
  func pending() async {
    for count in Self.counts {
      let clock = ManualClock()
      let waiting = Task { await clock.waitForPending(count) }
      if count > 0 { waiting.cancel() }
      await waiting.value
    }
  }

  @Test("is one that a stub can be said to be written at, and a draw begin with")
  func place() async {
    for number in [UInt.min, 1, .max] {
      await withStubs {
        let stub = stub(
          condition: .anything, response: .text("x").flaky(0.5, seed: UInt64(number)), line: number, column: number)
        #expect(stub.location.line == Int(clamping: number), "\(number)")
        let failure = await URLSession.shared.failure(of: "http://a.example/")
        #expect(failure == nil || failure is URLError, "\(number)")
      }
    }
  }

  @Test("of seconds is one that a response can take, or fails the request")
  func seconds() async throws {
    for count in Self.doubles {
      let clock = ManualClock.patient
      for response in [
        StubResponse.text("abc").responseTime(count), .text("abc").requestTime(count, responseTime: 0),
        .text("abc").requestTime(count, responseTime: count),
      ] {
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
          for request in [
            URLRequest(url: url("http://a.example/")),
            URLRequest(url: url("http://a.example/"), timeoutInterval: count),
          ] {
            do {
              _ = try await session.fetch(request)
            } catch {
              #expect((error as? URLError)?.code == .timedOut && count > 0 && count < 2, "\(count)")
            }
          }
          session.finishTasksAndInvalidate()
        }
      }
    }
  }

  @Test("is one that a network can carry in a second")
  func bandwidth() async throws {
    for rate in [Double.leastNonzeroMagnitude, 1e-300, 1, 1e300, .greatestFiniteMagnitude] {
      let clock = ManualClock.patient
      let bandwidth = Bandwidth.bytesPerSecond(rate)
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
