#if os(Linux)
  import Foundation
  import StubKitTesting
  import TestSupport
  import XCTest

  /// The failures that a stubbed test case records after a test. XCTest knows no expected failures here, so they are caught.
  final class StubbedTestCaseFailureTests: StubbedTestCase {
    /// The first lines of failures, and their places. The rest is what UnmatchedIssueTests and UnusedStubIssueTests have.
    private var expected: [String] = []
    private var seen: [String] = []
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
      let (lines, name) = (description.split(separator: "\n"), filePath.split(separator: "/").last ?? "")
      seen.append(
        "\(lines[0]) at \(name):\(lineNumber)\(description.contains("2 such requests failed") ? ", twice" : "")")
    }

    func testIsTheReportAtTheNearestStub() async throws {
      stubAtLine(12, isHost("failing.example") && isPath("/users/42"))
      for number in [42, 43, 43] { _ = try? await fetch("http://failing.example/users/\(number)") }
      expected = ["No stub matches GET http://failing.example/users/43 at Users.swift:12, twice"]
    }

    func testIsTheReportAtNoPlaceIfThereIsNoStub() async throws {
      _ = try? await fetch("http://failing.example/")
      expected = ["No stub matches GET http://failing.example/ at <EXPR>:0"]
    }

    func testIsAtTheUnusedStub() async throws {
      stubAtLine(7, isHost("unused.example"))
      stubAtLine(8, isHost("used.example"))
      _ = try await fetch("http://used.example/")
      expected = [#"No request used the stub isHost("unused.example") (App/Users.swift:7) at Users.swift:7"#]
    }

    func testIsBesideAnotherOneAtAShadowedStub() async throws {
      stubAtLine(7, isPath("/users"))
      stubAtLine(8, isHost("shadowed.example"), .empty(status: 404))
      _ = try await fetch("http://shadowed.example/users")
      _ = try? await fetch("http://missing.example/user")
      expected = [
        "No stub matches GET http://missing.example/user at Users.swift:7",
        #"No request used the stub isPath("/users") (App/Users.swift:7) at Users.swift:7"#,
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
