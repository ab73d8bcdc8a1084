import TestSupport
import Testing

@testable import StubKit

@Suite("The end of somebody's patience", .inTurn)
struct PatienceTimerTests {
  @Test("comes once, and not before its time", arguments: [0, 1, 250, 450])
  func end(milliseconds: Int) async throws {
    let ends = Locked<[ContinuousClock.Instant]>([])
    let start = ContinuousClock.now
    let timer = PatienceTimer(.milliseconds(milliseconds)) { ends.withLock { $0.append(.now) } }
    try await until("patience ends") { ends.withLock { !$0.isEmpty } }
    let time = try #require(ends.withLock { $0.first }) - start
    #expect(time >= .milliseconds(milliseconds))
    let endsAgain = try await holds(within: .milliseconds(20)) { ends.withLock { $0.count > 1 } }
    #expect(!endsAgain)
    timer.cancel()
  }

  @Test("does not come when it is cancelled, in its first slice or in a later one", arguments: [0, 300])
  func cancelled(afterMilliseconds delay: Int) async throws {
    let hasEnded = Locked(false)
    let start = ContinuousClock.now
    let timer = PatienceTimer(.milliseconds(500)) { hasEnded.withLock { $0 = true } }
    let control = Locked(false)
    let later = PatienceTimer(.milliseconds(delay)) { timer.cancel() }
    let last = PatienceTimer(.milliseconds(900)) { control.withLock { $0 = true } }
    // A busy machine may have come too late.
    guard ContinuousClock.now - start < .milliseconds(100) else { return }
    try await until("a longer patience ends") { control.withLock { $0 } }
    #expect(!hasEnded.withLock { $0 })
    _ = (later, last)
  }
}
