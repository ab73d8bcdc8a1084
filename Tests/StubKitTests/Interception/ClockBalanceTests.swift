import Foundation
import TestSupport
import Testing

@testable import StubKit

/// What has begun must have ended, or whoever moves the clock waits for it until the clock's patience is over.
@Suite("A manual clock's count of what has begun", .inTurn)
struct ClockBalanceTests {
  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case answered, cancelledBeforeStart, cancelledAtOnce, suspendedAtOnce, suspendedForEver, invalidated, redirected
    case demanded, passedThrough, relayed, thrown, streamThrown, scopeEnded, held, observed, unmatched, missingFile

    var testDescription: String { rawValue }
  }

  private struct Failure: Error {}

  @Test("is balanced whichever way requests take")
  func balance() async throws {
    for way in Way.allCases {
      let (clock, gate, registry) = (ManualClock(), ResponseGate(), StubRegistry())
      registry.clock = clock
      let server = try LoopbackServer()
      defer { server.stop() }
      try await withStubs(registry: registry) {
        stub(condition: isPath("/plain"), response: .text("x"))
        stub(condition: isPath("/slow"), response: .text("x").delay(.seconds(2)))
        stub(condition: isPath("/held"), response: .text("x").held(by: gate))
        stub(condition: isPath("/from"), response: .redirect(to: "/slow").delay(.seconds(1)))
        stub(condition: isPath("/away"), response: .redirect(to: server.url("/real")))
        stub(condition: isPath("/file"), response: .file("/no/such/file"))
        stub(
          condition: isPath("/demand"), response: .empty(status: 401).header("WWW-Authenticate", "Basic realm=\"x\""))
        stub(condition: isPath("/throws")) { _ in throw Failure() }
        stub(
          condition: isPath("/stream"),
          response: .stream { AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Failure()) } })
        registry.unmatched = .passThrough(when: isPath("/real"))
        if way == .observed { registry.afterStubFinish { _, _, _, _ in } }
        let session = URLSession(configuration: .ephemeral, delegate: DelegateEvents(), delegateQueue: nil)
        for _ in 0..<8 {
          let task = session.dataTask(with: address(way, server))
          switch way {
          case .cancelledBeforeStart:
            task.cancel()
          case .cancelledAtOnce:
            task.resume()
            task.cancel()
          case .suspendedAtOnce:
            task.resume()
            task.suspend()
            task.resume()
          case .suspendedForEver:
            task.resume()
            task.suspend()
          default:
            task.resume()
          }
        }
        if way == .invalidated { session.invalidateAndCancel() }
        if way == .scopeEnded { registry.loads.endAll(with: StubScopeEndedError()) }
        await clock.advance(by: .seconds(100))
        gate.open()
        await clock.advanceToEnd()
        #expect(clock.virtual.state.withLock(\.isAtRest), "\(way)")
        #expect(way == .suspendedForEver || registry.journal.entries.allSatisfy { $0.outcome != .inProgress }, "\(way)")
        session.invalidateAndCancel()
        try await until("every load is over") { registry.loads.count == 0 }
        await clock.advance(by: .zero)
      }
      #expect(clock.virtual.state.withLock(\.isAtRest) && registry.loads.count == 0, "\(way)")
    }
  }

  private func address(_ way: Way, _ server: LoopbackServer) -> URL {
    switch way {
    case .answered, .observed: url("http://a.example/plain")
    case .cancelledBeforeStart, .cancelledAtOnce, .suspendedAtOnce, .suspendedForEver, .invalidated:
      url("http://a.example/slow")
    case .redirected: url("http://a.example/from")
    case .demanded: url("http://a.example/demand")
    case .passedThrough: server.url("/real")
    case .relayed: url("http://a.example/away")
    case .thrown: url("http://a.example/throws")
    case .streamThrown: url("http://a.example/stream")
    case .scopeEnded, .held: url("http://a.example/held")
    case .unmatched: url("http://a.example/nothing")
    case .missingFile: url("http://a.example/file")
    }
  }
}
