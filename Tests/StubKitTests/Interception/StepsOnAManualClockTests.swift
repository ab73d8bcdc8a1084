import Foundation
import TestSupport
import Testing

@testable import StubKit

/// Every kind of plan, disturbed at each of its moments, through a real session on a clock that the test moves.
@Suite("A response on a manual clock", .inTurn, .inOwnProcess)
struct StepsOnAManualClockTests {
  enum Plan: String, CaseIterable, CustomTestStringConvertible {
    case delayed, paced, chunked, fromFile, narrow, interrupted, failing, silent, gated, streamed, events, uploaded
    case downloaded, redirected

    var testDescription: String { rawValue }

    private static let text = "The quick brown fox jumps over the lazy dog"

    func response(_ clock: ManualClock, _ gate: ResponseGate, _ file: URL) -> StubResponse {
      let response = StubResponse.text(Self.text)
      return switch self {
      case .delayed, .redirected: response.delay(.seconds(2))
      case .paced: response.delay(.seconds(1)).bodyDuration(.seconds(2)).chunked(by: 7)
      case .chunked, .downloaded: response.chunked(by: 10, every: .milliseconds(600))
      case .fromFile: .file(file).bodyDuration(.seconds(2)).chunked(by: 9)
      case .narrow: response.chunked(by: 5).network(.init(latency: .seconds(1), downlink: .bytesPerSecond(20)))
      case .interrupted: response.chunked(by: 10, every: .milliseconds(600)).failing(afterBytes: 25)
      case .failing: .failure(.cannotFindHost).delay(.seconds(2))
      case .silent: .noAnswer
      case .gated: response.delay(.milliseconds(700)).held(by: gate)
      case .streamed:
        .stream {
          AsyncStream<Data> { continuation in
            let task = Task {
              for word in Self.text.split(separator: " ") {
                try await clock.sleep(for: .milliseconds(350))
                continuation.yield(Data(word.utf8))
              }
              continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
          }
        }
      case .events: .events(["one", "two", "three", ServerSentEvent("four", event: "last")], every: .milliseconds(600))
      case .uploaded: response.network(.init(latency: .seconds(1), uplink: .kilobytesPerSecond(50)))
      }
    }

    /// Whether its source goes on while the task is suspended, so that what comes afterwards comes sooner.
    var goesOnByItself: Bool { self == .streamed || self == .gated }

    func task(_ session: URLSession) -> URLSessionTask {
      let path = self == .redirected ? "/from" : "/"
      var request = URLRequest(url: url("http://a.example\(path)"))
      request.timeoutInterval = 3
      if self == .downloaded { return session.downloadTask(with: request) }
      guard self == .uploaded else { return session.dataTask(with: request) }
      request.httpMethod = "POST"
      return session.uploadTask(with: request, from: Data(count: 100_000))
    }
  }

  enum Disturbance: Equatable {
    case none
    case suspended(atTick: Int)
    case cancelled(atTick: Int)
  }

  private static let tick = Duration.milliseconds(250)
  private static let ticks = 18

  /// How many events had been told at each tick, and what they were.
  private struct Observed: Equatable {
    var counts: [Int] = []
    var told: [String] = []
    var bytes = Data()
  }

  private func observe(_ plan: Plan, _ disturbance: Disturbance = .none) async throws -> Observed {
    let (clock, gate, registry) = (ManualClock(), ResponseGate(), StubRegistry())
    let file = try LargeFile(length: 43)
    registry.clock = clock
    return try await withStubs(registry: registry) {
      stub(condition: isPath("/"), response: plan.response(clock, gate, file.url))
      stub(condition: isPath("/from"), response: .redirect(to: "/").delay(.seconds(1)))
      let events = TransferEvents()
      let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
      let task = plan.task(session)
      task.resume()
      var observed = Observed()
      for tick in 0..<Self.ticks {
        try await session.settle()
        await clock.advance(by: tick == 0 ? .zero : Self.tick)
        if tick == 6 {
          gate.open()
          await clock.advance(by: .zero)
        }
        observed.counts.append(events.told.count)
        switch disturbance {
        case .suspended(atTick: tick):
          task.suspend()
          try await session.settle()
          await clock.advance(by: .seconds(100))
          let isUntold = events.told.count == observed.counts.last
          #expect(isUntold, "\(plan), suspended at tick \(tick), was told more")
          task.resume()
        case .cancelled(atTick: tick):
          task.cancel()
          try await session.settle()
          await clock.advance(by: .seconds(100))
        default: break
        }
      }
      await clock.advanceToEnd()
      observed.told = events.told
      observed.bytes = events.bytes
      let isAtRest = clock.pendingCount == 0 && registry.loads.count == 0
      #expect(isAtRest, "\(plan), \(disturbance): something still waits")
      session.finishTasksAndInvalidate()
      return observed
    }
  }

  @Test("comes as it does undisturbed when it is suspended at any moment, by just the time of the suspension later")
  func suspended() async throws {
    for plan in Plan.allCases {
      let undisturbed = try await observe(plan)
      #expect(Set(undisturbed.counts).count > 1, "\(plan)")
      for tick in stride(from: 0, to: Self.ticks, by: TestSize.of(1, inPart: 4)) {
        let observed = try await observe(plan, .suspended(atTick: tick))
        #expect(observed.told == undisturbed.told && observed.bytes == undisturbed.bytes, "suspended at tick \(tick)")
        if !plan.goesOnByItself { #expect(observed.counts == undisturbed.counts, "suspended at tick \(tick)") }
      }
    }
  }

  @Test("ends with the cancellation and nothing else when it is cancelled at any moment")
  func cancelled() async throws {
    for plan in Plan.allCases {
      let undisturbed = try await observe(plan)
      for tick in stride(from: 0, to: Self.ticks, by: TestSize.of(1, inPart: 4)) {
        let observed = try await observe(plan, .cancelled(atTick: tick))
        let count = undisturbed.counts[tick]
        let isOver = count == undisturbed.told.count
        let told = isOver ? undisturbed.told : undisturbed.told.prefix(count) + ["error \(NSURLErrorCancelled)"]
        #expect(observed.told == told, "cancelled at tick \(tick)")
      }
    }
  }
}
