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

  /// XCTest sets the properties of all test cases before it runs the first test.
  final class StubInPropertyTestCase: StubbedTestCase {
    private static let isRun = ProcessInfo.processInfo.environment[ForgottenTestCase.variable] != nil
    private let users = isRun ? stubAtLine(3, isPath("/users")) : nil

    private func ask(_ path: String, on queue: DispatchQueue? = nil) -> Result<String, any Error>? {
      let (isDone, answer) = (DispatchSemaphore(value: 0), Locked<Result<String, any Error>?>(nil))
      let work: @Sendable () -> Void = {
        URLSession.shared.dataTask(with: url("http://a.example\(path)")) { data, _, error in
          answer.withLock { $0 = error.map { .failure($0) } ?? .success((data ?? Data()).text) }
          isDone.signal()
        }.resume()
      }
      if let queue { queue.async(execute: work) } else { work() }
      isDone.wait()
      return answer.withLock { $0 }
    }

    func testHasStubsOfItsOwn() throws {
      try XCTSkipUnless(Self.isRun, "Run by ForgottenTestCaseTests.")
      XCTAssertNotNil(users)
      let own = stub(condition: isPath("/users"), response: .text("own"))
      // The test's own stub comes before that of the property, which is everybody's.
      for queue in [nil, DispatchQueue(label: "client")] {
        XCTAssertEqual(try ask("/users", on: queue)?.get(), "own")
      }
      own.remove()
      // That fails the test.
      _ = ask("/users")
    }
  }

  @Suite("A test case whose stubs are outside of every scope", .inTurn)
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

    @Test("is warned of a stub that a property registers before a test runs, which answers no test's requests")
    func property() async throws {
      let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let printed = try #require(
        await ChildProcess.run(
          "env", [executable, "StubKitTestingTests.StubInPropertyTestCase/testHasStubsOfItsOwn"],
          environment: [ForgottenTestCase.variable: "1"]))
      let told = printed.split(separator: "\n").filter { $0.hasPrefix("StubKit: warning: The stub ") }
      #expect(told.count == 1, "\(printed)")
      let sentence = "isPath(\"/users\") (App/Users.swift:3) was registered before a test ran: register it in setUp()"
      #expect(told.first?.contains(sentence) == true, "\(printed)")
      // The one failure is that of the last request.
      #expect(printed.contains("Executed 1 test, with 1 failure"), "\(printed)")
      #expect(
        printed.contains(
          """
          A stub outside of every scope would match:
            isPath("/users") (App/Users.swift:3)
          It was registered before a test ran, or by a test case that is no StubbedTestCase. Register it in
          setUp() of a StubbedTestCase. XCTest sets the properties of all test cases before the first test.
          """), "\(printed)")
    }
  }
#endif
