import Foundation
import StubKit

extension Chapter {
  static let slowDownload = Chapter(
    "Twenty seconds of EDGE, on a manual clock",
    code: #"""
      let clock = ManualClock()
      HTTPStubs.clock = clock
      stub(condition: isPath("/map"),
           response: .data(map).network(.edge), name: "map")
      """#
  ) { page in
    let map = Data(count: 320_000)
    let clock = ManualClock()
    HTTPStubs.clock = clock
    stub(
      condition: isPath("/map"),
      response: .data(map).network(.edge), name: "map")

    let start = ContinuousClock.now
    let download = Listener.get("https://maps.example.com/map")
    var halfTime: Int?
    // 300 ms of latency, and 16,000 bytes per second.
    for step in 0...81 {
      await clock.advance(by: .milliseconds(step == 0 ? 50 : 250))
      let received = download.byteCount
      let line =
        "\(bar(Double(received) / Double(map.count)))  \(received / 1_000) of 320 kB"
        + "  after \(Terminal.seconds(clock.elapsed))"
      await page.update(line, isKept: step % 20 == 1)
      if clock.elapsed == .milliseconds(10_300) { halfTime = received }
    }
    page.endUpdates()
    page.show("This took \(start.duration(to: .now).inWords) of real time.")
    page.expect(halfTime == 160_000, "half of the map after half of the time, not \(halfTime ?? -1) bytes")
    page.expect(download.byteCount == 320_000 && download.isComplete, "the whole map at the end")
    page.expect(
      HTTPStubs.requests.last?.duration == .milliseconds(20_300), "20.3 seconds in the journal")
  }

  private static func bar(_ fraction: Double) -> String {
    let count = Int((fraction * 30).rounded(.down))
    return String(repeating: "█", count: count) + String(repeating: "░", count: 30 - count)
  }
}
