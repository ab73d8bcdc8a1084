import Foundation
import StubKitTesting
import TestSupport
import XCTest

final class CallExpectationTests: StubbedTestCase {
  func testIsFulfilledByCallsBeforeAndAfter() async throws {
    let users = stub(condition: isHost("calls.example"), response: .status(204))
    let first = expectation(forCallsTo: users)
    for _ in 0..<2 { _ = try await fetch("http://calls.example/") }
    await fulfillment(of: [first, expectation(forCallsTo: users, count: 2)], timeout: 600)
    let called = expectation(forCallsTo: users, count: 4)
    for _ in 0..<2 { URLSession.shared.dataTask(with: url("http://calls.example/")).resume() }
    await fulfillment(of: [called], timeout: 600)
  }

  func testIsNotFulfilledByFewerCallsAndSaysWhatItWaitsFor() async throws {
    let users = stubAtLine(12, isHost("calls.example"))
    let expectations = [1, 2].map { expectation(forCallsTo: users, count: $0) }
    let text = #"isHost("calls.example") (App/Users.swift:12)"#
    XCTAssertEqual(expectations.map(\.expectationDescription), ["a call to \(text)", "2 calls to \(text)"])
    expectations[1].isInverted = true
    _ = try await fetch("http://calls.example/")
    await fulfillment(of: [expectations[0]], timeout: 600)
    await fulfillment(of: [expectations[1]], timeout: 0)
  }

  func testListsWhatCameInstead() async throws {
    let users = stubAtLine(12, isHost("calls.example") && isPath("/users"))
    stub(condition: isHost("calls.example"), response: .status(204))
    let called = expectation(forCallsTo: users)
    // So that the test passes, as the call doesn't come.
    called.isInverted = true
    _ = try await fetch("http://calls.example/user")
    let lines = """
      a call to isHost("calls.example") && isPath("/users") (App/Users.swift:12)
      1 request was made, closest first:
        1. GET http://calls.example/user: answered with 204
           ✗ path: expected /users, got /user
      """
    let isListed = try await holds(within: .seconds(30)) { called.expectationDescription == lines }
    XCTAssertTrue(isListed, called.expectationDescription)
    await fulfillment(of: [called], timeout: 0)
  }

  func testSaysThatItsCallsCanNotCome() async throws {
    let users = stub(condition: isHost("calls.example"), response: .status(204), times: 1)
    let called = expectation(forCallsTo: users, count: 2)
    called.isInverted = true
    let isSaid = try await holds(within: .seconds(30)) { called.expectationDescription.contains("at most 1") }
    XCTAssertTrue(isSaid, called.expectationDescription)
    await fulfillment(of: [called], timeout: 0)
  }
}
