import Foundation

/// The requests of one test that fail because no stub matches them, for a test framework to report.
///
/// The journal can't serve for this. Its limit drops entries, a test can clear it, and requests that a test leaves
/// behind still enter it.
package final class TestReport: Sendable {
  /// The requests with one method, URL and report.
  package struct Miss: Sendable {
    /// The error of the first request.
    package let error: UnmatchedRequestError
    /// The number of requests, at least 1.
    package fileprivate(set) var count = 1
    /// The number of further requests with the method and the URL, after the last of the reports that are kept of them.
    package fileprivate(set) var otherCount = 0
    /// The identifier of the newest stub of the process when the first request failed.
    let newestStub: UInt64

    /// Returns whether a text contains the whole report, or lists the request with what differs from its nearest stub,
    /// as a verification does. `nil` if it does neither.
    package func isWhole(in text: String) -> Bool? {
      if text.contains(error.description) { return true }
      guard text.contains("\(error.request.shortSummary): unmatched"), let nearest = error.nearest.first,
        !nearest.mismatches.isEmpty, nearest.mismatches.allSatisfy({ text.contains("✗ \($0)") })
      else { return nil }
      return false
    }
  }

  /// Something wrong in the test's own code: what it is, and what to write instead.
  package typealias Mistake = (sentence: String, location: StubLocation?)

  private struct State {
    /// When the test ended, or `nil` while it runs.
    var end: Date?
    var misses: [Miss] = []
    var positions: [String: [Int]] = [:]
    var mistakes: [Mistake] = []
    var missCount = 0
    /// The kinds of which one was told before the end.
    var told: Set<Kind> = []
  }

  /// What the end of a test tells.
  enum Kind { case miss, mistake, call }

  /// The largest number of misses, and of mistakes, that are kept: a client may never give up.
  private static let limit = 100
  private let state = Protected(State())
  /// The largest number of reports about one method and URL. A report can contain a value that always differs.
  static let mostReports = 5
  /// The name of the test, for reports about other tests.
  let test: String?
  /// A Boolean value that indicates whether no other test runs meanwhile, so that a request that names no scope is the
  /// test's if no other scope is open.
  let runsAlone: Bool
  /// What every request of the test must meet, or `nil`.
  package let everyRequest: EveryRequest?
  /// How long a finding waits for the end of the test, in real time.
  private let patience: Duration
  /// Where lines about the test go that no task of the test writes.
  let sink = RunningTest.sink

  /// - Parameters:
  ///   - test: The name of the test.
  ///   - runsAlone: Whether no other test runs meanwhile.
  ///   - everyRequest: What every request of the test must meet.
  ///   - patience: How long a finding waits for the end of the test before it is told, in real time.
  package init(
    of test: String? = nil, runsAlone: Bool = false, everyRequest: RequestMatcher? = nil,
    patience: Duration = .seconds(5)
  ) {
    self.everyRequest = everyRequest.map(EveryRequest.init)
    self.test = test
    self.runsAlone = runsAlone
    self.patience = patience
  }

  /// A Boolean value that indicates whether the test is not over.
  var isOpen: Bool { end == nil }

  /// When the test ended, or `nil` while it runs.
  var end: Date? { state.withLock { $0.end } }

  /// Records a request that certainly belongs to the test, before it fails. Returns `false` if the test is over.
  func add(_ error: UnmatchedRequestError) -> Bool {
    let count: Int? = state.withLock { state in
      guard state.end == nil else { return nil }
      state.missCount += 1
      let request = "\(error.request.httpMethod ?? "GET") \(error.request.url?.absoluteString ?? "")"
      let known = state.positions[request, default: []]
      if let position = known.first(where: { state.misses[$0].error.description == error.description }) {
        state.misses[position].count += 1
      } else if known.count >= Self.mostReports {
        state.misses[known[known.count - 1]].otherCount += 1
      } else if state.misses.count < Self.limit {
        state.positions[request] = known + [state.misses.count]
        state.misses.append(Miss(error: error, newestStub: Stub.newestID))
      }
      return state.missCount
    }
    if count == 1 || count == Self.limit {
      tellEarly(.miss, after: count == 1 ? patience : .zero) { [weak self] in
        self?.state.withLock { $0.misses.first }?.error.description
      }
    }
    return count != nil
  }

  /// Tells a finding on standard error before the end of the test, which may never come, once for each kind.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for the end, in real time, or `nil` for as long as usual.
  ///   - finding: A closure that returns the finding, or `nil` if there is none any more.
  func tellEarly(_ kind: Kind, after patience: Duration? = nil, _ finding: @escaping @Sendable () -> String?) {
    _ = PatienceTimer(patience ?? self.patience) { [weak self] in
      guard let self, isOpen, let finding = finding(), state.withLock({ $0.told.insert(kind).inserted }) else { return }
      let line = "\(test ?? "A test") is still running. At its end, it will report this: \(finding)"
      RunningTest.$sink.withValue(sink) { RequestWarnings.write(line) }
    }
  }

  /// Records a mistake, once for all of the same text and place. Returns `false` if the test is over.
  @discardableResult
  package func add(_ sentence: String, at location: StubLocation?) -> Bool {
    let (isOpen, isFirst) = state.withLock { state in
      let isKnown = state.mistakes.count >= Self.limit || state.mistakes.contains { $0 == (sentence, location) }
      if state.end == nil, !isKnown { state.mistakes.append((sentence, location)) }
      return (state.end == nil, state.end == nil && !isKnown && state.mistakes.count == 1)
    }
    if isFirst { tellEarly(.mistake) { sentence } }
    return isOpen
  }

  /// A sentence about the misses beyond the limit, or `nil` if there are none.
  package var omission: String? {
    let (count, kept) = state.withLock { ($0.missCount, $0.misses.reduce(0) { $0 + $1.count + $1.otherCount }) }
    return count == kept ? nil : "\(count - kept) more requests failed without a stub. Their reports were not kept."
  }

  /// The mistakes, in order.
  package var mistakes: [Mistake] { state.withLock { $0.mistakes } }

  /// Accepts no more requests, and returns those that failed, ordered by the first request of each.
  package func finish() -> [Miss] {
    state.withLock { state in
      state.end = Date()
      return state.misses
    }
  }
}

extension StubRegistry {
  /// Returns a stub that matches a request, and was registered after the request had failed. This runs no closure.
  package func latecomer(to miss: TestReport.Miss) -> Stub? {
    // A body in a stream or a file isn't in the request.
    let body: RequestBody? = miss.error.request.httpBody == nil ? .unread() : nil
    var facts = RequestFacts(IncomingRequest(miss.error.request, body: body))
    return stubs.first { $0.id > miss.newestStub && $0.condition.certainlyMatches(&facts) }
  }
}
