import TestSupport
import Testing

@testable import StubKit

@Suite("The clocks of stubs", .inTurn)
struct StubClockTests {
  @Test("are written as members")
  func members() {
    func timeline(of clock: any StubClock) -> (any Timeline)? { clock.timeline.timeline }
    #expect(timeline(of: .real) == nil)
    #expect(timeline(of: .immediate) is ImmediateTimeline)
    #expect(timeline(of: ManualClock()) is VirtualTimeline)
  }

  @Test("give each who asks a time of its own if immediate, and the same one if manual")
  func identity() {
    let manual = ManualClock()
    #expect(manual.timeline.timeline === manual.timeline.timeline)
    #expect(manual.timeline.timeline !== ManualClock().timeline.timeline)
    let immediate = ImmediateStubClock.immediate
    #expect(immediate.timeline.timeline !== immediate.timeline.timeline)
  }
}
