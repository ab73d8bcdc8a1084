import Foundation
import StubKitRecording
import StubKitTesting
import Testing
import XCTest

// Unlike the rest, these tests are run.

@Suite("A test with a trait", .stubbed(reportUnused: true, clock: .immediate, unmatched: .fail))
struct SwiftTestingSites {
  @Test("gets what it has stubbed", .stubbed) func plain() async throws {
    stub(condition: isHost("x"), response: .text("a"))
    let (data, _) = try await URLSession.shared.data(from: URL(string: "http://x/")!)
    #expect(data.count == 1)
  }

  @Test("gets in each case what that case has stubbed", .stubbed(unmatched: .passThrough), arguments: [1, 2])
  func cases(n: Int) async throws {
    stub(condition: isPath(template: "/u/{id}")) { _, match in try .json(["id": match("id"), "n": n]) }
    let (data, _) = try await URLSession.shared.data(from: URL(string: "http://x/u/1")!)
    #expect(try StubJSON(parsing: data) == ["id": "1", "n": StubJSON(n)])
  }

  @Suite("in a suite with another one", .serialized, .stubbed(network: .threeG)) struct Nested {
    @Test("keeps the suite's network", .timeLimit(.minutes(1)), .stubbed(reportUnused: false)) func named() {
      #expect(StubRegistry.current.network == .threeG)
    }

    @Test("can name what every request has", .stubbed(everyRequest: hasHeader("Accept-Language", "de-CH")))
    func everyRequest() {}

    @Test("can choose a version of HTTP", .stubbed(httpVersion: .http2)) func version() async throws {
      #expect(HTTPStubs.httpVersion == .http2)
      HTTPStubs.httpVersion = .http1
      stub(.get, "http://x/v", response: .json([]).header("X-Count", "1").httpVersion(.http2))
      let (_, response) = try await URLSession.shared.data(from: URL(string: "http://x/v")!)
      #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Count") == "1")
    }

    @Test(
      "can record some requests, for some time", .stubbed,
      .recorded("users", mode: .live, where: isHost("x") || { $0.url?.port == 80 }, expires: .days(90)))
    func somePart() async throws {
      let recording = Recording("users", mode: .live, where: isPath("/a"), matching: .default, expires: .days(1))
      try await withStubs {
        try await withRecording(recording, where: !isPath("/b")) { await Task.yield() }
        let count = try withRecording(Recording("b", mode: .live), where: isHost("y")) { 1 }
        #expect(count == 1)
      }
    }

    @Test("can expect numbers of calls in each form", .stubbed) func counts() {
      let (count, some) = (0, Int.random(in: 0...0))
      stub(.get, "/a", response: .ok, calls: .never)
      stub(condition: isPath("/a"), response: .ok, times: 2, calls: .atMost(2))
      stub(.get, "/b", calls: .between(0...2)) { _ in .ok }
      let last = stub(.get, "/c", responses: [.ok], calls: .exactly(some))
      expectCalls(to: last, count)
      expectCalls(to: isPath("/c"), 0)
      if some > 0 { expectCalls(inOrder: last, isPath("/c"), last, at: StubLocation()) }
      expectCalls(to: isPath("/c"), count)
      let range = 1...3
      #expect(CallCount.twice == 2 && range.count == 3)
    }

    @Test(
      "can let requests pass through by a condition",
      .stubbed(unmatched: .passThrough(when: isHost("localhost") || isHost("127.0.0.1"))))
    func condition() {}

    @Test(
      "keeps the suites' network and clock with nil",
      .stubbed(clock: nil, network: nil, unmatched: .respond { _ in .status(404) }))
    func policy() {
      #expect(StubRegistry.current.network == .threeG && StubRegistry.current.clock as? StubTime == .immediate)
    }
  }
}

@Suite(
  "A suite on the main actor",
  .stubbed(clock: ManualClock(), network: NetworkConditions(latency: .milliseconds(1))))
@MainActor struct MainActorSites {
  /// A stub of the suite, for another host.
  let users = stub(condition: isHost("x")) { _ in .json(["id": 42]) }

  @Test("can expect something in a closure that answers") func expectationInAResponder() async throws {
    // No manual clock has to be moved.
    HTTPStubs.clock = .immediate
    stub(condition: isHost("y")) { request in
      #expect(request.url?.host() == "y")
      return .text("n")
    }
    let (data, _) = try await URLSession.shared.data(from: URL(string: "http://y/")!)
    #expect(data == Data("n".utf8) && users.callCount == 0)
  }
}

nonisolated final class XCTestSites: StubbedTestCase {
  override var unmatched: UnmatchedPolicy? { .passThrough(when: isHost("localhost")) }
  override var reportsUnusedStubs: Bool { true }
  override var clock: (any StubClock)? { .immediate }
  override var network: NetworkConditions? { .edge }
  override var everyRequest: RequestMatcher? { .anything }
  var users: Stub!

  override func setUp() {
    super.setUp()
    users = stub(condition: isHost("x"), response: .text("a"))
  }

  func testSynchronous() {
    URLSession.shared.dataTask(with: URL(string: "http://x/")!).resume()
    wait(for: [expectation(forCallsTo: users)], timeout: 60)
  }
}
