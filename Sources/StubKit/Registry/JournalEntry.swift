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
  private struct State {
    var request: RecordedRequest
    /// The progress of its stub's requests, until the end, because that may hold the entry.
    var progress: StubProgress?
    /// Whether the request counts as a call of its stub only when the test can answer it.
    var countsLater = false
    /// The call by which the test answers the request, from the moment when it can.
    var call: StubCall?
    /// What the request waits for, without a time of its own, and how many looks have found it so. Whoever begins the
    /// wait says so.
    var wait: (for: Awaited, lookCount: Int)?
    /// Whether somebody has been told of a long wait.
    var hasTold = false
  }

  /// What a request can wait for.
  enum Awaited: Sendable {
    /// The end of its body, or the stream that its client's delegate is asked for.
    case body
    /// The user's closures.
    case conditions, response, policy, callback
    /// The test, which answers the call.
    case test
    /// The decision of its client's delegate.
    case redirect, challenge
    case gate
    /// The next piece of a stream.
    case piece
  }

  private let state: Protected<State>
  /// The number of the entry in its journal, from 1.
  let number: Int
  let confidence: AttributionConfidence
  private let keepsLargeBodies: Bool
  private let began: Duration
  /// The timeline that measures durations.
  let timeline: any Timeline
  private let unsettled: UnsettledRequests

  init(
    _ request: RecordedRequest, number: Int, _ confidence: AttributionConfidence, _ timeline: any Timeline,
    keepsLargeBodies: Bool, among unsettled: UnsettledRequests
  ) {
    state = Protected(State(request: request))
    self.number = number
    self.confidence = confidence
    self.timeline = timeline
    self.keepsLargeBodies = keepsLargeBodies
    self.unsettled = unsettled
    began = timeline.now
  }

  /// The request as it is now.
  var request: RecordedRequest { state.withLock(\.request) }

  /// The stub that was chosen, or `nil` if there is none.
  var stub: StubReference? { state.withLock(\.request.stub) }

  /// The call by which the test answers the request, from the moment when it can.
  var call: StubCall? { state.withLock { $0.call } }

  /// A Boolean value that indicates whether the request is over.
  var isOver: Bool { state.withLock { $0.request.outcome != .inProgress } }

  /// A Boolean value that indicates whether the request is in progress, and the test has not begun to answer it.
  var isUnanswered: Bool { request.outcome == .inProgress && call?.isWaiting ?? true }

  /// The time since the request was made.
  private var age: Duration { timeline.now - began }

  // MARK: Waits

  /// The request begins to wait for something, or for nothing more.
  func waits(for awaited: Awaited?) {
    state.withLock { $0.wait = awaited.map { ($0, 0) } }
  }

  /// Looks at what the request waits for. Returns it, once, when so many looks have found the same wait.
  func look(mostLooks: Int) -> Awaited? {
    state.withLock { state in
      guard !state.hasTold, state.request.outcome == .inProgress, let wait = state.wait else { return nil }
      state.wait = (wait.for, wait.lookCount + 1)
      guard wait.lookCount >= mostLooks else { return nil }
      state.hasTold = true
      return wait.for
    }
  }

  // MARK: The arrival

  /// The request has reached the registry. Returns `false` if it had before, or never will.
  func arrive(_ incoming: IncomingRequest) -> Bool {
    let (sent, isUnread) = (incoming.asSent, incoming.isUnread)
    let replaced: URLRequest? = state.withLock { state in
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
    state.withLock { state in
      guard state.request.stage == .made, state.request.outcome == .inProgress else { return false }
      state.request.stage = .withdrawn
      return true
    }
  }

  // MARK: The search

  /// The body of the request is being read, before the search can go on.
  ///
  /// - Parameter queue: The queue on which the client's delegate is asked for it, if it is.
  func waitsForBody(on queue: OperationQueue?) {
    lacksBody(.pending)
    unsettled.update(number) { ($0.lacksBody, $0.delegateQueue) = (true, queue) }
  }

  /// The body of the request has been read, and the search goes on.
  func hasBody(_ request: URLRequest) {
    complete(request)
    endBody()
  }

  /// The body is as it will be in the journal.
  func endBody() { unsettled.update(number) { ($0.lacksBody, $0.delegateQueue) = (false, nil) } }

  /// The search ends without a result, because the client has left.
  func endSearch() { unsettled.update(number) { $0.isSearched = false } }

  /// The report about the request, which no stub matches, is made.
  func endReport() { unsettled.update(number) { $0.lacksReport = false } }

  /// The request that the response leads to has begun, or none will at once.
  func endLead() { unsettled.update(number) { $0.leadsOn = false } }

  /// A Boolean value that indicates whether the request is on its way to its registry.
  var isOnItsWay: Bool { state.withLock { $0.request.stage == .made && $0.request.outcome == .inProgress } }

  /// A Boolean value that indicates whether the search is over.
  var isDecided: Bool { state.withLock { $0.request.stage == .decided } }

  /// The search is over.
  ///
  /// - Parameters:
  ///   - choice: What the registry has chosen, in words, for `STUBKIT_LOG`.
  ///   - stub: The stub that answers, whose calls count the request too, or `nil` if there is none.
  ///   - countsLater: Whether the stub's calls count the request only when the test can answer it.
  ///   - isSent: Whether the request could be sent.
  ///   - isReported: Whether a report about the request follows, because no stub matches.
  ///   - mayLeadOn: Whether the response can redirect to another request.
  func decide(
    _ choice: StaticString, by stub: Stub? = nil, _ match: RequestMatch? = nil, countsLater: Bool = false,
    isSent: Bool = true, isReported: Bool = false, mayLeadOn: Bool = false
  ) {
    let (reference, progress) = (stub?.reference, stub?.progress)
    let (isOver, lacksBody) = state.withLock { state in
      state.request.stage = .decided
      (state.request.stub, state.request.match) = (reference, match)
      state.request.isSent = isSent
      guard state.request.outcome == .inProgress else { return (true, false) }
      (state.progress, state.countsLater) = (progress, countsLater)
      // A file is read after the search, and a stream before the response.
      return (false, state.request.missingBody == .unread)
    }
    Trace.log(choice, request.request, by: reference)
    let count = isOver || !countsLater ? progress?.count(.begun) : nil
    // The client left while the stub was being chosen.
    if isOver { _ = progress?.count(.completed) }
    unsettled.update(number) {
      $0.isSearched = false
      $0.lacksBody = lacksBody
      ($0.isReported, $0.lacksReport) = (isReported, isReported)
      $0.leadsOn = mayLeadOn && !isOver
    }
    // A client that never stops, such as one that asks for page after page, would hang its test without a word.
    if count == 10_000, let stub {
      let summary = request.request.summary(in: .shared)
      RequestWarnings.add(
        .endless, "The stub \(stub.reference) has answered 10,000 requests, now \(summary). \(stub.wayToStop)")
    }
  }

  /// Adds what was found out about the request after it had arrived.
  func complete(_ request: URLRequest) {
    state.discard { $0.request.take(request, keepsLargeBodies: keepsLargeBodies) }
  }

  /// Says why the body is missing.
  func lacksBody(_ reason: MissingBody) { state.withLock { $0.request.missingBody = reason } }

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

  /// Lets the test answer the request with a call.
  func begin(_ call: StubCall) {
    let progress = state.withLock { state -> StubProgress? in
      state.call = call
      guard let progress = state.progress else { return nil }
      progress.latest.withLock { $0 = call }
      // Under the lock, so that no request counts as completed before it has begun. Those who wait are woken later.
      if state.countsLater { progress.counts.withLock { $0[StubProgress.Milestone.begun.rawValue] += 1 } }
      return progress
    }
    guard let progress else { return call.end(request.outcome) }
    progress.counts.update { _ in }
    progress.held.update { _ in }
  }

  /// The head of a response is due.
  func receives(_ response: RecordedRequest.Response) {
    let time = age
    state.withLock {
      guard $0.request.outcome == .inProgress else { return }
      $0.request.response = response
      if !keepsLargeBodies { $0.request.response?.dropLargeBody() }
      $0.request.timeToResponse = time
    }
  }

  /// Notes that the client hangs up.
  func noteHangUp() {
    let time = age
    state.withLock { $0.request.timeToHangUp = $0.request.timeToHangUp ?? time }
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
    // The call that there is now. One that begins later ends itself, and isn't counted.
    typealias End = (progress: StubProgress?, call: StubCall?, countsLater: Bool, hasArrived: Bool)
    let end = state.withLock { state -> End? in
      guard state.request.outcome == .inProgress, state.request.stage != .withdrawn else { return nil }
      state.request.outcome = outcome.after(state.request.response)
      state.request.response?.end(afterBytes: sentLength)
      state.request.duration = duration
      return (state.progress.take(), state.call, state.countsLater, state.request.stage != .made)
    }
    guard let end else { return }
    unsettled.update(number) {
      $0.isOver = true
      if callbacks != nil { $0.leadsOn = false }
      // Nobody looks for the stub of a request that has not arrived.
      if !end.hasArrived { $0.isSearched = false }
    }
    end.call?.end(request.outcome)
    if let progress = end.progress {
      // It ended before the test could answer it.
      if end.countsLater, end.call == nil { _ = progress.count(.begun) }
      let complete = { @Sendable in _ = progress.count(.completed) }
      if let callbacks { callbacks.whenOver(complete) } else { complete() }
    }
  }
}

extension RecordedRequest {
  /// How far a request has come on its way to a stub.
  enum Stage: Sendable {
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
