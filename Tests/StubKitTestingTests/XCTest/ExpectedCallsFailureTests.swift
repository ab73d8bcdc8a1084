#if os(Linux)
  import Foundation
  import FoundationNetworking
  import StubKitTesting
  import TestSupport
  import Testing
  import XCTest

  @testable import StubKit

  /// XCTest knows no expected failures here, so they are caught.
  final class ExpectedCallsFailureTests: XCTestCase {
    private var seen: [String] = []

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      // What is said by the tests themselves is to be heard.
      guard description.contains("expectCalls(to:") else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      let name = filePath.split(separator: "/").last ?? ""
      seen.append("\(name):\(lineNumber) \(description.split(separator: "\n").first ?? "")")
    }

    func testAreAFailureEachAtItsOwnLine() {
      let line = #line
      withStubs {
        let users = stub(condition: isPath("/users"), response: .empty(), fileID: "App/Users.swift", line: 1)
        expectCalls(to: users, .once)
        expectCalls(to: isPath("/users"))
        expectCalls(to: users, .never)
      }
      let prefix = "XCTAssertTrue failed - expectCalls(to: isPath(\"/users\")"
      XCTAssertEqual(
        seen,
        [
          "ExpectedCallsFailureTests.swift:\(line + 3) \(prefix) (App/Users.swift:1)): expected exactly 1 call, got 0",
          "ExpectedCallsFailureTests.swift:\(line + 4) \(prefix)): expected at least 1 call, got 0",
        ])
    }
  }

  @Suite("An unmatched request in XCTest", .inTurn)
  struct ThrownMissTests {
    /// Runs a test of XCTest's inside of this one.
    @MainActor
    private func failures(of body: @escaping () throws -> Void) -> [String] {
      final class Listener: XCTestObservation {
        var failures: [String] = []
        func testCase(
          _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
          atLine lineNumber: Int
        ) {
          if testCase is StubbedTestCase { failures.append(String(description.prefix { $0 != "\n" })) }
        }
      }
      let listener = Listener()
      XCTestObservationCenter.shared.addTestObserver(listener)
      defer { XCTestObservationCenter.shared.removeTestObserver(listener) }
      StubbedTestCase(name: "inner") { _ in try body() }.run()
      return listener.failures
    }

    /// Waits for a request that no stub matches.
    private static func miss(_ path: String) -> (any Error)? {
      let answered = DispatchSemaphore(value: 0)
      let failure = Protected<(any Error)?>(nil)
      URLSession.shared.dataTask(with: URL(string: "http://thrown.example/\(path)")!) { _, _, error in
        failure.withLock { $0 = error }
        answered.signal()
      }.resume()
      answered.wait()
      return failure.withLock { $0 }
    }

    @Test("is a failure once, whether the test throws its error, another one's or none")
    @MainActor func thrown() {
      let text = "No stub matches GET http://thrown.example/"
      for (misses, expected) in [
        ([], ["1"]), (["1"], ["2", "1"]), (["1"], ["1", "1"]),
      ] {
        let failures = failures {
          for miss in misses { _ = Self.miss(miss) }
          if let error = Self.miss(expected[0]) { throw error }
        }
        #expect(failures == [#"threw error "\#(text)\#(expected[0])"#] + expected.dropFirst().map { text + $0 })
      }
      #expect(failures { _ = Self.miss("3") } == [text + "3"])
    }
  }
#endif
