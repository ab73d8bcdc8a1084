import Foundation

/// A registry keeps stubs and answers requests with them. It has a policy for unmatched requests, a clock, network
/// conditions and a journal.
///
/// `stub` registers in ``current``. Most tests never name a registry: they use the global one, or one that
/// ``withStubs(in:isolation:_:)`` creates for a piece of code.
public final class StubRegistry: Sendable, CustomStringConvertible {
  /// The registry for requests outside of every scope. It is not enabled until you register its first stub or set
  /// ``isEnabled``.
  public static let global = StubRegistry(isEnabled: nil)

  @TaskLocal static var local: StubRegistry?

  /// The registry of the current task, as set by ``withStubs(in:isolation:_:)``, or else the global one.
  public static var current: StubRegistry { local ?? global }

  /// The journal of the registry's requests.
  public let journal: RequestJournal

  var inFlight: RequestsInFlight { journal.inFlight }
  /// What the `calls:` of stubs expects, by their identifiers.
  let expectedCalls = Protected<[UInt64: ExpectedCalls]>([:])
  private let state: Protected<State>

  private struct State: ~Copyable {
    var index: StubIndex
    var listeners = RequestListeners()
    /// `nil` until the global registry is used for the first time.
    var isEnabled: Bool?
    var hadStubs = false
    /// A Boolean value that indicates whether the user has set `isEnabled`.
    var isEnabledByChoice = false
    var unmatched = UnmatchedPolicy.fail
    var loopback = UnscopedPolicy.passThrough
    var clock: any StubClock = .real
    var timeline: any Timeline = RealTimeline.shared
    var network: NetworkConditions?
    var httpVersion = StubResponse.HTTPVersion.http1
    /// The classes that mark sessions with the registry, created on first use.
    var marks: [String: AnyClass] = [:]
    /// The names of the classes that stand before StubKit's in the sessions that were created here.
    var earlierLoaders: [String] = []
    /// The unmatched requests, or `nil` if no test reports them.
    var testReport: TestReport?
    /// The recordings in use, innermost last.
    var recordings: [RecordingInUse] = []
    /// The innermost recording that has all requests.
    var wholeRecording: RecordingInUse? { recordings.last { $0.condition == nil } }
    /// What happens to a request that no stub matches, recordings included.
    var policy: UnmatchedPolicy.Kind {
      var policy = unmatched.kind
      for recording in recordings {
        if let condition = recording.condition {
          if let own = recording.unmatched { policy = .recording(condition, own.kind, others: policy) }
        } else {
          policy = (recording.unmatched ?? unmatched).kind
        }
      }
      return policy
    }
    /// What reports may show, for each recording so far: the end of a test tells of requests whose recording is over.
    var filters: [any ReportFilter] = []
    /// What reports say about some stubs, by the stubs' identifiers.
    var annotations: [UInt64: StubAnnotation] = [:]
    /// Retired stubs that were never used. `unusedStubs` includes them.
    var unusedBefore: [Stub] = []

    var isOffline: Bool { network?.isOffline == true && network?.mistake == nil }
  }

  /// Creates a registry that is enabled. While it has no stubs, all of its requests are unmatched.
  public convenience init() { self.init(isEnabled: true) }

  init(isEnabled: Bool?, indexLimits: StubIndex.Limits = .init()) {
    state = Protected(State(index: StubIndex(indexLimits), isEnabled: isEnabled))
    journal = RequestJournal(RequestsInFlight(isForEver: isEnabled == nil))
    if isEnabled == true { SessionInstallation.activateScopes() }
  }

  deinit {
    // Calls that nobody takes any more.
    inFlight.table.discard { $0.takeAll() }
  }

  /// The stubs, oldest first, including those whose uses are spent.
  public var stubs: [Stub] { state.withLock { $0.index.stubs } }

  /// The number of stubs, and each stub with the number of its calls, on a line of its own.
  ///
  /// ```swift
  /// print(StubRegistry.current)
  /// // 1 stub
  /// //   "login" (AppTests/LoginTests.swift:9): 2 calls
  /// ```
  public var description: String { stubs.linesWithCalls }

  /// Forgets the requests and the calls of all stubs. See ``HTTPStubs/forgetRequests()``.
  func forgetRequests() { journal.clear(forgettingCalls: true) }

  /// A Boolean value that indicates whether a stub was ever registered here.
  var hadStubs: Bool { state.withLock { $0.hadStubs } }

  /// Removes all stubs, of which none is reported as unused. The registry stays enabled: later requests are unmatched.
  public func removeAll() {
    judgeCallsOfAll()
    var removed: [Stub] = []
    state.discard { state in
      removed = state.index.stubs
      return state.index.removeAll()
    }
    state.discard { state in removed.map { state.annotations.removeValue(forKey: $0.id) } }
    withListeners { $0.removeAllOfStubs() }
    for stub in removed { stub.noteRemoval() }
  }

  /// Removes stubs whose time is over, and remembers those that answered no request.
  package func retire(_ stubs: [Stub]) {
    let judged = stubsWithExpectedCalls
    let unused = stubs.filter { remove($0, keepsAnnotation: !$0.wasUsed) && !$0.wasUsed && !judged.contains($0.id) }
    state.discard { state in
      state.unusedBefore += unused
      let dropped = state.unusedBefore.prefix(max(0, state.unusedBefore.count - Self.mostUnusedBefore))
      state.unusedBefore.removeFirst(dropped.count)
      let annotations = dropped.map { state.annotations.removeValue(forKey: $0.id) }
      return (dropped, annotations)
    }
  }

  /// The largest number of retired stubs that are remembered, because a registry can live for ever.
  private static let mostUnusedBefore = 1_000

  /// The stubs that answered no request, oldest first, including those that were retired.
  ///
  /// Waits until the stub of each request that was resumed is known. A stub that could still be chosen for one that
  /// takes longer, or for a stray, isn't among them.
  package var unusedStubs: [Stub] {
    let look = LookBack(at: self, for: .ofStubs)
    let judged = stubsWithExpectedCalls
    return allStubs.filter {
      !judged.contains($0.id) && !$0.isMistaken && !$0.wasUsed && FoundCalls(.stub($0), in: look).mostHere == 0
    }
  }

  /// The stubs that answered some requests, and whose later responses no request got, oldest first: how many responses
  /// requests got, and the others. Of a recording, the recorder tells.
  package var halfUsedStubs: [(stub: Stub, usedCount: Int, rest: ArraySlice<StubResponse>)] {
    let look = LookBack(at: self, for: .ofStubs)
    let (judged, annotations) = (stubsWithExpectedCalls, annotations)
    return stubs.compactMap { stub in
      let used = stub.totalCount
      guard case .sequence(let responses, _) = stub.responder, 0 < used, used < responses.count,
        annotations[stub.id] == nil, !judged.contains(stub.id), FoundCalls(.stub(stub), in: look).isWhole
      else { return nil }
      return (stub, used, responses[used...])
    }
  }

  /// The stubs, oldest first, after those that were retired unused.
  var allStubs: [Stub] { state.withLock { $0.unusedBefore + $0.index.stubs } }

  /// A Boolean value that indicates whether the registry is enabled. While it is `false`, requests go out as if
  /// StubKit didn't exist.
  ///
  /// Defaults to `true`. The first stub of the global registry enables it. Once you have set this property, no stub
  /// changes it. Disabling the global registry takes its stubs away, and doesn't open the network to requests that
  /// belong to no scope: see ``HTTPStubs/unscoped``.
  public var isEnabled: Bool {
    get { state.withLock { $0.isEnabled ?? false } }
    set {
      if newValue {
        if self === StubRegistry.global { SessionInstallation.activate() } else { SessionInstallation.activateScopes() }
      }
      state.withLock {
        $0.isEnabled = newValue
        $0.isEnabledByChoice = true
      }
    }
  }

  /// A Boolean value that indicates whether the user has set `isEnabled`.
  var isEnabledByChoice: Bool { state.withLock { $0.isEnabledByChoice } }

  /// The policy for requests that no stub matches. Defaults to ``UnmatchedPolicy/fail``.
  ///
  /// In code with a recording, the property is the policy of that recording, and your policy counts again after it. A
  /// recording with `where:` has a policy for its own requests only, and the property counts for all others.
  public var unmatched: UnmatchedPolicy {
    get { state.withLock { $0.wholeRecording?.unmatched ?? $0.unmatched } }
    set {
      // The values that the old policy's closure has are released outside the lock, as in `removeAll()`.
      var policy: UnmatchedPolicy? = newValue
      state.withLock { state in
        if let recording = state.wholeRecording {
          swap(&recording.unmatched, &policy)
        } else {
          (state.unmatched, policy) = (newValue, state.unmatched)
        }
      }
      if let mistake = newValue.mistake { raise(mistake) }
    }
  }

  /// What happens to unscoped requests to this machine that no stub here matches, while a scope with this registry is
  /// open. Defaults to ``UnscopedPolicy/passThrough``.
  public var loopback: UnscopedPolicy {
    get { state.withLock { $0.loopback } }
    set { state.withLock { $0.loopback = newValue } }
  }

  /// The policy for unmatched requests, and those of the recordings in use.
  package var policy: UnmatchedPolicy.Kind { state.withLock { $0.policy } }

  private var recordings: [RecordingInUse] { state.withLock { $0.recordings } }

  /// Begins a recording inside of the others. Returns `false` if it would be beside one, so that a request could
  /// belong to either.
  package func begin(_ recording: RecordingInUse) -> Bool {
    state.withLock { state in
      if let innermost = state.recordings.last, !recording.isInside(innermost) { return false }
      state.recordings.append(recording)
      if let filter = recording.filter { state.filters.append(filter) }
      return true
    }
  }

  package func end(_ recording: RecordingInUse) { state.withLock { $0.recordings.removeAll { $0 === recording } } }

  /// Listens to requests that are made here and go to the network, if it isn't `nil`.
  package var tap: (any NetworkTap)? { recordings.last?.tap }

  /// Returns what listens to a request that goes to the network, or `nil` if no recording can have it. Whether the
  /// innermost one that can has it, is known once its condition has seen the whole request.
  func tap(for incoming: IncomingRequest) -> (any NetworkTap)? {
    var facts = RequestFacts(incoming)
    return recordings.last { $0.canHave(&facts) }?.tap
  }

  /// Returns what listens to a request that has gone to the network, for one that an inner recording doesn't have.
  package func tap(forEnded request: URLRequest) -> (any NetworkTap)? { tap(for: IncomingRequest(request)) }

  /// What reports may show of the requests.
  var filters: [any ReportFilter] { state.withLock { $0.filters } }

  /// Returns text of a report as it may be shown: without what recordings here replace in what they write.
  package func shown(_ text: String, of criterion: String? = nil) -> String {
    filters.reduce(text) { $1.redacted($0, of: criterion) }
  }

  /// Returns a mismatch for a report. It has each value as it is, because the value that differs is what a reader looks
  /// for. Only a recorder takes out what it mustn't show.
  func shown(_ mismatch: RequestMatcher.Mismatch) -> RequestMatcher.Mismatch {
    guard !mismatch.isState, let actual = mismatch.actual else { return mismatch }
    return .init(
      mismatch.criterion, expected: mismatch.expected, actual: shown(actual, of: mismatch.criterion),
      note: mismatch.note, unknown: mismatch.unknown)
  }

  /// Returns the command after which a request that no stub matches has one, or `nil` if there is none.
  func remedy(for request: URLRequest) -> String? {
    var facts = RequestFacts(request)
    return recordings.last { $0.canHave(&facts) }?.remedy
  }

  /// Sets what reports say about a stub, as `StubAnnotation` describes it.
  package func annotate(
    _ stub: Stub, isListed: Bool, line: @escaping @Sendable () -> String, request: @escaping @Sendable () -> String,
    advice: @escaping @Sendable ([RequestMatcher.Mismatch]) -> [String]
  ) {
    let annotation = StubAnnotation(isListed: isListed, line: line, request: request, advice: advice)
    state.withLock { $0.annotations[stub.id] = annotation }
  }

  package var annotations: [UInt64: StubAnnotation] { state.withLock { $0.annotations } }

  /// The clock for all waiting. Defaults to ``StubClock/real``.
  ///
  /// ```swift
  /// HTTPStubs.clock = .immediate  // Nothing waits any more.
  /// ```
  ///
  /// A request that is in flight when you set this keeps its clock.
  public var clock: any StubClock {
    get { state.withLock { $0.clock } }
    set {
      let timeline = newValue.time.timeline()
      // As in `unmatched`, a clock that wraps one of the library's belongs to the user.
      state.discard { state in
        state.timeline = timeline
        return exchange(&state.clock, with: newValue)
      }
      reportForgottenScope(ofSetting: "clock")
      (timeline as? VirtualTimeline)?.addUser(ObjectIdentifier(self)) { [weak self] in
        self.map { (requests: $0.journal.newestRequests(), ifNone: $0.noRequests) }
      }
    }
  }

  /// The network conditions that apply to every stub in this registry. Defaults to `nil`: no latency and no losses. A
  /// request that passes through takes the time of the real network. Only `.offline` fails it.
  ///
  /// ```swift
  /// HTTPStubs.network = .threeG
  /// ```
  ///
  /// A response's own ``StubResponse/network(_:)`` takes precedence. The property applies to requests that are
  /// answered from now on.
  public var network: NetworkConditions? {
    get { state.withLock { $0.network } }
    set {
      state.withLock { $0.network = newValue }
      reportForgottenScope(ofSetting: "network")
      if let mistake = newValue?.mistake { raise(mistake) }
    }
  }

  /// The version of HTTP of responses that have none of their own.
  package var httpVersion: StubResponse.HTTPVersion {
    get { state.withLock { $0.httpVersion } }
    set {
      state.withLock { $0.httpVersion = newValue }
      reportForgottenScope(ofSetting: "httpVersion")
    }
  }

  /// A Boolean value that indicates whether there is no network.
  var isOffline: Bool { state.withLock { $0.isOffline } }

  var timeline: any Timeline { state.withLock { $0.timeline } }

  /// Returns the class of a kind that marks sessions with this registry.
  ///
  /// - Parameter make: Makes it for a test, if that is known, under the lock.
  func mark(_ kind: String, make: (_ test: String?) -> AnyClass) -> AnyClass {
    state.withLock { state in
      let mark: AnyClass = state.marks[kind] ?? make(state.testReport?.test)
      state.marks[kind] = mark
      return mark
    }
  }

  /// Notes the classes that stand before StubKit's in a session that is created here. They can take its requests.
  func noteEarlierLoaders(_ classes: some Sequence<AnyClass>) {
    let names = classes.map { "\($0)" }
    state.withLock { state in
      for name in names where !state.earlierLoaders.contains(name) { state.earlierLoaders.append(name) }
    }
  }

  /// What reports say in place of a list of requests, if there are none: that StubKit saw none, where others can have.
  var noRequests: [String] {
    let names = state.withLock { $0.earlierLoaders }
    guard !names.isEmpty else { return ["No requests were made."] }
    return [
      "StubKit saw no request. \(names.listed) \(names.count == 1 ? "stands" : "stand") before it in the protocolClasses of a "
        + "session, and can have answered: take \(names.count == 1 ? "it" : "them") out of the session's configuration."
    ]
  }

  func insert(_ stub: Stub) {
    // This comes first, for every stub: code that has registered one is intercepted, even while another thread
    // registers the first.
    SessionInstallation.activate()
    let isForgotten = state.withLock { state in
      state.index.insert(stub)
      state.hadStubs = true
      if state.isEnabled == nil { state.isEnabled = true }
      return !state.isEnabledByChoice
    }
    if isForgotten { reportForgottenScope(of: stub) }
    if stub.isMistaken, let mistake = stub.mistake {
      raise("\(mistake)\nThe stub \(stub) can't match any request.", at: stub.location)
    }
  }

  /// - Parameter keepsAnnotation: Whether a report can name the stub after this.
  func remove(_ stub: Stub, keepsAnnotation: Bool = false) -> Bool {
    judgeCalls(of: stub)
    stopListening(to: stub)
    let isRemoved = state.withLock { $0.index.remove(stub) }
    if isRemoved {
      stub.noteRemoval()
      if !keepsAnnotation { state.discard { $0.annotations.removeValue(forKey: stub.id) } }
    }
    return isRemoved
  }

  package func contains(_ stub: Stub) -> Bool { state.withLock { $0.index.contains(stub) } }

  /// Returns the way in which the registry takes a request now, or `nil` if it takes none. It says whether answering
  /// can run the user's code.
  ///
  /// - Parameter request: The request, or `nil` for any request.
  func snapshot(for request: URLRequest? = nil) -> Snapshot? {
    // Other code has the global registry, too, while a scope of it is open.
    let isOfScope = self !== StubRegistry.global || StubRegistry.local === self
    return state.withLock {
      guard $0.isEnabled == true else { return nil }
      return Snapshot(
        mayRunClosures: !$0.listeners.isEmpty || $0.policy.hasClosure
          || $0.index.mayRunClosures(for: request),
        timeline: $0.timeline, listeners: $0.listeners, isOfScope: isOfScope, testReport: $0.testReport)
    }
  }

  /// How a registry takes a request, as far as that is known when the request is made.
  struct Snapshot {
    var mayRunClosures = false
    /// The timeline of the request.
    var timeline: any Timeline = RealTimeline.shared
    /// Those who learn of the request.
    var listeners = RequestListeners()
    /// Whether the end of a scope ends the request. Otherwise, it was made by code outside of that.
    var isOfScope = true
    /// The collection of unmatched requests, or `nil` if no test reports them.
    var testReport: TestReport?
    /// The scope that created the session of the request, if it has ended.
    var endedCreator: EndedCreator?
  }

  /// Runs a closure with the index, under the lock.
  @inline(__always)
  func withIndex<Result>(_ body: (inout StubIndex) -> Result) -> Result { state.withLock { body(&$0.index) } }

  /// Runs a closure with the index, and with whether there is no network at that moment, under the lock.
  @inline(__always)
  func withIndexAndNetwork<Result>(_ body: (inout StubIndex, _ isOffline: Bool) -> Result) -> Result {
    state.withLock { state in
      let isOffline = state.isOffline
      return body(&state.index, isOffline)
    }
  }

  /// Runs a closure with the listeners, under the lock. Whatever it lets go of releases no value of the user's here.
  func withListeners<Result>(_ body: (inout RequestListeners) -> Result) -> Result {
    state.withLock { body(&$0.listeners) }
  }

  /// Collects requests that fail because no stub matches them, or `nil` if no test reports them.
  package var testReport: TestReport? {
    get { state.withLock { $0.testReport } }
    set { state.withLock { $0.testReport = newValue } }
  }

  /// Reports something wrong in the caller's code: as an issue of the test that runs here, or else of the test whose
  /// scope this is, or else on standard error.
  ///
  /// - Parameters:
  ///   - sentence: What is wrong, and what to write instead.
  ///   - location: Its location in the source code, or `nil` if it is unknown.
  func raise(_ sentence: String, at location: StubLocation? = nil) {
    if RunningTest.record(sentence, at: location) { return }
    if let testReport, testReport.add(sentence, at: location) { return }
    RunningTest.tell("\(sentence)\(location.map { " (\($0))" } ?? "")")
  }

  /// The name of the test whose scope it is, or was, for reports. `nil` if it is unknown.
  var test: String? { testReport?.test }
}
