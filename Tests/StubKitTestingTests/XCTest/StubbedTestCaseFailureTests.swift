#if os(Linux)
  import Foundation
  import StubKitTesting
  import TestSupport
  import XCTest

  /// The failures that a stubbed test case records after a test. XCTest knows no expected failures here, so they are caught.
  final class StubbedTestCaseFailureTests: StubbedTestCase {
    private struct Failure: Equatable {
      let text: String
      let place: String
    }

    private var expected: [Failure] = []
    private var seen: [Failure] = []
    private var isOver = false

    override var reportUnused: Bool { true }

    override func invokeTest() {
      super.invokeTest()
      isOver = true
      XCTAssertEqual(seen, expected)
    }

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      // What is said by the tests themselves is to be heard.
      guard !isOver, description.hasPrefix("No ") else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      seen.append(Failure(text: description, place: "\(filePath):\(lineNumber)"))
    }

    func testIsTheReportAtTheNearestStub() async throws {
      stubAtLine(12, isHost("failing.example") && isPath("/users/42"))
      for number in [42, 43, 43] { _ = try? await fetch("http://failing.example/users/\(number)") }
      expected = [
        Failure(
          text: unmatchedReport("GET", url("http://failing.example/users/43"), butFor: "/users/42", line: 12)
            + "\n2 such requests failed; this is the report of the first.", place: "/app/Users.swift:12")
      ]
    }

    func testIsTheReportAtNoPlaceIfThereIsNoStub() async throws {
      _ = try? await fetch("http://failing.example/")
      expected = [
        Failure(
          text: """
            No stub matches GET http://failing.example/
            There are no stubs where the request was made. Those of a test or a withStubs end with it.
            Register a stub for it, or let it reach the network with HTTPStubs.unmatched = .passThrough.
            """, place: "<EXPR>:0")
      ]
    }

    func testIsAtTheUnusedStub() async throws {
      stubAtLine(7, isHost("unused.example"))
      stubAtLine(8, isHost("used.example"))
      _ = try await fetch("http://used.example/")
      expected = [
        Failure(
          text: """
            No request used the stub isHost("unused.example") (App/Users.swift:7)
            1 request did arrive, nearest first:
              1. GET http://used.example/: answered with 204
                 ✗ host: expected unused.example, got used.example
            Remove the stub, or mend its condition or the request.
            """, place: "/app/Users.swift:7")
      ]
    }

    func testIsBesideAnotherOneAtAShadowedStub() async throws {
      stubAtLine(7, isPath("/users"))
      stubAtLine(8, isHost("shadowed.example"), .empty(status: 404))
      _ = try await fetch("http://shadowed.example/users")
      _ = try? await fetch("http://missing.example/user")
      expected = [
        Failure(
          text: """
            No stub matches GET http://missing.example/user
            There are 2 stubs, nearest first:
              isPath("/users") (App/Users.swift:7)
                path: expected /users, got /user
              isHost("shadowed.example") (App/Users.swift:8)
                host: expected shadowed.example, got missing.example
            Register a stub for it, or mend the request or the stub.
            """, place: "/app/Users.swift:7"),
        Failure(
          text: """
            No request used the stub isPath("/users") (App/Users.swift:7)
            2 requests did arrive, nearest first:
              1. GET http://shadowed.example/users: answered with 404
                 answered by another stub, at App/Users.swift:8
              2. GET http://missing.example/user: unmatched
                 ✗ path: expected /users, got /user
            \(theNewestAnswers)
            """, place: "/app/Users.swift:7"),
      ]
    }

    func testIsNoneForTheUnusedStubOfASkippedTest() throws {
      stubAtLine(7, isHost("unused.example"))
      throw XCTSkip("To be told of no unused stub.")
    }

    func testIsNoneForWhatAScopeOfItsOwnMisses() async {
      await withStubs { _ = try? await fetch("http://failing.example/") }
    }
  }
#endif
