import Foundation

/// A request in the journal, from the moment when its client makes it.
///
/// It begins undecided. The search for its stub decides it, and the exchange ends it:
///
/// ```text
/// resume()        begin(_:)      GET /users, undecided
/// asking          arrive(_:)     its headers and its body, as far as they are known
/// the search      decide(_:)     by the stub at UserTests.swift:14
/// the head        receives(_:)   200
/// the end         ended(_:)      answered with 200
/// ```
///
/// A client can leave at any step. A request that ends undecided tells the search, which then takes no use of a stub.
final class JournalEntry: Sendable {
  /// How far the request is, and what it waits for. Of a request that is under way, the table asks this.
  struct State {
    var request: RecordedRequest
    /// The progress of its stub's requests, until the end, because that may keep the entry.
    var progress: StubProgress?
    /// Whether the request counts as a call of its stub only when the test can answer it.
    var countsLater = false
    /// The call by which the test answers the request, from the moment when it can.
    var call: StubCall?
    /// Whether the request waits for the test, or has, and the test has not taken its call.
    var isUntaken = false

    /// Whether its stub is being looked for, also for a client that has left.
    var isSearched = true
    /// Whether its body is being read.
    var lacksBody = false
    /// The queue on which its client's delegate is asked for the stream of its body, if it is.
    var delegateQueue: OperationQueue?
    /// What has yet to follow the search: the report about a request that no stub matches, and then its failure, or the
    /// request to which its response redirects at once.
    var sequel: Sequel?
    /// Whether code that looks back has waited for it long enough.
    var isGivenUp = false

    /// What it waits for, without a time of its own, and how many looks have found it so. Whoever begins the wait says
    /// so.
    var wait: (for: Awaited, lookCount: Int)?

    /// The number of ends of its registry's scope before it was made.
    var generation: UInt64 = 0
    /// Whether callbacks of its client have yet to return.
    var hasCallbacks = false
    /// What serves it, as long as that ends with its scope.
    var server: (any ScopeBound)?

    enum Sequel { case report, failure, redirect }

    /// Whether its client has its end, or has left. The search and the report go on.
    var isOver: Bool { request.outcome != .inProgress }

    /// Whether nothing about it has to be waited for any more.
    var isSettled: Bool {
      guard !isSearched else { return false }
      return switch sequel {
      case .report, .redirect: false
      case .failure: isOver
      case nil: isOver || !lacksBody
      }
    }

    var isUnderWay: Bool { !isOver || !isSettled || hasCallbacks || isUntaken || server != nil }

    func isAwaited(by reader: RequestsInFlight.Reader) -> Bool {
      guard !isGivenUp else { return false }
      switch reader {
      case .ofStubs: return isSearched && !isOver
      case .ofRequests: return (isSearched || lacksBody) && !isOver
      case .ofReports: return !isSettled
      }
    }
  }

  // Safe because it is touched only under the lock of the table.
  @exclusivity(unchecked) nonisolated(unsafe) var state: State
  /// The number of the entry in its journal, from 1, or 0 for a request that isn't in it.
  let number: Int
  let confidence: AttributionConfidence
  private let keepsLargeBodies: Bool
  private let began: Duration
  /// How the registry has taken the request. Its timeline measures durations.
  let snapshot: StubRegistry.Snapshot
  private let inFlight: RequestsInFlight

  init(
    _ request: RecordedRequest, number: Int, _ confidence: AttributionConfidence = .certain,
    _ snapshot: StubRegistry.Snapshot = .init(), keepsLargeBodies: Bool = false,
    among inFlight: RequestsInFlight
  ) {
    state = State(request: request)
    self.number = number
    self.confidence = confidence
    self.snapshot = snapshot
    self.keepsLargeBodies = keepsLargeBodies
    self.inFlight = inFlight
    began = snapshot.timeline.now
  }

  /// Reads something, or changes something that nobody waits for.
  private func withState<Result>(_ body: (inout State) -> Result) -> Result {
    inFlight.table.withLock { _ in body(&state) }
  }

  /// Changes how far the request is. It leaves the table when it isn't under way any more.
  private func update<Result>(_ change: (inout State) -> Result) -> Result {
    inFlight.table.update { table in
      let result = change(&state)
      table.removeIfOver(self)
      return result
    }
  }

  /// The request as it is now.
  var request: RecordedRequest { withState(\.request) }

  /// The stub that was chosen, or `nil` if there is none.
  var stub: StubReference? { withState(\.request.stub) }

  /// The call by which the test answers the request, from the moment when it can.
  var call: StubCall? { withState(\.call) }

  /// A Boolean value that indicates whether the request is over.
  var isOver: Bool { withState(\.isOver) }

  /// A Boolean value that indicates whether the request is in progress, and waits for the test, which has not taken its
  /// call or begun to answer it.
  var isUntaken: Bool { withState { $0.isUntaken && !$0.isOver } && call?.isWaiting ?? true }

  /// The time since the request was made.
  private var age: Duration { snapshot.timeline.now - began }

  // MARK: Waits

  /// The request begins to wait for something, or for nothing more.
  func waits(for awaited: Awaited?) {
    let isFirst = inFlight.table.withLock { table in
      guard !state.isOver else { return false }
      state.wait = awaited.map { ($0, 0) }
      guard awaited != nil, !table.isWatched else { return false }
      table.isWatched = true
      return true
    }
    if isFirst { inFlight.watch() }
  }

  /// What the request waits for, or `nil` for nothing without a time of its own.
  var awaited: Awaited? { withState { $0.wait?.for } }

  // MARK: The client and its scope

  /// Lets the end of the request's scope end what serves it. Returns `false` if that end has come.
  func attach(_ server: any ScopeBound) -> Bool {
    let (isInTime, _) = inFlight.table.withLock { table in
      let isInTime = state.generation == table.generation
      return (isInTime, isInTime ? exchange(&state.server, with: server) : nil)
    }
    return isInTime
  }

  /// The end of the scope doesn't end what serves the request any more.
  func detach(_ server: any ScopeBound) {
    _ = update { state in state.server === server ? state.server.take() : nil }
  }

  /// Lets the end of the request's scope wait for the callbacks of its client.
  func awaits(_ callbacks: RequestCallbacks) {
    withState { $0.hasCallbacks = true }
    callbacks.whenOver { [self] in update { $0.hasCallbacks = false } }
  }

  // MARK: The arrival

  /// The request has reached the registry. Returns `false` if it had before, or never will.
  func arrive(_ incoming: IncomingRequest) -> Bool {
    let sent = incoming.asSent
    let isUnread = incoming.isUnread
    let replaced: URLRequest? = withState { state in
      guard state.request.stage == .made else { return nil }
      state.request.stage = .arrived
      state.request.isReceived = incoming.isReceived
      return state.request.take(sent, keepsLargeBodies: keepsLargeBodies, isUnread: isUnread)
    }
    // It is released here, outside the lock.
    return replaced != nil
  }

  /// The request leaves the journal, because its client has not made it after all. Returns `false` if it has arrived.
  func withdraw() -> Bool {
    withState { state in
      guard state.request.stage == .made, !state.isOver else { return false }
      state.request.stage = .withdrawn
      state.request.outcome = .cancelled
      return true
    }
  }

  // MARK: The search

  /// The body of the request is being read, before the search can go on.
  ///
  /// - Parameter queue: The queue on which the client's delegate is asked for it, if it is.
  func waitsForBody(on queue: OperationQueue?) {
    update { state in
      state.request.missingBody = .pending
      state.lacksBody = true
      state.delegateQueue = queue
    }
  }

  /// The body is as it will be in the journal.
  func endBody() {
    update { state in
      state.lacksBody = false
      state.delegateQueue = nil
    }
  }

  /// The search ends without a result, because the client has left, or has not made the request.
  func endSearch() { update { $0.isSearched = false } }

  /// The report about the request, which no stub matches, is made.
  func endReport() { update { $0.sequel = .failure } }

  /// The request to which the response redirects has begun, or none will at once.
  func endRedirect() { update { $0.sequel = nil } }

  /// A Boolean value that indicates whether the request is on its way to its registry.
  var isOnItsWay: Bool { withState { $0.request.stage == .made && !$0.isOver } }

  /// The search is over.
  ///
  /// - Parameters:
  ///   - choice: What the registry has chosen, in words, for `STUBKIT_LOG`.
  ///   - stub: The stub that answers, whose calls count the request too, or `nil` if there is none.
  ///   - countsLater: Whether the stub's calls count the request only when the test can answer it.
  ///   - isSent: Whether the request could be sent.
  ///   - sequel: What follows before the request is known.
  func decide(
    _ choice: StaticString, by stub: Stub? = nil, _ match: RequestMatch? = nil, countsLater: Bool = false,
    isSent: Bool = true, then sequel: State.Sequel? = nil
  ) {
    let reference = stub?.reference
    let progress = stub?.progress
    let count = update { state -> Int? in
      state.request.stage = .decided
      state.request.stub = reference
      state.request.match = match
      state.request.isSent = isSent
      state.isSearched = false
      // Nobody follows the response of a client that has left.
      state.sequel = state.isOver && sequel == .redirect ? nil : sequel
      let count = state.isOver || !countsLater ? progress?.add(.begun) : nil
      // The client left while the stub was being chosen.
      guard !state.isOver else {
        _ = progress?.add(.completed)
        return count
      }
      state.progress = progress
      state.countsLater = countsLater
      // A file is read after the search, and a stream before the response.
      state.lacksBody = state.request.missingBody == .unread
      return count
    }
    if Trace.isOn { Trace.log(choice, request.request, by: reference) }
    // A client that never stops, such as one that asks for page after page, would hang its test without a word.
    if count == 1_000, let stub {
      let summary = request.request.summary(in: .shared)
      RequestWarnings.add(
        .endless, "The stub \(stub.reference) has answered 1,000 requests, now \(summary). \(stub.wayToStop)")
    }
  }

  /// Adds what was found out about the request after it had arrived.
  func complete(_ request: URLRequest) {
    // It is released here, outside the lock.
    _ = withState { $0.request.take(request, keepsLargeBodies: keepsLargeBodies) }
  }

  /// Says why the body is missing.
  func lacksBody(_ reason: MissingBody) { withState { $0.request.missingBody = reason } }

  /// Adds the body in a file, if it can be read: at most a megabyte, because this runs on the queue of the request.
  func sends(bodyIn file: URL) {
    guard let file = try? RegularFile(file) else { return lacksBody(.unreadable) }
    guard keepsLargeBodies || file.length <= RecordedRequest.keptLength else { return lacksBody(.large(file.length)) }
    guard let body = try? file.read(0..<file.length) else { return lacksBody(.unreadable) }
    var request = request.request
    request.httpBody = body
    complete(request)
  }

  // MARK: The answer

  /// The request waits for the test.
  func waitsForTest() { withState { $0.isUntaken = true } }

  /// Lets the test answer the request with a call.
  func begin(_ call: StubCall) {
    let (isInTime, _) = update { state in
      state.call = call
      if state.countsLater { _ = state.progress?.add(.begun) }
      let earlier = state.progress?.latest
      state.progress?.latest = call
      return (state.progress != nil, earlier)
    }
    if !isInTime { call.end(request.outcome) }
  }

  /// The head of a response is due.
  func receives(_ response: RecordedRequest.Response) {
    let time = age
    withState {
      guard !$0.isOver else { return }
      $0.request.response = response
      if !keepsLargeBodies { $0.request.response?.dropLargeBody() }
      $0.request.timeToResponse = time
    }
  }

  /// Notes that the client hangs up.
  func noteHangUp() {
    let time = age
    withState { $0.request.timeToHangUp = $0.request.timeToHangUp ?? time }
  }

  // MARK: The end

  /// Returns the request as it is at its end.
  ///
  /// - Parameters:
  ///   - error: The error that ends it, if the outcome isn't known yet.
  ///   - status: The status of the answer, unless there is a response.
  func request(endingWith error: (any Error)?, status: Int) -> RecordedRequest {
    let duration = age
    var request = request
    guard request.outcome == .inProgress else { return request }
    request.duration = duration
    request.outcome =
      error.map { .failed($0).after(request.response) } ?? .answered(status: request.response?.status ?? status)
    return request
  }

  /// The request is over. One that ends away from its answer, for example by its cancellation, can end twice.
  ///
  /// - Parameters:
  ///   - sentLength: The number of bytes of the response's body that were sent, or `nil` for all.
  ///   - callbacks: The client's callbacks, which have yet to return, or `nil` if none follows.
  func ended(_ outcome: RecordedRequest.Outcome, sentLength: Int? = nil, callbacks: RequestCallbacks? = nil) {
    let duration = age
    let end = update { state -> (progress: StubProgress?, call: StubCall?)? in
      guard !state.isOver else { return nil }
      state.request.outcome = outcome.after(state.request.response)
      state.request.response?.end(afterBytes: sentLength)
      state.request.duration = duration
      state.wait = nil
      if callbacks != nil, state.sequel == .redirect { state.sequel = nil }
      // Nobody looks for the stub of a request that has not arrived.
      if state.request.stage == .made { state.isSearched = false }
      // It ended before the test could answer it. A call that begins later ends itself, and isn't counted.
      if state.countsLater, state.call == nil { _ = state.progress?.add(.begun) }
      return (state.progress.take(), state.call)
    }
    end?.call?.end(request.outcome)
    guard let progress = end?.progress else { return }
    let complete = { @Sendable [self] in update { _ in _ = progress.add(.completed) } }
    if let callbacks { callbacks.whenOver(complete) } else { complete() }
  }
}

/// What serves a request, and ends with its scope.
protocol ScopeBound: AnyObject, Sendable {
  /// Ends, on any thread.
  func scopeEnds(with error: any Error)
}

extension RecordedRequest {
  /// How far a request has come on its way to a stub.
  enum Stage {
    /// Its client has made it. Its headers and its body aren't known yet.
    case made
    /// The registry has it, and looks for its stub.
    case arrived
    /// The search is over.
    case decided
    /// Its client has not made it after all.
    case withdrawn
  }
}
