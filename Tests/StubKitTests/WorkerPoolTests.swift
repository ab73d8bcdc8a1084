import Dispatch
import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A pool of threads", .inTurn)
struct WorkerPoolTests {
  @Test("leaves streams, files and clocks alone")
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
