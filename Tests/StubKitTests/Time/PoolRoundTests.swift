import Testing

@testable import StubKit

/// What a manual clock makes of the moments at which two threads of Swift tasks do something. All are in milliseconds,
/// from the beginning of the round.
@Suite("A round of the wait for the threads of Swift tasks")
struct PoolRoundTests {
  struct Story: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let arrivals: [Double]
    /// Whether both threads came to the round before, too.
    let isConfirmed: Bool
    /// Whether tasks were always ready in the round before.
    let wasBusy: Bool

    init(_ story: String, arrivals: [Double], isConfirmed: Bool = false, wasBusy: Bool = false) {
      testDescription = story
      self.arrivals = arrivals
      self.isConfirmed = isConfirmed
      self.wasBusy = wasBusy
    }

    /// Returns the round after the last arrival, and what that led to.
    func play() -> (round: PoolRound, last: PoolRound.Arrival?) {
      var round = PoolRound(
        width: 2, slice: .milliseconds(10), isConfirmed: isConfirmed, wasBusy: wasBusy, at: .zero)
      let answers = arrivals.map { round.arrives(at: .milliseconds($0)) }
      return (round, answers.last)
    }
  }

  @Test(
    "lets tasks run when the threads have come in time",
    arguments: [
      (Story("Both are free.", arrivals: [0.1, 0.3]), PoolRound.Arrival.serves),
      (Story("Code computes in the other one.", arrivals: [0.1]), .keeps),
      // With "rest" here, time would move although the code that blocks its thread has not gone on.
      (
        Story("Code blocks one for more than a second, so that Dispatch adds another.", arrivals: [0.1, 1_000]),
        .ends(nil)
      ),
      // With "late" here, no round of a busy machine would ever count.
      (Story("The machine is busy, so that one is late again.", arrivals: [0.1, 30], isConfirmed: true), .serves),
      (Story("The serving thread comes back.", arrivals: [0.1, 0.3, 0.4]), .leaves),
      // Serving them would cost as much again at each step.
      (
        Story("20 tasks, which are always ready, have had their turns before.", arrivals: [19, 20], wasBusy: true),
        .ends(.busy(isNew: false))
      ),
      // With "busy" here, the pool would never be found at rest.
      (Story("The tasks that were always ready have ended.", arrivals: [0.1, 0.3], wasBusy: true), .serves),
    ] as [(Story, PoolRound.Arrival)])
  func servesTasks(_ story: Story, _ last: PoolRound.Arrival) { #expect(story.play().last == last) }

  @Test("needs one thread if that is the main one, to which a library has sent all tasks")
  func mainThread() {
    var round = PoolRound(width: 2, slice: .milliseconds(10), isConfirmed: false, wasBusy: false, at: .zero)
    #expect(round.arrives(at: .milliseconds(1), isMain: true) == .serves)
  }

  @Test(
    "lets its threads go when nothing goes on any more",
    arguments: [
      (Story("One thread is missing, and may come.", arrivals: [0.1]), 5, false),
      // What computes there may wait for the thread that is kept.
      (Story("One thread is missing, and doesn't come.", arrivals: [0.1]), 20, true),
      // A client in `ManualClockTasksTests` computes for 20 ms. A round that ends then has no result.
      (Story("Code computes in its turn.", arrivals: [0.1, 0.3]), 40, false),
      (Story("Code waits in its turn for the thread that is kept.", arrivals: [0.1, 0.3]), 80, true),
      // On one thread, they need twice as long.
      (Story("Tasks are ready that have kept two threads for 100 ms.", arrivals: [99, 100]), 300, false),
      (Story("The same, and one of them waits for the thread that is kept.", arrivals: [99, 100]), 600, true),
    ] as [(Story, Double, Bool)])
  func letsThreadsGo(_ story: Story, at moment: Double, _ isIdle: Bool) {
    #expect(story.play().round.isIdle(at: .milliseconds(moment)) == isIdle)
  }

  @Test("keeps its threads while tasks have turns")
  func turns() {
    var round = Story("Code yields.", arrivals: [0.1, 0.3]).play().round
    round.takesTurn(at: .milliseconds(40))
    #expect(!round.isIdle(at: .milliseconds(80)))
  }

  @Test(
    "is over if tasks have been ready for a second, or were before and still are",
    arguments: [
      // A burst of work. What it resumes would be late.
      (Story("They have been for 0.9 s.", arrivals: [0.1, 0.3]), 900, nil),
      (Story("They have been for a second.", arrivals: [0.1, 0.3]), 1_001, .busy(isNew: true)),
      // The 64 cycles of an idle pool take about three milliseconds, and then it is known to rest.
      (Story("They were before, and may have ended.", arrivals: [0.1, 0.3], wasBusy: true), 10, nil),
      // A second for each step would be a minute for sixty steps.
      (Story("They were before, and still are.", arrivals: [0.1, 0.3], wasBusy: true), 50, .busy(isNew: false)),
    ] as [(Story, Double, CooperativePool.Result?)])
  func alwaysReady(_ story: Story, at moment: Double, _ result: CooperativePool.Result?) {
    #expect(story.play().round.result(at: .milliseconds(moment)) == result)
  }

  @Test("visits a priority whose tasks don't use the clock in 4 of 64 cycles, and any other in each")
  func otherPriorities() {
    let cycles = (1...64).filter { PoolRound.includes(false, in: $0) }
    #expect(cycles.count == 4 && cycles.first == 1)
    #expect((1...64).allSatisfy { PoolRound.includes(true, in: $0) })
  }

  @Test("ends once")
  func end() {
    var round = Story("Both are free.", arrivals: [0.1, 0.3]).play().round
    #expect(round.ends(with: .rest) && round.outcome == .rest && round.isOver)
    #expect(!round.ends(with: nil) && round.outcome == .rest)
    #expect(round.arrives(at: .milliseconds(1)) == .leaves)
  }
}
