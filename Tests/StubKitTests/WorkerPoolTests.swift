import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A pool of threads for work that may block", .inTurn)
struct WorkerPoolTests {
  @Test("runs as much work at once as blocks its threads, up to what Dispatch can start", arguments: [1, 2, 20, 200])
  func blocked(count: Int) async throws {
    let all = Rendezvous(count)
    let met = Protected(0)
    try await untilResumed { continuation in
      let rest = DispatchGroup()
      for _ in 0..<count {
        rest.enter()
        WorkerPool.closures.run {
          if all.arrive() { met.withLock { $0 += 1 } }
          rest.leave()
        }
      }
      rest.notify(queue: .global()) { continuation.resume() }
    }
    #expect(met.withLock { $0 } == count)
  }

  @Test("leaves streams, files and clocks alone, though closures block all threads that it can start")
  func apart() async throws {
    let release = DispatchSemaphore(value: 0)
    defer { for _ in 0..<300 { release.signal() } }
    for _ in 0..<300 { WorkerPool.closures.run { release.wait() } }
    try await untilResumed { continuation in
      WorkerPool.bodies.run { WorkerPool.background.run { continuation.resume() } }
    }
    let clock = ManualClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.advance(by: .seconds(1))
    try await sleeper.value
  }

  @Test("does everything once, from many threads, though some of its own are blocked")
  func everything() async throws {
    let release = DispatchSemaphore(value: 0)
    for _ in 0..<8 { WorkerPool.closures.run { release.wait() } }
    let done = Protected([Int](repeating: 0, count: 10_000))
    try await untilResumed { continuation in
      let rest = DispatchGroup()
      for _ in 0..<10_000 { rest.enter() }
      DispatchQueue.concurrentPerform(iterations: 100) { part in
        for number in 100 * part..<100 * (part + 1) {
          WorkerPool.closures.run {
            done.withLock { $0[number] += 1 }
            rest.leave()
          }
        }
      }
      rest.notify(queue: .global()) { continuation.resume() }
    }
    #expect(done.withLock { $0.allSatisfy { $0 == 1 } })
    for _ in 0..<8 { release.signal() }
  }

  @Test("lets go of work that is done")
  func release() async throws {
    final class Witness: Sendable {}
    weak var witness: Witness?
    do {
      let held = Witness()
      witness = held
      WorkerPool.closures.run { _ = held }
    }
    try await until("the work is gone") { witness == nil }
  }
}
