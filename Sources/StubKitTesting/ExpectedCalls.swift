import Foundation
import StubKit
import Testing
import XCTest

/// Expects that a stub has been chosen for so many requests, and records an issue at this line if it has not.
///
/// Unlike `verify(_:called:)` it throws nothing: the test goes on, so one run shows every expectation that fails.
///
/// ```swift
/// let login = stub(condition: isPath("/login"), response: .json(["token": "t"]))
/// try await client.signIn()
/// expectCalls(to: login, .once)
/// expectCalls(to: isPath("/ads"), .never)
/// ```
///
/// In an XCTest test it records a failure. Where no test is known to run, as in a detached task or on a dispatch queue, it writes to
/// standard error and does nothing else.
///
/// A helper around it declares `sourceLocation: SourceLocation = #_sourceLocation` and forwards it; for XCTest it forwards `file` and `line`.
///
/// - Parameters:
///   - stub: The stub, which counts its calls itself: what the journal has dropped still counts.
///   - count: How often it must have been chosen. Defaults to at least once.
///   - sourceLocation: Where Swift Testing shows the issue. Defaults to this line.
///   - file: Where XCTest shows the failure. Defaults to this file.
///   - line: The line that goes with `file`.
public func expectCalls(
  to stub: Stub, _ count: CallCount = .atLeast(1), sourceLocation: SourceLocation = #_sourceLocation,
  file: StaticString = #filePath, line: UInt = #line
) {
  let error = VerificationError(
    ofCallsTo: stub, count, by: "expectCalls(to: \(stub))", at: StubLocation(sourceLocation))
  error?.record(at: sourceLocation, file, line)
}

/// Expects that so many requests have met a condition, whichever stub answered them, and records an issue at this line if they have not.
///
/// ```swift
/// expectCalls(to: isMethodPOST() && isPath("/login"), .once)
/// ```
///
/// - Parameters:
///   - condition: What a request must meet.
///   - count: How many must have. Defaults to at least one.
///   - registry: Where they were made. Defaults to `StubRegistry.current`.
///   - sourceLocation: Where Swift Testing shows the issue. Defaults to this line.
///   - file: Where XCTest shows the failure. Defaults to this file.
///   - line: The line that goes with `file`.
public func expectCalls(
  to condition: RequestMatcher, _ count: CallCount = .atLeast(1), in registry: StubRegistry = .current,
  sourceLocation: SourceLocation = #_sourceLocation, file: StaticString = #filePath, line: UInt = #line
) {
  let error = VerificationError(
    ofCallsTo: condition, count, in: registry, by: "expectCalls(to: \(condition))", at: StubLocation(sourceLocation))
  error?.record(at: sourceLocation, file, line)
}

extension VerificationError {
  fileprivate func record(at sourceLocation: SourceLocation, _ file: StaticString, _ line: UInt) {
    guard Test.current == nil else {
      Issue.record(Comment(rawValue: description), sourceLocation: sourceLocation)
      return
    }
    guard !recordInXCTest(file, line) else { return }
    FileHandle.standardError.write(Data("StubKit: outside of a test, \(description)\n".utf8))
  }

  /// False where XCTest runs no test: then it does not ask for a message.
  private func recordInXCTest(_ file: StaticString, _ line: UInt) -> Bool {
    var isRecorded = false
    func message() -> String {
      isRecorded = true
      return description
    }
    XCTAssert(false, message(), file: file, line: line)
    return isRecorded
  }
}
