import Foundation
import StubKit
import TestSupport
import Testing

/// Time is measured here, so only lower bounds are asserted. Tests on a manual clock have the orders.
@Suite("Responses that take their time", .inTurn)
struct RealTimeTests {
  private let url = URL(string: "https://slow.invalid/")!

  @Test("come after their own delays, several at once")
  func several() async throws {
    let delays = [200, 20, 140, 80]
    try await withStubs {
      for delay in delays {
        stub(condition: isPath("/\(delay)"), response: .text("\(delay)").delay(.milliseconds(delay)))
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for delay in delays {
          group.addTask {
            let start = ContinuousClock.now
            let (data, _) = try await URLSession.shared.data(from: url.appendingPathComponent("\(delay)"))
            #expect(String(decoding: data, as: UTF8.self) == "\(delay)")
            #expect(ContinuousClock.now - start >= .milliseconds(delay))
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("that are failures come late too, their domain and code unchanged")
  func lateFailure() async throws {
    let events = SessionEvents()
    let session = URLSession(configuration: .ephemeral, delegate: events, delegateQueue: nil)
    try await withStubs {
      let failure = StubResponse.failure(NSError(domain: "Proxy", code: 7)).delay(.milliseconds(60))
      stub(condition: .anything, response: failure)
      var caught: NSError?
      let elapsed = await ContinuousClock().measure {
        do { _ = try await URLSession.shared.data(from: url) } catch { caught = error as NSError }
      }
      #expect(caught?.domain == "Proxy")
      #expect(caught?.code == 7)
      #expect(elapsed >= .milliseconds(60))

      session.dataTask(with: url).resume()
      let told = try await events.untilCompletion
      #expect(told == [.failed(domain: "Proxy", code: 7)])
    }
  }

  @Test("that lead on take the time of the redirect and of its end together")
  func redirect() async throws {
    try await withStubs {
      stub(condition: isPath("/from"), response: .redirect(to: "/to").delay(.milliseconds(60)))
      stub(condition: isPath("/to"), response: .text("there").delay(.milliseconds(40)))
      var data: Data?
      let elapsed = try await ContinuousClock().measure {
        data = try await URLSession.shared.data(from: url.appendingPathComponent("from")).0
      }
      #expect(data == Data("there".utf8))
      #expect(elapsed >= .milliseconds(100))
      let durations = StubRegistry.current.journal.entries.compactMap(\.duration)
      #expect(zip(durations, [60, 40]).allSatisfy { $0 >= .milliseconds($1) } && durations.count == 2)
    }
  }

  @Test(
    "take their delay and the time of their body together",
    arguments: [("", 0, 60), ("", 40, 40), ("a", 0, 60), ("a body in pieces", 30, 60)])
  func duration(body: String, delay: Int, bodyDuration: Int) async throws {
    try await withStubs {
      stub(
        condition: .anything,
        response: .text(body).delay(.milliseconds(delay)).bodyDuration(.milliseconds(bodyDuration)))
      var data: Data?
      let elapsed = try await ContinuousClock().measure { data = try await URLSession.shared.data(from: url).0 }
      #expect(data == Data(body.utf8))
      #expect(elapsed >= .milliseconds(delay + bodyDuration))
      let recorded = try #require(StubRegistry.current.journal.entries.first?.duration)
      #expect(recorded >= .milliseconds(delay + bodyDuration))
    }
  }
}
