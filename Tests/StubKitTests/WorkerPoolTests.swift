import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A pool of threads for work that may block", .inTurn)
struct WorkerPoolTests {
  @Test("has as many threads as are blocked, up to its limit", arguments: [1, 2, 20, 100])
  func limit(count: Int) async throws {
    let pool = WorkerPool(limit: count)
    let atOnce = Protected(0)
    let most = Protected(0)
    let first = Rendezvous(count)
    let met = Protected(0)
    try await untilResumed { continuation in
      let rest = DispatchGroup()
      for number in 0..<3 * count {
        rest.enter()
        pool.run {
          let now = atOnce.withLock {
            $0 += 1
            return $0
          }
          most.withLock { $0 = max($0, now) }
          if number >= count || first.arrive() { met.withLock { $0 += 1 } }
          atOnce.withLock { $0 -= 1 }
          rest.leave()
        }
      }
      rest.notify(queue: .global()) { continuation.resume() }
    }
    #expect(met.withLock { $0 } == 3 * count)
    #expect(most.withLock { $0 } == count)
  }

  @Test("does everything once, from many threads, though some of its own are blocked")
  func everything() async throws {
    let pool = WorkerPool(limit: 12)
    let release = DispatchSemaphore(value: 0)
    for _ in 0..<8 { pool.run { release.wait() } }
    let done = Protected([Int](repeating: 0, count: 10_000))
    try await untilResumed { continuation in
      let rest = DispatchGroup()
      for _ in 0..<10_000 { rest.enter() }
      DispatchQueue.concurrentPerform(iterations: 100) { part in
        for number in 100 * part..<100 * (part + 1) {
          pool.run {
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

  @Test("begins work in the order in which it came, on the one thread that it has")
  func order() async throws {
    let pool = WorkerPool(limit: 1)
    let begun = Protected<[Int]>([])
    try await untilResumed { continuation in
      for number in 0..<1_000 { pool.run { begun.withLock { $0.append(number) } } }
      pool.run { continuation.resume() }
    }
    #expect(begun.withLock { $0 } == Array(0..<1_000))
  }

  @Test("lets go of work that is done")
  func release() async throws {
    final class Witness: Sendable {}
    let pool = WorkerPool(limit: 2)
    weak var witness: Witness?
    do {
      let held = Witness()
      witness = held
      pool.run { _ = held }
    }
    try await until("the work is gone") { witness == nil }
  }
}
