import Foundation
import StubKit
import Testing
import XCTest

/// Expects that a stub has been chosen for a number of requests, and records an issue at this line if it has not.
///
/// Unlike `verify(_:called:)`, it throws no error. The test continues, so one run shows every expectation that fails.
///
/// ```swift
/// let login = stub(
///   .post, "https://api.example.com/login",
///   response: .json(["token": "t"]))
/// try await client.signIn()
/// expectCalls(to: login, .once)
/// expectCalls(to: isPath("/ads"), .never)
/// ```
///
/// In an XCTest test, it records a failure. In a detached task, in a handler or on a queue, no test is known to run.
/// The test that the scope belongs to then has the issue at its end. Without one, it prints to standard error.
///
/// A function of your own around it takes a source location, and passes it on as `at: .init(sourceLocation)`. In
/// XCTest, it takes a `file` and a `line` with the same defaults.
///
/// - Parameters:
///   - stub: The stub. It counts its calls itself, so requests that the journal has dropped still count.
///   - count: The expected number of calls. Defaults to at least one.
///   - location: The location of the issue in Swift Testing. Defaults to `nil`: that of the call. Omit the following
///     parameters.
///   - fileID: The source file.
///   - file: The path of the source file.
///   - line: The line.
///   - column: The column.
public func expectCalls(
  to stub: Stub, _ count: CallCount = .atLeast(1), at location: StubLocation? = nil, fileID: StaticString = #fileID,
  file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = location ?? StubLocation(fileID, file, line, column)
  VerificationError(.stub(stub), count, by: "expectCalls(to: \(stub))", at: location)?
    .record(file, line, in: stub.home)
}

/// Expects that a number of requests have met a condition, whichever stub answered them, and records an issue at this
/// line if they have not, or if that depends on something unknown. See `verify(_:called:in:)`.
///
/// ```swift
/// expectCalls(to: isMethod(.post) && isPath("/login"), .once)
/// ```
///
/// - Parameters:
///   - condition: The condition that a request must meet.
///   - count: The expected number of requests. Defaults to at least one.
///   - registry: The registry that received them. Defaults to `StubRegistry.current`.
///   - location: The location of the issue in Swift Testing. Defaults to `nil`: that of the call. Omit the following
///     parameters.
///   - fileID: The source file.
///   - file: The path of the source file.
///   - line: The line.
///   - column: The column.
public func expectCalls(
  to condition: RequestMatcher, _ count: CallCount = .atLeast(1), in registry: StubRegistry = .current,
  at location: StubLocation? = nil, fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let location = location ?? StubLocation(fileID, file, line, column)
  VerificationError(.condition(condition, in: registry), count, by: "expectCalls(to: \(condition))", at: location)?
    .record(file, line, in: registry)
}

/// Expects that a stub has been chosen for exactly this number of requests, which can be a variable, and records an
/// issue at this line if it has not.
///
/// ```swift
/// let accounts = ["ann", "bob"]
/// let login = stub(
///   .post, "https://api.example.com/login",
///   response: .json(["token": "t"]))
/// expectCalls(to: login, accounts.count)
/// ```
///
/// - Parameters:
///   - stub: The stub. It counts its calls itself, so requests that the journal has dropped still count.
///   - count: The expected number of calls.
///   - location: The location of the issue in Swift Testing. Defaults to `nil`: that of the call. Omit the following
///     parameters.
///   - fileID: The source file.
///   - file: The path of the source file.
///   - line: The line.
///   - column: The column.
public func expectCalls(
  to stub: Stub, _ count: Int, at location: StubLocation? = nil, fileID: StaticString = #fileID,
  file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  expectCalls(to: stub, .exactly(count), at: location, fileID: fileID, file: file, line: line, column: column)
}

/// Expects that exactly this number of requests, which can be a variable, have met a condition, and records an issue
/// at this line if they have not.
///
/// ```swift
/// let pages = [1, 2, 3]
/// expectCalls(to: isPath("/pages"), pages.count)
/// ```
///
/// - Parameters:
///   - condition: The condition that a request must meet.
///   - count: The expected number of requests.
///   - registry: The registry that received them. Defaults to `StubRegistry.current`.
///   - location: The location of the issue in Swift Testing. Defaults to `nil`: that of the call. Omit the following
///     parameters.
///   - fileID: The source file.
///   - file: The path of the source file.
///   - line: The line.
///   - column: The column.
public func expectCalls(
  to condition: RequestMatcher, _ count: Int, in registry: StubRegistry = .current,
  at location: StubLocation? = nil, fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  expectCalls(
    to: condition, .exactly(count), in: registry, at: location, fileID: fileID, file: file, line: line, column: column)
}

/// Expects requests in an order, and records an issue at this line if they came in another one. Other requests can come
/// before, between and after them.
///
/// ```swift
/// expectCalls(inOrder: login, isPath("/items"), upload)
/// ```
///
/// Each stub or condition takes the first request after the one that the previous one took. See `verifyInOrder`.
///
/// - Parameters:
///   - steps: The stubs that the requests are answered by, or the conditions that they meet, one after another.
///   - registry: The registry that received them. Defaults to `StubRegistry.current`.
///   - location: The location of the issue in Swift Testing. Defaults to `nil`: that of the call. Omit the following
///     parameters.
///   - fileID: The source file.
///   - file: The path of the source file.
///   - line: The line.
///   - column: The column.
public func expectCalls(
  inOrder steps: any RequestStep..., in registry: StubRegistry = .current, at location: StubLocation? = nil,
  fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = location ?? StubLocation(fileID, file, line, column)
  VerificationError(order: steps, in: registry, by: "expectCalls(inOrder:)", at: location)?
    .record(file, line, in: registry)
}

extension VerificationError {
  fileprivate func record(_ file: StaticString, _ line: UInt, in registry: StubRegistry?) {
    recordIssue(description, at: location, file, line, in: registry)
  }
}

/// Records what an expectation finds, in the test that runs here, or in the one that the registry belongs to.
package func recordIssue(
  _ description: String, at location: StubLocation, _ file: StaticString, _ line: UInt, in registry: StubRegistry?
) {
  if TestsOfSwiftTesting.record(description, at: location, isWarning: false) { return }
  // Xcode's XCTest evaluates the message without a test, too, so only its observers know what was recorded.
  let sentence = String(description.prefix { !$0.isNewline })
  guard !FailureWatch.sees(sentence, { XCTAssert(false, description, file: file, line: line) }) else { return }
  // A handler or a detached task runs in no test, but its scope can belong to one, which is told at its end.
  if registry?.testReport?.add(description, at: location) == true { return }
  RunningTest.tell("outside of a test, \(description)")
}
