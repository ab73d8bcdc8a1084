import Testing

@testable import StubKit

@Suite("A manual clock's wait until the threads of Swift tasks are idle")
struct PoolDrainTests {
  /// The moments at which a drain of two threads begins a round, while one of them doesn't come.
  private static func rounds(until end: Duration) -> [Duration] {
    var drain = PoolDrain(width: 2, PoolCondition())
    var moments: [Duration] = []
    var now = Duration.zero
    while moments.last.map({ $0 < end }) ?? true {
      moments.append(now)
      var round = drain.round(at: now)
      _ = round.arrives(at: now)
      while !round.isIdle(at: now) { now += PoolRound.look }
      guard case .round(let pause) = drain.goesOn(after: nil, arrivedCount: 1, isMoot: false, isImpatient: false) else {
        break
      }
      now += pause
    }
    return moments
  }

  // With a longer first pause, a step beside code that computes for 20 ms takes 100. With pauses that grow without a
  // limit, one beside code that computes for four seconds takes six.
  @Test(
    "finds a thread soon after it has come back",
    arguments: [(20, 50), (300, 600), (4_000, 4_400)] as [(absence: Double, found: Double)])
  func missingThread(absence: Double, found: Double) {
    let last = Self.rounds(until: .milliseconds(absence)).last!
    #expect(last >= .milliseconds(absence) && last <= .milliseconds(found))
  }

  // Each round keeps the other thread from tasks that could go on there. Without pauses, there are hundreds.
  @Test("asks rarely while a thread is missing")
  func fewRounds() { #expect(Self.rounds(until: .seconds(4)).count <= 24) }

  // A round that waits for 10 ms each time has never a result there.
  @Test("waits longer in each round, for a machine where threads come late", arguments: [40, 150] as [Double])
  func lateThreads(lateness: Double) {
    var drain = PoolDrain(width: 2, PoolCondition())
    var count = 1
    while count <= 6 {
      var round = drain.round(at: .zero)
      _ = round.arrives(at: .zero)
      if !round.isIdle(at: .milliseconds(lateness)) { break }
      _ = drain.goesOn(after: nil, arrivedCount: 1, isMoot: false, isImpatient: false)
      count += 1
    }
    #expect(count <= 6)
  }

  @Test("accepts a thread that is late in two rounds, one after the other")
  func lateTwice() {
    var drain = PoolDrain(width: 2, PoolCondition())
    func last() -> PoolRound.Arrival {
      var round = drain.round(at: .zero)
      _ = round.arrives(at: .zero)
      return round.arrives(at: .milliseconds(8))
    }
    #expect(last() == .ends(nil))
    _ = drain.goesOn(after: nil, arrivedCount: 2, isMoot: false, isImpatient: false)
    #expect(last() == .serves)
    _ = drain.goesOn(after: nil, arrivedCount: 1, isMoot: false, isImpatient: false)
    #expect(last() == .ends(nil))
  }

  struct Ending: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The number of threads that were left behind before, of two, and of those that have come now.
    let stuckCount: Int, arrivedCount: Int
    var outcome: CooperativePool.Result?
    var isMoot = false, isImpatient = false
    let next: PoolDrain.Next
    /// The number of threads that are left behind from now on.
    let leftCount: Int
  }

  @Test(
    "ends, goes on or leaves threads behind, as its row says",
    arguments: [
      Ending(
        testDescription: "All have come, one of them for the first time since long.",
        stuckCount: 1, arrivedCount: 2, outcome: .rest, next: .end(.rest), leftCount: 0),
      Ending(
        testDescription: "One is missing, and those who wait are patient.",
        stuckCount: 0, arrivedCount: 1, next: .round(after: .milliseconds(5)), leftCount: 0),
      Ending(
        testDescription: "One is missing, and those who wait are impatient.",
        stuckCount: 0, arrivedCount: 1, isImpatient: true, next: .leave(.leftBehind), leftCount: 1),
      Ending(
        testDescription: "The one that was left behind is missing, and not waited for.",
        stuckCount: 1, arrivedCount: 1, next: .leave(.rest), leftCount: 1),
      Ending(
        testDescription: "Another one is missing, too, and waited for.",
        stuckCount: 1, arrivedCount: 0, next: .round(after: .milliseconds(5)), leftCount: 1),
      Ending(
        testDescription: "One of two that were left behind has come back.",
        stuckCount: 2, arrivedCount: 1, next: .leave(.rest), leftCount: 1),
      Ending(
        testDescription: "One is missing, and something has begun on the clock.",
        stuckCount: 0, arrivedCount: 1, isMoot: true, isImpatient: true, next: .end(.rest), leftCount: 0),
    ])
  func ends(_ ending: Ending) {
    var drain = PoolDrain(width: 2, PoolCondition(stuckCount: ending.stuckCount))
    let next = drain.goesOn(
      after: ending.outcome, arrivedCount: ending.arrivedCount, isMoot: ending.isMoot, isImpatient: ending.isImpatient)
    #expect(next == ending.next)
    #expect(drain.condition == PoolCondition(stuckCount: ending.leftCount))
  }

  @Test("remembers that tasks are always ready until they rest")
  func busy() {
    var drain = PoolDrain(width: 2, PoolCondition())
    _ = drain.goesOn(after: .busy(isNew: true), arrivedCount: 2, isMoot: false, isImpatient: false)
    #expect(drain.condition == PoolCondition(isBusy: true))
    _ = drain.goesOn(after: .rest, arrivedCount: 2, isMoot: false, isImpatient: false)
    #expect(drain.condition == PoolCondition())
  }

  // If no thread comes, none is kept that looks whether the clock's patience of five seconds is over.
  @Test("gives up after two seconds if no thread comes, and almost at once if all were left behind before")
  func noThread() {
    #expect(PoolDrain(width: 2, PoolCondition()).bound == .seconds(2))
    #expect(PoolDrain(width: 2, PoolCondition(stuckCount: 1)).bound == .seconds(2))
    #expect(PoolDrain(width: 2, PoolCondition(stuckCount: 2)).bound <= .milliseconds(20))
  }
}
