import Foundation
import StubKit
import TestSupport
import Testing

/// Each worker makes requests of any kind, one after the other, in a scope of its own and in sessions that all share,
/// and cancels or suspends some at a random moment. A fault is an end that isn't the one of this request, that comes
/// twice, or that never comes.
@Suite("Under stress", .inTurn, .serialized)
struct StressTests {
  /// `STUBKIT_STRESS_SEED` and `STUBKIT_STRESS_REQUESTS` (for each of the 64 workers) change the run.
  @Test("64 workers get each answer once, and their own")
  func everyCompletionArrivesOnce() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["STUBKIT_STRESS_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...999_999)
    let requests = environment["STUBKIT_STRESS_REQUESTS"].flatMap(Int.init) ?? TestSize.of(30, inPart: 12)
    print("stress: seed \(seed), 64 workers × \(requests) requests")

    let place = try StressPlace()

    let progress = StressProgress(total: 64 * requests)
    let watching = Task { try await progress.watch() }
    defer { watching.cancel() }
    let sessions = StressSessions()
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<64 {
        group.addTask {
          // Each worker has a seed of its own.
          var random = SplitMix64(seed: seed &+ UInt64(worker) &* 1_000_003)
          await StressWorker(number: worker, sessions: sessions, progress: progress, place: place)
            .run(requests: requests, using: &random)
        }
      }
    }
    sessions.invalidate()

    let faults = progress.faults + sessions.faults
    print("stress: \(progress.summary), \(faults.count) faults")
    #expect(progress.completed == 64 * requests)
    #expect(faults.isEmpty, "seed \(seed): \(faults.prefix(10))")
  }
}
