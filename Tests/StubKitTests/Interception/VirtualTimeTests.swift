import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Requests on a clock of the test's", .inTurn, .inOwnProcess)
struct VirtualTimeTests {
  @Test("finish in the order of their deadlines", arguments: [false, true])
  func order(isImmediate: Bool) async throws {
    let clock = ManualClock()
    try await withStubs(registry: StubRegistry(clock: isImmediate ? .immediate : clock)) {
      stub(condition: isPath(template: "/{seconds}")) { _, match in
        try .text(match("seconds")).delay(.seconds(match("seconds", as: Int.self)))
      }
      let order = Protected([Int]())
      let delays = [40, 10, 30, 5, 20, 15, 35, 25]
      let group = DispatchGroup()
      for delay in delays {
        group.enter()
        let task = URLSession.shared.dataTask(with: url("http://a.example/\(delay)")) { data, _, _ in
          order.withLock { $0.append(Int(String(decoding: data ?? Data(), as: UTF8.self)) ?? 0) }
          group.leave()
        }
        task.resume()
      }
      if !isImmediate { await clock.advanceToEnd() }
      try await untilResumed { continuation in group.notify(queue: .global()) { continuation.resume() } }
      let finished = order.withLock { $0 }
      #expect(isImmediate ? finished.sorted() == delays.sorted() : finished == delays.sorted())
      #expect(isImmediate || clock.elapsed == .seconds(40))
    }
  }

  @Test("are tried again over minutes in no time")
  func retries() async throws {
    let clock = ManualClock()
    try await withStubs(registry: StubRegistry(clock: clock)) {
      stub(condition: .anything) { _, match in
        match.callNumber < 8 ? .failure(.timedOut).delay(.seconds(10)) : .text("at last").delay(.seconds(10))
      }
      let text = try await clock.run {
        var pause = Duration.seconds(1)
        while true {
          do { return try await URLSession.shared.fetch("http://a.example/").text } catch URLError.timedOut {
            try await clock.sleep(for: pause)
            pause *= 2
          }
        }
      }
      #expect(text == "at last")
      #expect(clock.elapsed == .seconds(8 * 10 + 127))
    }
  }

  /// With the path that is asked for.
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
  @Test("are counted to their ends, whichever way they take")
  func balance() async throws {
    for way in Way.allCases {
      let (clock, gate, registry) = (ManualClock(), ResponseGate(), StubRegistry())
      registry.clock = clock
      let server = try LoopbackServer()
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
        try await until("every load is over") { registry.inFlight.endingCount == 0 }
        await clock.advance(by: .zero)
      }
      #expect(clock.virtual.state.withLock(\.isAtRest) && registry.inFlight.endingCount == 0, "\(way)")
    }
  }
}
