import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Requests on a clock of the test's", .inTurn, .inOwnProcess)
struct VirtualTimeTests {
  /// With the path that is asked for. Its query only tells the ways of one path apart.
  enum Way: String, CaseIterable {
    case answered = "plain"
    case observed = "plain?observed"
    case cancelledBeforeStart = "slow?1"
    case cancelledAtOnce = "slow?2"
    case suspendedAtOnce = "slow?3"
    case suspendedForEver = "slow?4"
    case invalidated = "slow?5"
    case redirected = "from"
    case demanded = "demand"
    case passedThrough = "real"
    case relayed = "away"
    case thrown = "throws"
    case streamThrown = "stream"
    case scopeEnded = "held?1"
    case held = "held?2"
    case unmatched = "nothing"
    case missingFile = "file"
  }

  private struct Failure: Error {}

  /// What has begun must have ended, or whoever moves the clock waits for it until the clock's patience is over.
  @Test("leave nothing that the clock waits for, however they end")
  func balance() async throws {
    for way in Way.allCases {
      let (clock, gate, registry) = (ManualClock(), ResponseGate(), StubRegistry())
      registry.clock = clock
      let server = try LoopbackServer()
      try await withStubs(in: registry) {
        stub(condition: isPath("/plain"), response: .text("x"))
        stub(condition: isPath("/slow"), response: .text("x").delay(.seconds(2)))
        stub(condition: isPath("/held"), response: .text("x").held(by: gate))
        stub(condition: isPath("/from"), response: .redirect(to: "/slow").delay(.seconds(1)))
        stub(condition: isPath("/away"), response: .redirect(to: server.url("/real")))
        stub(condition: isPath("/file"), response: .file("/no/such/file"))
        stub(
          condition: isPath("/demand"), response: .status(401).header("WWW-Authenticate", "Basic realm=\"x\""))
        stub(condition: isPath("/throws")) { _ in throw Failure() }
        stub(
          condition: isPath("/stream"),
          response: .stream { AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Failure()) } })
        registry.unmatched = .passThrough(when: isPath("/real"))
        if way == .observed { registry.onFinish { _, _, _, _ in } }
        let session = URLSession(configuration: .ephemeral, delegate: DelegateEvents(), delegateQueue: nil)
        for _ in 0..<8 {
          let task = session.dataTask(
            with: way == .passedThrough ? server.url("/real") : url("http://a.example/\(way.rawValue)"))
          if way != .cancelledBeforeStart { task.resume() }
          if way == .cancelledBeforeStart || way == .cancelledAtOnce { task.cancel() }
          if way == .suspendedAtOnce || way == .suspendedForEver { task.suspend() }
          if way == .suspendedAtOnce { task.resume() }
        }
        if way == .invalidated { session.invalidateAndCancel() }
        if way == .scopeEnded { _ = registry.inFlight.endAll(with: StubScopeEndedError()) }
        await clock.advance(by: .seconds(100))
        gate.open()
        await clock.advanceToEnd()
        #expect(clock.virtual.state.withLock(\.isAtRest), "\(way)")
        #expect(way == .suspendedForEver || registry.journal.entries.allSatisfy { $0.outcome != .inProgress }, "\(way)")
        session.invalidateAndCancel()
        try await until("every load is over, \(way)") { registry.inFlight.endingCount == 0 }
        await clock.advance(by: .zero)
      }
      #expect(clock.virtual.state.withLock(\.isAtRest) && registry.inFlight.endingCount == 0, "\(way)")
    }
  }
}
