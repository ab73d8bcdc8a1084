import Foundation

/// An error that says that a stub's calls did not arrive in time.
///
/// ```text
/// isPath("/events") (AppTests/AnalyticsTests.swift:12) received 1 of 2 expected calls within 5.0 seconds.
/// 1 request was made, closest first:
///   1. POST https://api.example.com/event: unmatched
///      ✗ path: expected /events, got /event
/// Fix the condition or the request, or wait longer with timeout:.
/// ```
public struct StubWaitError: StubKitError {
  /// The stub, with its name when the wait ended and its location.
  public let stub: StubReference
  /// The expected number of calls.
  public let expectedCount: Int
  /// The number of calls that had arrived when the wait ended. For ``Stub/waitForCompletions(_:timeout:)``, the
  /// number of those that were over.
  public let count: Int
  /// What was expected, what was made, and what to do about it.
  public let description: String

  /// - Parameter rest: What follows the numbers in the description.
  init(_ stub: Stub, _ expected: Int, _ milestone: CallCounts.Milestone, _ rest: String) {
    self.stub = stub.reference
    expectedCount = expected
    count = stub.count(of: milestone)
    let verb = milestone == .chosen ? "received" : "completed"
    description = "\(stub) \(verb) \(count) of \(expected) expected \(expected == 1 ? "call" : "calls")\(rest)"
  }

  /// Creates the error of a wait for a call that the test can't take yet.
  ///
  /// - Parameter sentence: Why, and what to do about it.
  init(_ stub: Stub, within timeout: Duration, because sentence: String) {
    self.stub = stub.reference
    count = stub.count(of: .chosen)
    expectedCount = count
    description = "\(stub) received no call within \(timeout) that nextCall() can return.\n\(sentence)"
  }

  /// Creates the error of a wait whose time is up.
  init(_ stub: Stub, _ expected: Int, _ milestone: CallCounts.Milestone, within timeout: Duration) {
    if let obstacle = stub.obstacle(to: expected, milestone) {
      self.init(stub, expected, milestone, obstacle)
      return
    }
    let cure =
      if milestone == .completed, stub.count(of: .chosen) >= expected {
        stub.wayToComplete
      } else if stub.journal?.made.entries.isEmpty ?? true {
        "Check that the request is made, and that it is made in the scope of the stub. Or wait longer with timeout:."
      } else {
        "Fix the condition or the request, or wait longer with timeout:."
      }
    // The list of requests of unknown origin has its own cure.
    let lines = [" within \(timeout)."] + stub.closestRequests() + (stub.hasOnlyStrays ? [] : [cure])
    self.init(stub, expected, milestone, lines.lines)
  }
}
