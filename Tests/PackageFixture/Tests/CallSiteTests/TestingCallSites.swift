import Foundation
import StubKitTesting
import Testing
import XCTest

// Unlike the rest, these tests are run.

@Suite(.stubbed(reportUnused: true, clock: .immediate, unmatched: .fail))
struct SwiftTestingSites {
  @Test(.stubbed) func plain() async throws {
    stub(condition: isHost("x"), response: .text("a"))
    let (data, _) = try await URLSession.shared.data(from: URL(string: "http://x/")!)
    #expect(data.count == 1)
  }

  @Test(.stubbed(unmatched: .passThrough), arguments: [1, 2]) func cases(n: Int) async throws {
    stub(condition: isPath(template: "/u/{id}")) { _, match in try .json(["id": match("id"), "n": n]) }
    let (data, _) = try await URLSession.shared.data(from: URL(string: "http://x/u/1")!)
    #expect(try StubJSON(parsing: data) == ["id": "1", "n": StubJSON(n)])
  }

  @Suite(.serialized, .stubbed(network: .threeG)) struct Nested {
    @Test("a name", .timeLimit(.minutes(1)), .stubbed(reportUnused: false)) func named() {
      #expect(StubRegistry.current.network == .threeG)
    }

    @Test(.stubbed(strict: true, everyRequest: hasHeader("Accept-Language", "de-CH"))) func strict() {}
    @Test(.stubbed(strict: .allowing(query: ["page"], headers: ["Content-Type"]))) func allowing() {}

    @Test(.stubbed) func counts() {
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

    @Test(.stubbed(unmatched: .passThrough(when: isHost("localhost") || isHost("127.0.0.1")))) func condition() {}

    @Test(.stubbed(clock: nil, network: nil, unmatched: .respond { _ in .status(404) })) func policy() {
      #expect(StubRegistry.current.network == .threeG && StubRegistry.current.clock as? StubTime == .immediate)
    }
  }
}

@Suite(.stubbed(clock: ManualClock(), network: NetworkConditions(latency: .milliseconds(1))))
@MainActor struct MainActorSites {
  let users = stub(condition: isHost("x")) { _ in .json(["id": 42]) }

  @Test func expectationInAResponder() async throws {
    stub(condition: isHost("y")) { request in
      #expect(request.url?.host() == "y")
      return .text("n")
    }
    HTTPStubs.clock = .immediate
    let (data, _) = try await URLSession.shared.data(from: URL(string: "http://y/")!)
    #expect(data == Data("n".utf8) && users.callCount == 0)
  }
}

nonisolated final class XCTestSites: StubbedTestCase {
  override var unmatched: UnmatchedPolicy? { .passThrough(when: isHost("localhost")) }
  override var reportsUnusedStubs: Bool { true }
  override var clock: (any StubClock)? { .immediate }
  override var network: NetworkConditions? { .edge }
  override var strictness: Strictness { .allowing(query: ["page"]) }
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
