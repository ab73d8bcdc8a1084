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
/// Recordings are nested, and the innermost one has all requests of the registry.
package final class RecordingInUse: Sendable {
  /// The innermost frame of the current task.
  @TaskLocal package static var current: RecordingInUse?

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
    _ tap: (any NetworkTap)? = nil, filter: (any ReportFilter)? = nil, unmatched: UnmatchedPolicy? = nil,
    remedy: String? = nil, isOfTest: Bool = false
  ) {
    self.tap = tap
    self.filter = filter
    self.unmatched = unmatched
    self.remedy = remedy
    self.isOfTest = isOfTest
  }

  /// Returns whether the frame can begin inside another one, and not beside it. It can if the code that begins it runs
  /// inside of the other one.
  func isInside(_ outer: RecordingInUse) -> Bool { outer === Self.current || outer.isOfTest && !isOfTest }
}

/// Something that code uses in a registry, such as a recording, from before its first line until after its scope.
package protocol ScopedUse: Sendable {
  /// The code has returned. What is still in flight isn't part of the use.
  func stop()

  /// Ends the use, and keeps what has come of it. This can block the thread.
  ///
  /// - Parameter reason: Why it replaces nothing that was there before, as the end of a sentence, or `nil`.
  func end(because reason: String?) throws
  func end(because reason: String?) async throws
}

/// A run of code with a recording, of a test or of a part of one.
///
/// The use ends in one place, after the scope is closed: the requests that are in flight fail then, and what their
/// handlers say of that can fail the test.
package final class ScopedRun: Sendable {
  package let verdict: TestVerdict
  private let state = Protected<(use: (any ScopedUse)?, reason: String?)>((nil, nil))

  /// - Parameter verdict: The verdict on the test. Defaults to that of the current task, or else a new one.
  package init(_ verdict: TestVerdict? = nil) { self.verdict = verdict ?? .current ?? TestVerdict() }

  package func begin(_ use: any ScopedUse) { state.withLock { $0.use = use } }

  /// Notes that the code has not ended as it should, although its test has not failed.
  package func hold(because reason: String) { state.withLock { $0.reason = reason } }

  /// Runs the code, and throws the error of the use.
  ///
  /// - Parameter registry: The registry of a scope around the code, or `nil` if it runs in the current one.
  package func callAsFunction(
    in registry: StubRegistry?, isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void
  ) async throws {
    func judged() async {
      await TestVerdict.$current.withValue(verdict, operation: body)
      use?.stop()
    }
    func scoped() async {
      if let registry { await withStubs(registry: registry) { await judged() } } else { await judged() }
    }
    if isWatched { await scoped() } else { await RunningTest.watch(for: verdict) { await scoped() } }
    try await use?.end(because: reason)
  }

  /// Runs synchronous code, and throws the error of the use.
  package func callAsFunction(in registry: StubRegistry?, _ body: () -> Void) throws {
    func judged() {
      TestVerdict.$current.withValue(verdict, operation: body)
      use?.stop()
    }
    func scoped() { if let registry { withStubs(registry: registry, judged) } else { judged() } }
    if isWatched { scoped() } else { RunningTest.watch(for: verdict, scoped) }
    try use?.end(because: reason)
  }

  private var isWatched: Bool { verdict === TestVerdict.current }
  private var use: (any ScopedUse)? { state.withLock { $0.use } }
  private var reason: String? { verdict.hasFailed ? "its test failed" : state.withLock { $0.reason } }
}
