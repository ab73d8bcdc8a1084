import Foundation
import StubKit
import TestSupport
import Testing

@Suite("Cancelling async calls", .inTurn, .serialized)
struct CancelTests {
  /// `STUBKIT_STRESS_CANCELS` (for each kind of handler) and `STUBKIT_STRESS_SEED` change the run.
  @Test(
    "at random moments blocks nobody, whatever the cancellation handlers around them do",
    arguments: CancelHandler.allCases)
  func cancels(handler: CancelHandler) async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["STUBKIT_STRESS_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...999_999)
    let calls = environment["STUBKIT_STRESS_CANCELS"].flatMap(Int.init) ?? 100
    print("cancels: \(handler), seed \(seed), \(calls) calls")

    let run = CancelRun(handler: handler, calls: calls)
    try await run.run(seed: seed)
    print("cancels: \(handler), \(run.summary)")
    #expect(run.faults.isEmpty, "\(run.faults.prefix(10))")
  }
}
