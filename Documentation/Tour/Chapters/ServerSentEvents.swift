import Foundation
import StubKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Chapter {
  static let serverSentEvents = Chapter(
    "Events from a server, as they come",
    code: #"""
      let clock = ManualClock()
      HTTPStubs.clock = clock
      let quotes: [ServerSentEvent] = [
        "open",
        ServerSentEvent("42.10", event: "quote", id: "1"),
        ServerSentEvent("42.35", event: "quote", id: "2"),
      ]
      stub(condition: isPath("/quotes"),
           response: .events(quotes, every: .seconds(30)), name: "quotes")
      """#
  ) { page in
    let clock = ManualClock()
    HTTPStubs.clock = clock
    let quotes: [ServerSentEvent] = [
      "open",
      ServerSentEvent("42.10", event: "quote", id: "1"),
      ServerSentEvent("42.35", event: "quote", id: "2"),
    ]
    stub(
      condition: isPath("/quotes"),
      response: .events(quotes, every: .seconds(30)), name: "quotes")

    let listener = Listener()
    let session = URLSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
    session.dataTask(with: URL(string: "https://api.example.com/quotes")!).resume()
    var times: [Duration] = []
    for half in 0...2 {
      await clock.advance(by: .seconds(half == 0 ? 0 : 30))
      for event in listener.takeEvents() {
        times.append(clock.elapsed)
        page.show("\(Terminal.seconds(clock.elapsed))  \(event)")
      }
      await Terminal.pause(.milliseconds(150))
    }
    session.finishTasksAndInvalidate()
    page.expect(times == [.zero, .seconds(30), .seconds(60)], "an event each half a minute; got \(times)")
  }

  /// A client of an event stream. Each piece that it is told is an event.
  private final class Listener: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // @unchecked holds because what changes is touched under the lock only.
    private let lock = NSLock()
    private var events: [String] = []

    /// The events that came since it was last asked, each on one line.
    func takeEvents() -> [String] {
      lock.withLock {
        defer { events = [] }
        return events
      }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let fields = String(decoding: data, as: UTF8.self).split(separator: "\n")
      lock.withLock { events.append(fields.joined(separator: "  ")) }
    }
  }
}
