import Foundation
import StubKitTesting
import XCTest

/// Each test, with its `setUp` and `tearDown`, has stubs of its own.
final class StubbedTestCaseTests: StubbedTestCase {
  private nonisolated(unsafe) static var registries: [StubRegistry] = []  // Holds: XCTest runs one test at a time.
  private var registry: StubRegistry?

  override var unmatched: UnmatchedPolicy? { .respond { _ in .text("policy") } }
  override var clock: (any StubClock)? { .immediate }
  override var network: NetworkConditions? { .edge }

  override func setUp() async throws {
    // The first of all methods of a test: nothing of another one's is here.
    XCTAssertTrue(StubRegistry.current !== StubRegistry.global)
    XCTAssertTrue(StubRegistry.current.stubs.isEmpty)
    stub(condition: isPath("/set-up"), response: .text("set up"))
  }

  override func setUp() {
    registry = .current
    XCTAssertFalse(Self.registries.contains { $0 === StubRegistry.current })
    Self.registries.append(.current)
  }

  override func tearDown() {
    XCTAssertTrue(registry === StubRegistry.current)
    XCTAssertFalse(StubRegistry.current.journal.entries.isEmpty)
  }

  override func tearDown() async throws { XCTAssertTrue(registry === StubRegistry.current) }

  func testSeesItsStubsInAnAsyncTest() async throws {
    XCTAssertTrue(registry === StubRegistry.current)
    addTeardownBlock { [registry] in XCTAssertTrue(registry === StubRegistry.current) }
    stub(condition: isPath("/async"), response: .text("async"))
    let texts = [try await fetch("http://case.example/async"), try await fetch("http://case.example/set-up")]
    XCTAssertEqual(texts, ["async", "set up"])
  }

  func testSeesItsStubsInASynchronousTest() throws {
    XCTAssertTrue(registry === StubRegistry.current)
    stub(condition: isPath("/sync"), response: .text("sync"))
    let answered = expectation(description: "answered")
    URLSession.shared.dataTask(with: URL(string: "http://case.example/sync")!) { data, _, _ in
      XCTAssertEqual(data.map { String(decoding: $0, as: UTF8.self) }, "sync")
      answered.fulfill()
    }.resume()
    wait(for: [answered], timeout: 600)
  }

  func testRunsAssertionsOfResponders() async throws {
    let post = stub(condition: isMethod(.post)) { request in
      XCTAssertEqual(request.url?.path, "/post")
      XCTAssertTrue(StubRegistry.current !== StubRegistry.global)
      return .status(204)
    }
    _ = try await fetch("http://case.example/post", method: "POST")
    XCTAssertEqual(post.callCount, 1)
  }

  func testHasTheOptionsThatItsCaseSays() async throws {
    XCTAssertTrue(StubRegistry.current.clock as? StubTime == .immediate)
    XCTAssertEqual(StubRegistry.current.network, .edge)
    let text = try await fetch("http://options.example/else")
    XCTAssertEqual(text, "policy")
  }
}

/// A base class that isn't StubKit's.
class OtherTestCase: XCTestCase {
  override func invokeTest() {
    XCTAssertTrue(StubRegistry.current !== StubRegistry.global)
    super.invokeTest()
  }
}

/// Each test has stubs of its own with another base class, too.
final class OtherBaseClassTests: OtherTestCase {
  private var registry: StubRegistry?

  override func invokeTest() {
    invokeStubbed(clock: .immediate, unmatched: .respond { _ in .text("policy") }) { super.invokeTest() }
  }

  override func setUp() {
    registry = .current
    XCTAssertTrue(HTTPStubs.allStubs().isEmpty)
  }

  func testSeesItsStubs() async throws {
    XCTAssertTrue(registry === StubRegistry.current)
    stub(condition: isPath("/own"), response: .text("own").delay(.seconds(3_600)))
    let texts = [try await fetch("http://case.example/own"), try await fetch("http://case.example/other")]
    XCTAssertEqual(texts, ["own", "policy"])
  }

  func testSeesNoStubsOfAnotherTest() { XCTAssertTrue(HTTPStubs.requests.isEmpty) }
}
