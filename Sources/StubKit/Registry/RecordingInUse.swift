import Foundation

/// Listens to the requests of a registry that go to the network, for example to record them.
package protocol NetworkTap: AnyObject, Sendable {
  /// Begins to listen to a request.
  ///
  /// - Parameter request: The request as a server receives it.
  func begin(_ request: URLRequest) -> any NetworkRecorder
}

/// What reports may show of the requests of a recording, during it and after its end.
package protocol ReportFilter: Sendable {
  /// Returns text of a report without what the recording replaces in what it writes.
  ///
  /// - Parameter criterion: The part of the request that has the text as its value, such as `header Accept`, or `nil`
  ///   for a text of any kind.
  func redacted(_ text: String, of criterion: String?) -> String
}

/// Learns what happens to one request on the network. A request that a response leads to has a recorder of its own.
///
/// Call it on any thread, in the order of events.
package protocol NetworkRecorder: AnyObject, Sendable {
  /// The request is sent with this body.
  func setRequestBody(_ body: Data)

  func headArrived(_ response: HTTPURLResponse)
  /// The response is a redirect that URLSession understands to lead here.
  func leads(to target: URL)
  /// A piece of the body has arrived.
  ///
  /// - Parameter asPiece: Whether the client receives the body in pieces.
  func pieceArrived(_ piece: Data, asPiece: Bool)

  /// The response is complete, or has broken off, or the client has cancelled the request. Only the first call counts.
  func end(error: (any Error)?)
}

/// A recording in use in a registry: its policy for unmatched requests, and what listens to those that go to the
/// network.
///
/// Recordings are nested, and the innermost one has all requests of the registry, or all that meet its condition.
package final class RecordingInUse: Sendable {
  /// The innermost frame of the current task.
  @TaskLocal package static var current: RecordingInUse?

  /// The condition of the requests that are recorded and played, or `nil` for all.
  let condition: RequestMatcher?
  let tap: (any NetworkTap)?
  /// What reports may show of the requests.
  let filter: (any ReportFilter)?
  /// The command after which unmatched requests have stubs, or `nil` if there is none.
  let remedy: String?
  /// Whether it is that of a whole test, whose tasks don't name it.
  let isOfTest: Bool
  /// The policy for requests that no stub matches, or `nil` for that of the registry.
  // Safe because it is touched only under the lock of the registry.
  nonisolated(unsafe) var unmatched: UnmatchedPolicy?

  package init(
    _ tap: (any NetworkTap)? = nil, where condition: RequestMatcher? = nil, filter: (any ReportFilter)? = nil,
    unmatched: UnmatchedPolicy? = nil, remedy: String? = nil, isOfTest: Bool = false
  ) {
    self.condition = condition
    self.tap = tap
    self.filter = filter
    self.unmatched = unmatched
    self.remedy = remedy
    self.isOfTest = isOfTest
  }

  /// Returns whether a request can belong to the recording, as far as its head tells. No closure runs.
  func canHave(_ facts: inout RequestFacts) -> Bool { condition?.canBe(true, &facts, readsBody: false) ?? true }

  /// Returns whether the frame can begin inside another one, and not beside it. It can if the code that begins it runs
  /// inside of the other one.
  func isInside(_ outer: RecordingInUse) -> Bool { outer === Self.current || outer.isOfTest && !isOfTest }
}

// A run of code with a recording, of a test or of a part of one.
//
// The recording ends in one place, after the scope of the outermost run is closed: the requests that are in flight fail
// then, and what their handlers say of that can fail the test. So can whatever follows a part.
extension TestVerdict {
  /// What a run has used, and why that replaces nothing although the test has not failed.
  package typealias Outcome = (use: (any ScopedUse)?, reason: String?)

  /// Runs the code, and returns the errors of what it has used.
  ///
  /// - Parameter registry: The registry of a scope around the code, or `nil` if it runs in the current one.
  package func run(
    in registry: StubRegistry?, isolation: isolated (any Actor)? = #isolation, _ body: () async -> Outcome
  ) async -> [any Error] {
    let isPart = self === Self.current
    var outcome: Outcome = (nil, nil)
    func judged() async {
      outcome = await Self.$current.withValue(self, operation: body)
      outcome.use?.stop()
    }
    func scoped() async {
      if let registry { await withStubs(in: registry) { await judged() } } else { await judged() }
    }
    if isPart { await scoped() } else { await RunningTest.watch(for: self) { await scoped() } }
    var errors: [any Error] = []
    let (uses, reason) = close(outcome, isPart)
    for use in uses { do { try await use.end(because: reason) } catch { errors.append(error) } }
    return errors
  }

  /// Runs synchronous code, and returns the errors of what it has used.
  package func run(in registry: StubRegistry?, _ body: () -> Outcome) -> [any Error] {
    let isPart = self === Self.current
    var outcome: Outcome = (nil, nil)
    func judged() {
      outcome = Self.$current.withValue(self, operation: body)
      outcome.use?.stop()
    }
    func scoped() { if let registry { withStubs(in: registry, judged) } else { judged() } }
    if isPart { scoped() } else { RunningTest.watch(for: self, scoped) }
    var errors: [any Error] = []
    let (uses, reason) = close(outcome, isPart)
    for use in uses { do { try use.end(because: reason) } catch { errors.append(error) } }
    return errors
  }

  /// Returns what ends here, and why it replaces nothing. What a part has used well ends with the outermost run.
  private func close(_ outcome: Outcome, _ isPart: Bool) -> (uses: [any ScopedUse], reason: String?) {
    let reason = hasFailed ? "its test failed" : outcome.reason
    let uses = [outcome.use].compactMap { $0 }
    guard isPart else { return (uses + takeAll(), reason) }
    return (reason == nil && uses.allSatisfy(leave) ? [] : uses, reason)
  }
}
