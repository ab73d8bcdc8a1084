import Foundation
import StubKitTesting
import TestSupport
import XCTest

final class CallExpectationTests: StubbedTestCase {
  private func request(_ url: String) { URLSession.shared.dataTask(with: URL(string: url)!).resume() }

  /// This file doesn't import Testing.
  func testCallsAreExpectedWithoutSwiftTesting() async throws {
    let users = stub(condition: isHost("calls.example"), response: .empty())
    _ = try await fetch("http://calls.example/")
    expectCalls(to: users, .once)
    expectCalls(to: isPath("/ads"), .never)
  }

  func testIsFulfilledByACallThatComes() {
    let users = stub(condition: isHost("calls.example"), response: .empty())
    let called = expectation(forCallsTo: users)
    request("http://calls.example/")
    wait(for: [called], timeout: 600)
    XCTAssertEqual(users.callCount, 1)
  }

  func testIsFulfilledByCallsThatCame() async throws {
    let users = stub(condition: isHost("calls.example"), response: .empty())
    for _ in 0..<3 { _ = try await fetch("http://calls.example/") }
    await fulfillment(of: [expectation(forCallsTo: users, count: 2), expectation(forCallsTo: users)], timeout: 0)
  }

  func testIsFulfilledByCallsBeforeAndAfter() async throws {
    let users = stub(condition: isHost("calls.example"), response: .empty())
    _ = try await fetch("http://calls.example/")
    let called = expectation(forCallsTo: users, count: 3)
    for _ in 0..<2 { request("http://calls.example/") }
    await fulfillment(of: [called], timeout: 600)
    XCTAssertEqual(users.callCount, 3)
  }

  func testIsNotFulfilledByFewerCalls() async throws {
    let users = stub(condition: isHost("calls.example"), response: .empty())
    let called = expectation(forCallsTo: users, count: 2)
    called.isInverted = true
    _ = try await fetch("http://calls.example/")
    await fulfillment(of: [called], timeout: 0)
  }

  func testSaysWhatItWaitsFor() {
    let users = stubAtLine(12, isHost("calls.example"))
    let expectations = [1, 2].map { expectation(forCallsTo: users, count: $0) }
    for expectation in expectations { expectation.isInverted = true }
    wait(for: expectations, timeout: 0)
    XCTAssertEqual(
      expectations.map(\.expectationDescription),
      [
        #"a call to isHost("calls.example") (App/Users.swift:12)"#,
        #"2 calls to isHost("calls.example") (App/Users.swift:12)"#,
      ])
  }

  func testListsWhatCameInstead() async throws {
    let users = stubAtLine(12, isHost("calls.example") && isPath("/users"))
    let gate = ResponseGate()
    stub(condition: isHost("calls.example"), response: .empty().held(by: gate))
    let called = expectation(forCallsTo: users)
    called.isInverted = true
    async let fetched = fetch("http://calls.example/user")
    for outcome in ["in progress", "answered with 204"] {
      let lines = [
        "a call to isHost(\"calls.example\") && isPath(\"/users\") (App/Users.swift:12)",
        "1 request did arrive, nearest first:", "  1. GET http://calls.example/user: \(outcome)",
        "     ✗ path: expected /users, got /user",
      ]
      let isListed = try await holds(within: .seconds(30)) {
        called.expectationDescription.split(separator: "\n").map(String.init) == lines
      }
      XCTAssertTrue(isListed, called.expectationDescription)
      gate.open()
    }
    _ = try await fetched
    await fulfillment(of: [called], timeout: 0)
  }

  func testSaysThatItsCallsCanNotCome() async throws {
    let users = stub(condition: isHost("calls.example"), response: .empty(), times: 1)
    let called = expectation(forCallsTo: users, count: 2)
    called.isInverted = true
    let isSaid = try await holds(within: .seconds(30)) { called.expectationDescription.contains("at most 1") }
    XCTAssertTrue(isSaid, called.expectationDescription)
    await fulfillment(of: [called], timeout: 0)
  }
}
