import Foundation
import StubKitTesting
import XCTest

final class ChainedHandlerTestCase: StubbedTestCase {
  private func pages(_ count: Int, _ completion: @escaping @Sendable ([String]) -> Void) {
    @Sendable func get(_ page: Int, _ earlier: [String]) {
      URLSession.shared.dataTask(with: URL(string: "https://chain.example/pages/\(page)")!) { data, _, error in
        let pages = earlier + [data.map { String(decoding: $0, as: UTF8.self) } ?? "\(error as Any)"]
        if page == count { completion(pages) } else { get(page + 1, pages) }
      }.resume()
    }
    get(1, [])
  }

  func testAsksForEachPageInTheHandlerOfTheOneBefore() {
    stub(condition: isPath(template: "/pages/{page}")) { _, match in try .text("page \(match("page"))") }
    let isDone = expectation(description: "all pages")
    pages(3) { pages in
      XCTAssertEqual(pages, ["page 1", "page 2", "page 3"])
      isDone.fulfill()
    }
    wait(for: [isDone], timeout: 600)
    XCTAssertEqual(StubRegistry.current.journal.entries.map(\.isInferred), [false, false, false])
  }

  func testAsksForEachPageAlsoWhereTheTestIsAsynchronous() async {
    stub(condition: isHost("chain.example")) { request in .text(request.url!.lastPathComponent) }
    let all = await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
      pages(3) { continuation.resume(returning: $0) }
    }
    XCTAssertEqual(all, ["1", "2", "3"])
  }
}
