import Foundation
import StubKit

extension Chapter {
  static let serverSentEvents = Chapter(
    "Server-sent events, as they arrive",
    code: #"""
      let clock = ManualClock()
      HTTPStubs.clock = clock
      let quotes: [StubResponse.Event] = [
        "open",
        .init("42.10", event: "quote", id: "1"),
        .init("42.35", event: "quote", id: "2"),
      ]
      stub(condition: isPath("/quotes"),
           response: .events(quotes, every: .seconds(30)), name: "quotes")
      """#
  ) { page in
    let clock = ManualClock()
    HTTPStubs.clock = clock
    let quotes: [StubResponse.Event] = [
      "open",
      .init("42.10", event: "quote", id: "1"),
      .init("42.35", event: "quote", id: "2"),
    ]
    stub(
      condition: isPath("/quotes"),
      response: .events(quotes, every: .seconds(30)), name: "quotes")

    let stream = Listener.get("https://api.example.com/quotes")
    var events: [String] = []
    for half in 0...2 {
      await clock.advance(by: .seconds(half == 0 ? 0 : 30))
      let event = stream.takeText().split(separator: "\n").joined(separator: "  ")
      page.show("\(Terminal.seconds(clock.elapsed))  \(event)")
      events.append(event)
      await Terminal.pause(.milliseconds(200))
    }
    page.expect(
      events == ["data: open", "event: quote  id: 1  data: 42.10", "event: quote  id: 2  data: 42.35"],
      "an event every half minute")
    page.expect(stream.isComplete, "the stream to end after the last event")
  }
}
