import Foundation
import StubKitTesting
import TestSupport
import Testing

@Suite("Expected calls", .inTurn)
struct ExpectedCallsTests {
  private static func place(_ line: Int) -> SourceLocation {
    SourceLocation(fileID: "App/Users.swift", filePath: "/app/Users.swift", line: line, column: 5)
  }

  private static func wait(_ count: String = "") -> String {
    "If it is still on its way, wait for it first: try await stub.waitForCalls(\(count)). If the code below makes it, verify "
      + "after that."
  }

  private static func issue(_ call: String, _ expectation: String, _ details: String, line: Int) -> ExpectedIssue {
    ExpectedIssue(
      "expectCalls(to: \(call)): expected \(expectation)\n  at App/Users.swift:\(line)\n\(details)",
      at: "App/Users.swift:\(line):5")
  }

  @Test(
    "that did not come are an issue each, at its own line, and the test goes on",
    .issues(
      issue(
        #"isPath("/users") (App/Users.swift:1)"#, "exactly 1 call, got 0", "No requests arrived.\n\(wait())", line: 2),
      issue(#"isPath("/users")"#, "at least 1 call, got 0", "No requests arrived.\n\(wait())", line: 3),
      issue(
        #"isPath("/users") (App/Users.swift:1)"#, "no call, got 1",
        "These requests were counted:\n  1. GET http://a.example/users: answered with 204", line: 5),
      issue(
        "!.anything", "exactly 2 calls, got 0",
        """
        1 request did arrive, nearest first:
          1. GET http://a.example/users: answered with 204
             ✗ condition: expected no request, got a request
        \(wait("2"))
        """, line: 6)), .stubbed)
  func issues() async throws {
    let users = stubAtLine(1, isPath("/users"))
    expectCalls(to: users, .once, at: .init(Self.place(2)))
    expectCalls(to: isPath("/users"), at: .init(Self.place(3)))
    _ = try await fetch("http://a.example/users")
    expectCalls(to: users, .once, at: .init(Self.place(4)))
    expectCalls(to: users, .never, at: .init(Self.place(5)))
    expectCalls(to: !.anything, 2, at: .init(Self.place(6)))
  }

  @Test("that came are no issue, in any registry", .issues(), .stubbed)
  func none() async throws {
    let users = stubAtLine(1, isPath("/users"))
    expectCalls(to: users, .never)
    for _ in 0..<2 { _ = try await fetch("http://a.example/users") }
    expectCalls(to: users, 2)
    expectCalls(to: isMethodGET() && isHost("a.example"))
    let outer = StubRegistry.current
    withStubs {
      expectCalls(to: .anything, .never)
      expectCalls(to: .anything, 2, in: outer)
    }
  }

  @Test("are an issue at the line of the call", .issues(ExpectedIssue(text, at: "\(#fileID):66:16")), .stubbed)
  func line() {
    expectCalls(to: isPath("/never"))
  }

  private static let text = """
    expectCalls(to: isPath("/never")): expected at least 1 call, got 0
      at \(#fileID):66
    No requests arrived.
    \(wait())
    """

  #if compiler(>=6.2)
    @Test("are written to standard error where no test is known, and nothing else happens")
    func outside() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        withStubs { expectCalls(to: isPath("/never"), .once) }
      }
      let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(
        said.contains(
          #"StubKit: outside of a test, expectCalls(to: isPath("/never")): expected exactly 1 call, got 0"#),
        "\(said)")
    }

    #if os(Linux)
      @Test("are a failure, and nothing on standard error, where XCTest runs a test")
      func inXCTest() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
          await MainActor.run {
            let test = StubbedTestCase(name: "inner") { _ in expectCalls(to: isPath("/never")) }
            test.run()
            precondition(test.testRun?.totalFailureCount == 1)
          }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!said.contains("outside of a test"), "\(said)")
      }
    #endif
  #endif
}
