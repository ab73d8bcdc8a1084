import Foundation
import TestSupport
import Testing

@testable import StubKit

@Suite("A manual clock that advances to its end", .inTurn, .inOwnProcess)
struct ManualClockEndTests {
  private let reports = Log<String>()
  private let clock: ManualClock
  private var timeline: VirtualTimeline { clock.virtual }
  private let queue = DispatchQueue(label: "load")

  init() {
    clock = .reporting(after: .seconds(60), endlessTime: .zero) { [reports] in reports.note($0) }
  }

  private var hasStopped: Bool {
    #expect(reports.entries.allSatisfy { $0.contains("each deadline sets another one") })
    return reports.entries.count == 1
  }

  @Test(
    "goes through up to 1,000 pieces",
    arguments: [900, TestSize.of(2_000, inPart: 1_100)])
  func slowResponse(pieceCount: Int) async {
    await withStubs {
      HTTPStubs.clock = clock
      stub(
        condition: .anything,
        response: .data(Data(count: pieceCount)).delay(.seconds(3)).chunked(by: 1, every: .seconds(60)))
      let events = DelegateEvents()
      let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
      let task = session.dataTask(with: url("http://a.example/"))
      task.resume()
      await clock.waitForPending()
      await clock.advanceToEnd()
      if pieceCount < 1_000 {
        #expect(clock.elapsed == .seconds(3 + 899 * 60) && events.told.count == 902 && events.told.last == "complete")
        #expect(clock.pendingCount == 0 && reports.entries.isEmpty)
      } else {
        #expect(hasStopped && clock.elapsed >= .seconds(1_000 * 60 - 60) && clock.pendingCount > 0)
      }
      task.cancel()
      session.invalidateAndCancel()
    }
  }
}
