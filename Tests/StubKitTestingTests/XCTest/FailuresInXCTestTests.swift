#if os(Linux)
  import Foundation
  import StubKitTesting
  import TestSupport
  import Testing
  import XCTest

  /// XCTest knows no expected failures here, so a test case runs inside of a test, and its failures are taken.
  @Suite("A stubbed test case", .inTurn)
  struct FailuresInXCTestTests {
    private final class Case: StubbedTestCase {
      override var reportsUnusedStubs: Bool { true }
    }

    private final class Listener: XCTestObservation {
      var failures: [String] = []
      private var first = 0

      func testCase(
        _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
        atLine lineNumber: Int
      ) {
        guard testCase is Case else { return }
        let isRepeated = description.contains("2 such requests failed")
        // The lines of this file are counted from the first failure.
        let (file, isHere) = (
          filePath?.split(separator: "/").last ?? "", filePath?.hasSuffix("/FailuresInXCTestTests.swift") == true
        )
        if first == 0 { first = lineNumber }
        let line = isHere ? "+\(lineNumber - first)" : "\(lineNumber)"
        failures.append("\(file):\(line) \(description.prefix { $0 != "\n" })\(isRepeated ? ", twice" : "")")
      }
    }

    private static func failures(of body: @escaping @Sendable () throws -> Void) async -> [String] {
      // Swift Testing knows no test in there.
      await Task.detached { @MainActor in
        let listener = Listener()
        XCTestObservationCenter.shared.addTestObserver(listener)
        defer { XCTestObservationCenter.shared.removeTestObserver(listener) }
        let notes = Locked<[String]>([])
        RunningTest.listener.withLock { $0 = Closure { text in notes.withLock { $0.append(text) } } }
        defer { RunningTest.listener.withLock { $0 = nil } }
        let test = Case(name: "inner") { test in
          current = test
          try body()
        }
        test.run()
        current = nil
        // Other tests of the process can tell something meanwhile.
        return listener.failures + notes.withLock { $0.filter { $0.hasPrefix("Beside the failure of Case.inner") } }
      }.value
    }

    // Safe because the main actor sets it for the test that it runs.
    nonisolated(unsafe) private static var current: XCTestCase?

    /// Waits for a request, and returns its error.
    @discardableResult
    private static func ask(_ path: String) -> (any Error)? {
      let (answered, failure) = (DispatchSemaphore(value: 0), Locked<(any Error)?>(nil))
      URLSession.shared.dataTask(with: url(path.hasPrefix("/") ? path : "http://a.example/\(path)")) { _, _, error in
        failure.withLock { $0 = error }
        answered.signal()
      }.resume()
      answered.wait()
      return failure.withLock { $0 }
    }

    private static func expected(_ line: UInt, _ path: String, _ calls: CallCount) {
      stub(
        condition: isPath(path), response: .ok, calls: calls, fileID: "App/Users.swift", filePath: "/app/Users.swift",
        line: line)
    }

    /// What a test does. Its failures are in `Fixtures/failures.txt` under its name.
    private static let rows: KeyValuePairs<String, @Sendable () throws -> Void> = [
      "The report is at the nearest stub, once for two requests": {
        stubAtLine(12, isHost("a.example") && isPath("/users/42"))
        for number in [42, 43, 43] { ask("users/\(number)") }
      },
      "The report is at no place if there is no stub": { ask("") },
      "An unused stub": {
        stubAtLine(7, isHost("unused.example"))
        stubAtLine(8, isHost("a.example"))
        ask("")
      },
      "A request without a host": {
        stubAtLine(7, isPath("/users"))
        stubAtLine(8, isPath("/"))
        for path in ["users?page=2", "/"] { ask(path) }
      },
      "An unused stub of a test that is skipped": {
        stubAtLine(7, isHost("unused.example"))
        throw XCTSkip("To be told of no unused stub.")
      },
      "A surprising response beside another failure, each at its place": {
        stubAtLine(7, isPath("/json"), .json(text: "{'id': 42}"))
        ask("json")
        expectCalls(to: isPath("/users"))
      },
      "An inverted expectation, at its line": {
        let users = stubAtLine(7, isPath("/users"))
        let expectation = current?.expectation(forCallsTo: users)
        expectation?.isInverted = true
        ask("users")
        current?.wait(for: [expectation].compactMap { $0 }, timeout: 60)
      },
      "Unused stubs of setUp beside a failure, in one text": {
        stubAtLine(7, isPath("/me"), .status(401))
        for line in 8...10 as ClosedRange<UInt> { stubAtLine(line, isPath("/\(line)")) }
        ask("me")
        expectCalls(to: isPath("/posts"), .once)
      },
      "What a scope of its own misses": { withStubs { _ = ask("") } },
      "Throws the error of the request": { throw ask("1")! },
      "Throws the error of another request": {
        ask("1")
        throw ask("2")!
      },
      "Throws the error of the second such request": {
        ask("1")
        throw ask("1")!
      },
      "A call that the test leaves open, after one that it has answered": {
        let notes = stubAtLine(9, isPath("/notes"), .controlled)
        for isAnswered in [true, false] {
          let test = XCTestCase(name: "waiter") { _ in }
          let answered = DispatchSemaphore(value: 0)
          URLSession.shared.dataTask(with: url("http://a.example/notes")) { _, _, _ in answered.signal() }.resume()
          test.wait(for: [test.expectation(forCallsTo: notes, count: isAnswered ? 1 : 2)], timeout: 60)
          guard isAnswered else { continue }
          try XCTUnwrap(notes.lastCall).finish()
          answered.wait()
        }
      },
      "The next test": {
        stubAtLine(7, isPath("/users"))
        ask("users")
        expectCalls(to: isPath("/posts"), .once)
      },
      "Stubs whose calls: were not met, each at its own line": {
        expected(7, "/users", .once)
        expected(8, "/me", .once)
        expected(9, "/never", .never)
        for _ in 1...2 { ask("me") }
        withStubs { expected(10, "/posts", .twice) }
        withStubs { expected(11, "/ads", .never) }
      },
      "Expected calls, each at its own line": {
        expectCalls(to: isPath("/users"), .once)
        expectCalls(to: isPath("/users"))
        expectCalls(to: isPath("/users"), .never)
      },
    ]

    @Test("fails once for each unmatched request, unused stub and unmet expectation, at its place", .oneFramework)
    func failures() async throws {
      let expected = try sectionsOfFile("failures")
      for (name, body) in Self.rows {
        let failures = await Self.failures(of: body)
        #expect(failures.joined(separator: "\n") == expected[name], "\(name)")
      }
    }

    @Test("takes the failures of many threads at once", .startsProcess)
    func threads() async {
      await #expect(processExitsWith: .success) {
        await MainActor.run {
          // A list without a lock breaks only where two threads make room in it at once.
          for _ in 0..<100 {
            let test = StubbedTestCase(name: "inner") { _ in
              DispatchQueue.concurrentPerform(iterations: 2) { _ in for _ in 0..<2_000 { XCTFail("") } }
            }
            test.run()
            precondition(test.testRun?.hasSucceeded == false)
          }
        }
      }
    }

    @Test(
      "needn't be stubbed itself: an XCTestCase fails, too, if calls: of a stub in withStubs isn't met", .startsProcess)
    func expectedCallsOfScope() async {
      await #expect(processExitsWith: .success) {
        await MainActor.run {
          let test = XCTestCase(name: "inner") { _ in
            withStubs { _ = stub(condition: isPath("/users"), response: .ok, calls: .once) }
          }
          test.run()
          precondition(test.testRun?.totalFailureCount == 1)
        }
      }
    }

    @Test(
      "has no line on standard error for calls that did not come, unlike code outside of every test", .startsProcess)
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
  }
#endif
