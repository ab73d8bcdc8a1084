import StubKitTesting
import TestSupport
import XCTest

/// A client of handlers, as many are tested: the test registers a stub, calls the client, and asserts in the handler.
final class HandledTestCaseTests: StubbedTestCase {
  private static let onMain = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
  private static let onQueue = URLSession(configuration: .ephemeral)
  private let returned = Locked(0)
  private var expected = 0

  /// Expects after each test that all of its handlers have returned.
  override func invokeTest() {
    super.invokeTest()
    XCTAssertEqual(returned.withLock(\.self), expected)
  }

  private func load(_ session: URLSession, _ path: String = "/users") {
    expected += 1
    session.dataTask(with: url("http://a.example\(path)")) { [returned] _, _, _ in
      workForAWhile()
      returned.withLock { $0 += 1 }
    }.resume()
  }

  func testEndsAfterItsHandlers() {
    stub(condition: isPath("/users"), response: .text("Ann"))
    stub(condition: isPath("/held"), response: .status(204).delay(.seconds(600)))
    for session in [Self.onMain, Self.onQueue] {
      load(session)
      load(session, "/held")
    }
  }

  func testExpectsCompletions() {
    let users = stub(condition: isPath("/users"), response: .text("Ann"))
    // A failure shows what is expected: 1 to 20 in the first session, 21 to 40 in the second, 41 to 60 in the third.
    for session in [Self.onMain, Self.onQueue, .shared] {
      for _ in 0..<20 {
        load(session)
        wait(for: [expectation(forCompletionsOf: users, count: expected)], timeout: 60)
        XCTAssertEqual(returned.withLock(\.self), expected)
      }
    }
    wait(for: [expectation(forCompletionsOf: users), expectation(forCallsTo: users)], timeout: 0)
    // This file doesn't import Testing.
    expectCalls(to: users, .exactly(expected))
    expectCalls(to: isPath("/ads"), .never)
  }
}

/// A synchronous scope on the main thread.
final class SynchronousScopeTests: XCTestCase {
  private var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  func testSleepsUntilTheHandlersHaveReturned() {
    XCTAssertTrue(Thread.isMainThread)
    let (isRunning, hasReturned) = (DispatchSemaphore(value: 0), Locked(false))
    let before = processorTime
    withStubs {
      stub(condition: isPath("/users"), response: .text("Ann"))
      URLSession.shared.dataTask(with: url("http://a.example/users")) { _, _, _ in
        isRunning.signal()
        Thread.sleep(forTimeInterval: 0.4)
        hasReturned.withLock { $0 = true }
      }.resume()
      isRunning.wait()
    }
    XCTAssertTrue(hasReturned.withLock(\.self))
    // A thread that asks again and again instead of sleeping uses up nearly the 0.4 seconds.
    XCTAssertLessThan(processorTime - before, 0.2)
  }
}
