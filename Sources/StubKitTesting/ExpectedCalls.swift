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
/// A function of your own around it takes the parameters from `fileID` on with the same defaults, and passes them on. In
/// Swift Testing, it can take a source location instead.
///
/// - Parameters:
///   - stub: The stub. It counts its calls itself, so requests that the journal has dropped still count.
///   - count: The expected number of calls. Defaults to at least one.
///   - fileID: The source file of the issue. Omit this and the following parameters.
///   - file: The path of the source file.
///   - line: The line of the issue.
///   - column: The column of the issue.
public func expectCalls(
  to stub: Stub, _ count: CallCount = .atLeast(1), fileID: StaticString = #fileID, file: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  expectCalls(
    to: stub, count, sourceLocation: SourceLocation(fileID, file, line, column), file: file, line: line)
}

/// Expects that a stub has been chosen for a number of requests, and records an issue at a source location if it has
/// not.
///
/// ```swift
/// func expectOneLogin(
///   _ login: Stub, sourceLocation: SourceLocation = #_sourceLocation
/// ) {
///   expectCalls(to: login, .once, sourceLocation: sourceLocation)
/// }
/// ```
///
/// - Parameters:
///   - stub: The stub.
///   - count: The expected number of calls. Defaults to at least one.
///   - sourceLocation: The location of the issue in Swift Testing.
///   - file: The file of the failure in XCTest. Defaults to this file.
///   - line: The line of the failure in XCTest. Defaults to this line.
public func expectCalls(
  to stub: Stub, _ count: CallCount = .atLeast(1), sourceLocation: SourceLocation,
  file: StaticString = #filePath, line: UInt = #line
) {
  let error = VerificationError(
    ofCallsTo: stub, count, by: "expectCalls(to: \(stub))", at: StubLocation(sourceLocation))
  error?.record(at: sourceLocation, file, line)
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
///   - fileID: The source file of the issue. Omit this and the following parameters.
///   - file: The path of the source file.
///   - line: The line of the issue.
///   - column: The column of the issue.
public func expectCalls(
  to condition: RequestMatcher, _ count: CallCount = .atLeast(1), in registry: StubRegistry = .current,
  fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  expectCalls(
    to: condition, count, in: registry, sourceLocation: SourceLocation(fileID, file, line, column), file: file,
    line: line)
}

/// Expects that a number of requests have met a condition, and records an issue at a source location if they have not.
///
/// ```swift
/// func expectNoAds(sourceLocation: SourceLocation = #_sourceLocation) {
///   expectCalls(
///     to: isHost("ads.example.com"), .never,
///     sourceLocation: sourceLocation)
/// }
/// ```
///
/// - Parameters:
///   - condition: The condition that a request must meet.
///   - count: The expected number of requests. Defaults to at least one.
///   - registry: The registry that received them. Defaults to `StubRegistry.current`.
///   - sourceLocation: The location of the issue in Swift Testing.
///   - file: The file of the failure in XCTest. Defaults to this file.
///   - line: The line of the failure in XCTest. Defaults to this line.
public func expectCalls(
  to condition: RequestMatcher, _ count: CallCount = .atLeast(1), in registry: StubRegistry = .current,
  sourceLocation: SourceLocation, file: StaticString = #filePath, line: UInt = #line
) {
  let error = VerificationError(
    ofCallsTo: condition, count, in: registry, by: "expectCalls(to: \(condition))", at: StubLocation(sourceLocation))
  error?.record(at: sourceLocation, file, line)
}

extension SourceLocation {
  fileprivate init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.init(fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
  }
}

extension VerificationError {
  fileprivate func record(at sourceLocation: SourceLocation, _ file: StaticString, _ line: UInt) {
    guard Test.current == nil else {
      Issue.record(Comment(rawValue: description), sourceLocation: sourceLocation)
      return
    }
    // Xcode's XCTest evaluates the message without a test, too, so only its observers know what was recorded.
    let sentence = String(description.prefix { !$0.isNewline })
    guard !FailureWatch.sees(sentence, { XCTAssert(false, description, file: file, line: line) }) else { return }
    FileHandle.standardError.write(Data("StubKit: outside of a test, \(description)\n".utf8))
  }
}
