import Foundation
import StubKitTesting
import XCTest

/// A test case on Apple platforms has a scope that begins with `setUp`.
final class TestCaseStories: StubbedTestCase {
  override func setUp() { stub(condition: isHost("a.example")) { request in .text(request.url!.lastPathComponent) } }

  func testReachesTheSharedSessionAndWhatItsHandlersAskForNext() {
    let isDone = expectation(description: "both pages")
    URLSession.shared.dataTask(with: URL(string: "http://a.example/1")!) { first, _, _ in
      URLSession.shared.dataTask(with: URL(string: "http://a.example/2")!) { second, _, _ in
        XCTAssertEqual([first, second], [Data("1".utf8), Data("2".utf8)])
        isDone.fulfill()
      }.resume()
    }.resume()
    wait(for: [isDone], timeout: 10)
    XCTAssertEqual(StubRegistry.current.journal.entries.map(\.isUnscoped), [false, false])
  }

  func testReachesAsyncCalls() async throws {
    let answer = try await text("http://a.example/3")
    XCTAssertEqual(answer, "3")
    XCTAssertEqual(StubRegistry.current.journal.entries.count, 1)
  }
}
