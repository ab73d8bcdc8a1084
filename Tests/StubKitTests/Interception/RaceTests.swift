import Foundation
import StubKit
import TestSupport
import Testing

@Suite("Two things that happen to a task at the same time", .inTurn)
struct RaceTests {
  private enum Move: CaseIterable { case resume, suspend, cancel, invalidate, endScope }

  /// One round: a session, its task, and what stubs it.
  private final class Round: Sendable {
    let moves: [Move]
    let isResumedBefore: Bool
    private let registry = StubRegistry()
    private let stub: Stub
    private let events = DelegateEvents()
    private let queue = OperationQueue.suspended
    private let session: URLSession
    private let task: URLSessionTask
    private let (scopeMayEnd, scopeHasEnded) = (Latch(), Latch())

    init(_ random: inout SplitMix64) {
      moves = [random.pick(Move.allCases), random.pick(Move.allCases)]
      isResumedBefore = random.below(2) == 0
      session = registry.makeSession(delegate: events, delegateQueue: queue)
      task = session.dataTask(with: url("http://a.example/"))
      stub =
        switch random.below(3) {
        case 0: StubKit.stub(condition: .anything, response: .text("value"), in: registry)
        case 1: StubKit.stub(condition: .anything, in: registry) { _ in .text("value") }
        default: StubKit.stub(condition: .anything, in: registry) { _ async in .text("value") }
        }
      // Where the delegate hears nothing yet, an invalidation meets a task that can't be over. On Linux, URLSession
      // traps where it looks into one that ends meanwhile.
      if !moves.contains(.invalidate) { queue.isSuspended = false }
    }

    /// Makes both moves, and returns what the delegate has been told until the task is complete.
    func play() async throws -> [String] {
      let scopeHasBegun = Latch()
      Thread.detachNewThread { [registry, scopeMayEnd, scopeHasEnded] in
        withStubs(in: registry) {
          scopeHasBegun.open()
          scopeMayEnd.blockUntilOpened()
        }
        scopeHasEnded.open()
      }
      try await until("the scope has begun") { scopeHasBegun.isOpen }
      if isResumedBefore { task.resume() }
      DispatchQueue.concurrentPerform(iterations: moves.count) { make(moves[$0]) }
      // Whatever they have been, the task goes on now, and its scope ends.
      for _ in 0...moves.count { task.resume() }
      queue.isSuspended = false
      let told = try await events.untilCompletion()
      scopeMayEnd.open()
      try await until("the scope has ended") { scopeHasEnded.isOpen }
      session.finishTasksAndInvalidate()
      return told
    }

    private func make(_ move: Move) {
      switch move {
      case .resume: task.resume()
      case .suspend: task.suspend()
      case .cancel: task.cancel()
      case .invalidate: session.invalidateAndCancel()
      case .endScope: scopeMayEnd.open()
      }
    }

    /// What the delegate has been told by now, and how many requests the journal and the stub have.
    var toldAtLast: [String] { events.told }
    var requestCount: Int { registry.journal.entries.count }
    var callCount: Int { stub.callCount }
  }

  @Test("lead to one end, and to one answer at most")
  func ends() async throws {
    var random = SplitMix64(seed: 26)
    var rounds: [Round] = []
    for _ in 0..<TestSize.of(750, inPart: 50) {
      let round = Round(&random)
      rounds.append(round)
      _ = try await round.play()
    }
    for round in rounds {
      let told = round.toldAtLast
      // A cancellation can meet the answer after its head, or after its body.
      let answer = ["head 200", "data value", "complete"]
      let isAnswer = told == answer
      let isFailure =
        told.last?.hasPrefix("error ") == true && told.dropLast().elementsEqual(answer.prefix(told.count - 1))
      #expect(isAnswer || isFailure, "\(round.moves), resumed before: \(round.isResumedBefore): \(told)")
      #expect(round.requestCount <= 1 && round.callCount <= round.requestCount, "\(round.moves): \(told)")
      if isAnswer { #expect(round.callCount == 1) }
    }
  }
}
