import Foundation

extension Stub {
  /// Waits until the stub has been chosen for so many requests. They may still be in progress.
  ///
  /// ```swift
  /// let upload = stub(condition: isPath("/events"), response: .empty())
  /// analytics.track("launch")  // sends some time later, from a queue of its own
  /// let calls = try await upload.waitForCalls()
  /// #expect(calls[0].body == expected)
  /// ```
  ///
  /// Requests that came before count too. It never waits longer than it must: neither for a call that has come, nor for one that
  /// can't come because the stub is used up.
  ///
  /// - Parameters:
  ///   - count: How many requests, at least; for 0 it does not wait.
  ///   - timeout: How long to wait at most, in real time whatever the registry's clock is; five seconds by default.
  /// - Returns: All requests that the stub has been chosen for, oldest first: at least `count`, unless the journal was cleared or
  ///   its limit has dropped some. Those count, but they are gone.
  /// - Throws: ``StubWaitError`` when the time is up, or when the stub can't get so many calls; `CancellationError` as soon as the
  ///   task is cancelled.
  @discardableResult
  public func waitForCalls(_ count: Int = 1, timeout: Duration = .seconds(5)) async throws -> [RecordedRequest] {
    try await wait(for: count, .begun, timeout: timeout)
  }

  /// Waits until so many of the requests that the stub has been chosen for are over: answered, failed or cancelled.
  ///
  /// ```swift
  /// try await image.waitForCompletions(3)
  /// ```
  ///
  /// - Parameters:
  ///   - count: How many requests, at least; for 0 it does not wait.
  ///   - timeout: How long to wait at most, in real time whatever the registry's clock is; five seconds by default.
  /// - Returns: All of the stub's requests that are over, oldest first: at least `count`, unless the journal was cleared or its limit
  ///   has dropped some. Those count, but they are gone.
  /// - Throws: ``StubWaitError`` when the time is up, or when the stub can't get so many calls; `CancellationError` as soon as the
  ///   task is cancelled.
  @discardableResult
  public func waitForCompletions(_ count: Int = 1, timeout: Duration = .seconds(5)) async throws -> [RecordedRequest] {
    try await wait(for: count, .ended, timeout: timeout).filter { $0.outcome != .inProgress }
  }

  private func wait(for count: Int, _ milestone: StubCalls.Milestone, timeout: Duration) async throws
    -> [RecordedRequest]
  {
    require(count >= 0, "A number of calls to wait for is at least 0, and \(count) is not.")
    guard let journal else {
      // Whoever makes a request holds the registry: nothing can come any more.
      guard callCount >= count else { throw StubWaitError(self, count, milestone, came: callCount, .registryIsGone) }
      return []
    }
    if let limit, limit < count {
      throw StubWaitError(self, count, milestone, came: journal.count(of: milestone, of: calls), .limit(limit))
    }
    if try await !journal.wait(for: count, milestone, of: calls, timeout: timeout) {
      let came = journal.count(of: milestone, of: calls)
      // It may have come between the end of the time and now.
      guard came >= count else { throw StubWaitError(self, count, milestone, came: came, .timeout(timeout)) }
    }
    return requests
  }
}

/// The error of a wait for a stub's calls that did not come.
///
/// ```text
/// isPath("/events") (AppTests/AnalyticsTests.swift:12) got 1 of the 2 calls that were waited for within 5.0 seconds.
/// See what was requested instead with verify(stub), or wait longer with timeout:.
/// ```
public struct StubWaitError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// The stub: its name when the wait ended, and where it was written.
  public let stub: StubReference
  /// How many calls were waited for.
  public let expectedCount: Int
  /// How many had come when the wait ended, or were over for ``Stub/waitForCompletions(_:timeout:)``.
  public let count: Int
  /// What was waited for, what came, and the cure.
  public let description: String

  /// The description.
  public var errorDescription: String? { description }

  enum Reason {
    case timeout(Duration)
    case limit(Int)
    case registryIsGone
  }

  init(_ stub: Stub, _ expected: Int, _ milestone: StubCalls.Milestone, came count: Int, _ reason: Reason) {
    self.stub = stub.reference
    expectedCount = expected
    self.count = count
    let calls = expected == 1 ? "the 1 call" : "the \(expected) calls"
    let got = milestone == .begun ? "\(stub) got \(count) of \(calls)" : "\(stub) has completed \(count) of \(calls)"
    switch reason {
    case .timeout(let timeout):
      let cure =
        if !stub.isActive, milestone == .begun {
          "The stub is not registered any more, or used up (\(stub.usage)): wait before it is removed, or allow more calls."
        } else if milestone == .ended, stub.callCount >= expected {
          "\(stub.callCount) have begun: let what they wait for happen, say a gate or a clock, or wait longer with timeout:."
        } else {
          "See what was requested instead in the journal's entries, or with verify; or wait longer with timeout:."
        }
      description = "\(got) that were waited for within \(timeout).\n\(cure)"
    case .limit(let limit):
      description =
        "\(got) that were waited for, and it answers \(limit) at most.\nWait for fewer, or allow more calls."
    case .registryIsGone:
      description = "\(got) that were waited for, and its registry is gone.\nWait before the scope of the stub ends."
    }
  }
}
