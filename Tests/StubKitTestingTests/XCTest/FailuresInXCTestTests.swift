#if os(Linux)
  import Foundation
  import FoundationNetworking
  import StubKitTesting
  import TestSupport
  import Testing
  import XCTest

  /// XCTest knows no expected failures here, so a test case runs inside of a test, and its failures are taken.
  @Suite("A stubbed test case", .inTurn)
  struct FailuresInXCTestTests {
    private final class Case: StubbedTestCase { override var reportUnused: Bool { true } }

    private final class Listener: XCTestObservation {
      var failures: [String] = []
      func testCase(
        _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
        atLine lineNumber: Int
      ) {
        guard testCase is Case else { return }
        let isRepeated = description.contains("2 such requests failed")
        let file = filePath?.split(separator: "/").last ?? ""
        failures.append("\(file):\(lineNumber) \(description.prefix { $0 != "\n" })\(isRepeated ? ", twice" : "")")
      }
    }

    private static func failures(of body: @escaping @Sendable () throws -> Void) async -> [String] {
      // Swift Testing knows no test in there.
      await Task.detached { @MainActor in
        let listener = Listener()
        XCTestObservationCenter.shared.addTestObserver(listener)
        defer { XCTestObservationCenter.shared.removeTestObserver(listener) }
        Case(name: "inner") { _ in try body() }.run()
        return listener.failures
      }.value
    }

    /// Waits for a request, and returns its error.
    @discardableResult
    private static func ask(_ path: String) -> (any Error)? {
      let (answered, failure) = (DispatchSemaphore(value: 0), Locked<(any Error)?>(nil))
      URLSession.shared.dataTask(with: url("http://a.example/\(path)")) { _, _, error in
        failure.withLock { $0 = error }
        answered.signal()
      }.resume()
      answered.wait()
      return failure.withLock { $0 }
    }

    private static let file = "FailuresInXCTestTests.swift"
    private static let lineOfCalls = #line + 2
    private static let calls: @Sendable () -> Void = {
      expectCalls(to: isPath("/users"), .once)
      expectCalls(to: isPath("/users"))
      expectCalls(to: isPath("/users"), .never)
    }

    private static let miss = "No stub matches GET http://a.example/"
    private static let rows: [(failures: [String], body: @Sendable () throws -> Void)] = [
      (
        ["Users.swift:12 \(miss)users/43, twice"],
        {
          stubAtLine(12, isHost("a.example") && isPath("/users/42"))
          for number in [42, 43, 43] { ask("users/\(number)") }
        }
      ),
      (["<EXPR>:0 \(miss)"], { ask("") }),
      (
        [#"Users.swift:7 No request used the stub isHost("unused.example") (App/Users.swift:7)"#],
        {
          stubAtLine(7, isHost("unused.example"))
          stubAtLine(8, isHost("a.example"))
          ask("")
        }
      ),
      (
        [
          "Users.swift:8 \(miss)posts", #"Users.swift:7 No request used the stub isPath("/users") (App/Users.swift:7)"#,
        ],
        {
          stubAtLine(7, isPath("/users"))
          stubAtLine(8, isPath("/users"), .empty(status: 404))
          for path in ["users", "posts"] { ask(path) }
        }
      ),
      (
        [],
        {
          stubAtLine(7, isHost("unused.example"))
          throw XCTSkip("To be told of no unused stub.")
        }
      ),
      ([], { withStubs { _ = ask("") } }),
      (["<EXPR>:0 threw error \"\(miss)1"], { throw ask("1")! }),
      (
        ["<EXPR>:0 threw error \"\(miss)2", "<EXPR>:0 \(miss)1"],
        {
          ask("1")
          throw ask("2")!
        }
      ),
      (
        ["<EXPR>:0 threw error \"\(miss)1", "<EXPR>:0 \(miss)1, twice"],
        {
          ask("1")
          throw ask("1")!
        }
      ),
      (
        [
          #"\#(file):\#(lineOfCalls) XCTAssertTrue failed - expectCalls(to: isPath("/users")): expected exactly 1 call, got 0"#,
          #"\#(file):\#(lineOfCalls + 1) XCTAssertTrue failed - expectCalls(to: isPath("/users")): expected at least 1 call, got 0"#,
        ], calls
      ),
    ]

    @Test("fails once for each miss, unused stub and expectation, at its place")
    func failures() async {
      for (number, row) in Self.rows.enumerated() {
        let failures = await Self.failures(of: row.body)
        #expect(failures == row.failures, "row \(number)")
      }
    }

    #if compiler(>=6.2)
      @Test("has no line on standard error for calls that did not come, unlike code outside of every test")
      func standardError() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          await MainActor.run {
            let test = StubbedTestCase(name: "inner") { _ in expectCalls(to: isPath("/in-test")) }
            test.run()
            precondition(test.testRun?.totalFailureCount == 1)
          }
          withStubs { expectCalls(to: isPath("/never"), .once) }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let line = #"StubKit: outside of a test, expectCalls(to: isPath("/never")): expected exactly 1 call, got 0"#
        #expect(said.contains(line) && !said.contains("in-test"), "\(said)")
      }
    #endif
  }
#endif
