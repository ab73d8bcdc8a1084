import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("Requests on a clock of the test's", .inTurn, .inOwnProcess)
struct VirtualTimeTests {
  @Test("finish in the order of their deadlines", arguments: [false, true])
  func order(isImmediate: Bool) async throws {
    let clock = ManualClock()
    let registry = StubRegistry()
    registry.clock = isImmediate ? .immediate : clock
    try await withStubs(registry: registry) {
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
    let registry = StubRegistry()
    registry.clock = clock
    try await withStubs(registry: registry) {
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
}
