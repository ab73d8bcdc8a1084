import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("The index finds what a scan finds", .inTurn)
struct EquivalenceTests {
  /// `STUBKIT_EQUIVALENCE_SEED` and `STUBKIT_EQUIVALENCE_CASES` change the run, and `.ci/run` makes it forty times as long. Round
  /// n uses the seed plus n, so that any round can be repeated alone.
  @Test("for random stubs, registrations, removals, claims and requests")
  func everyCase() async {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["STUBKIT_EQUIVALENCE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...999_999_999)
    let wanted = environment["STUBKIT_EQUIVALENCE_CASES"].flatMap(Int.init) ?? 5_000
    print("equivalence: seed \(seed), \(wanted) cases")

    var (cases, matched) = (0, 0)
    var failure: String?
    var roundSeed = seed
    let start = ContinuousClock.now
    while cases < wanted, failure == nil {
      var round = EquivalenceRound(seed: roundSeed)
      round.run()
      failure = round.failure
      cases += EquivalenceRound.caseCount
      matched += round.matched
      roundSeed &+= 1
      // Other tests run beside this one.
      await Task.yield()
    }

    let share = matched * 100 / cases
    print("equivalence: \(cases) cases, \(share) % of them matched, in \(ContinuousClock.now - start)")
    if let failure { return _ = Issue.record("\(failure)") }
    #expect((25...75).contains(share), "the generator is off: \(share) % of the requests match a stub")
  }
}
