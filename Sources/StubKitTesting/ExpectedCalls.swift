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
///   condition: isPath("/login"),
///   response: .json(["token": "t"]))
/// try await client.signIn()
/// expectCalls(to: login, .once)
/// expectCalls(to: isPath("/ads"), .never)
/// ```
///
/// In an XCTest test, it records a failure. If no test is known to run, for example in a detached task or on a
/// dispatch queue, it only prints to standard error.
///
/// A function of your own around it takes a source location, and passes it on as `at: .init(sourceLocation)`. In XCTest, it
/// takes a `file` and a `line` with the same defaults.
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
  VerificationError(ofCallsTo: stub.condition, count, of: stub, by: "expectCalls(to: \(stub))", at: location)?
    .record(file, line)
}

/// Expects that a number of requests have met a condition, whichever stub answered them, and records an issue at this
/// line if they have not.
///
/// ```swift
/// expectCalls(to: isMethodPOST() && isPath("/login"), .once)
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
  let call = "expectCalls(to: \(condition))"
  VerificationError(ofCallsTo: condition, count, in: registry, by: call, at: location)?.record(file, line)
}

extension VerificationError {
  fileprivate func record(_ file: StaticString, _ line: UInt) {
    if let test = Test.current {
      let place = SourceLocation(location) ?? test.sourceLocation
      return _ = Issue.record(Comment(rawValue: description), sourceLocation: place)
    }
    // Xcode's XCTest evaluates the message without a test, too, so only its observers know what was recorded.
    let sentence = String(description.prefix { !$0.isNewline })
    guard !FailureWatch.sees(sentence, { XCTAssert(false, description, file: file, line: line) }) else { return }
    FileHandle.standardError.write(Data("StubKit: outside of a test, \(description)\n".utf8))
  }
}
