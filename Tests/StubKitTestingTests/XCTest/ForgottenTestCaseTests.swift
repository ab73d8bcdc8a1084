#if os(Linux)
  import Foundation
  import StubKitTesting
  import TestSupport
  import Testing
  import XCTest

  /// What `ForgottenTestCaseTests` runs in processes of their own. Elsewhere, its stubs would be everybody's.
  final class ForgottenTestCase: XCTestCase {
    static let variable = "STUBS_WITHOUT_SCOPE"

    private func addStub(_ line: UInt) throws {
      try XCTSkipUnless(ProcessInfo.processInfo.environment[Self.variable] != nil, "Run by ForgottenTestCaseTests.")
      stubAtLine(line, isPath("/1"))
    }

    func testAsynchronous() async throws { try addStub(1) }
    func testSynchronous() throws { try addStub(2) }
  }

  @Suite("A test case that forgets StubbedTestCase", .inTurn)
  struct ForgottenTestCaseTests {
    // The last row runs both tests: only the first stub of the process is told.
    @Test(
      "is warned of its first stub", arguments: zip(["/testAsynchronous", "/testSynchronous", ""], [[1], [2], [1]]))
    func warning(test: String, lines: [Int]) async throws {
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let printed = try #require(
        await ChildProcess.run(
          "env", [executable, "StubKitTestingTests.ForgottenTestCase\(test)"],
          environment: [ForgottenTestCase.variable: "1"]))
      let warned = printed.matches(
        of: /StubKit: warning: The stub isPath\("\/1"\) \(App\/Users.swift:(\d)\) is registered outside of every scope/)
      #expect(warned.map { Int($0.1) } == lines, "\(printed)")
      #expect(printed.contains("Let the test case inherit from StubbedTestCase."), "\(printed)")
    }
  }
#endif
