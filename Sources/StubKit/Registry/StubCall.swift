import Foundation

/// A request that waits for the test to answer it.
///
/// ```swift
/// let feed = stub(
///   .get, "https://api.example.com/feed",
///   response: .controlled)
/// client.subscribe()
/// let call = try await feed.nextCall()
/// call.respond(headers: ["Content-Type": "text/event-stream"])
/// call.send(StubResponse.Event("one").encoded)
/// client.unsubscribe()
/// #expect(await call.outcome() == .cancelled)
/// ```
///
/// Only ``outcome()`` waits. The methods can be called on any thread. What is sent after the end has no effect.
public final class StubCall: Sendable, CustomStringConvertible {
  /// The request, with its body.
  public let request: URLRequest
  /// How the request matched its stub.
  public let match: RequestMatch

  private typealias Head = Closure<@Sendable (StubResponse) -> StubResponse>

  /// What makes the response that the test sends from the controlled one, and the outcome.
  private let state = Awaitable((head: Head?.none, outcome: RecordedRequest.Outcome?.none))
  private let chunks: AsyncThrowingStream<Data, any Error>
  private let body: AsyncThrowingStream<Data, any Error>.Continuation

  init(_ request: URLRequest, _ match: RequestMatch) {
    self.request = request
    self.match = match
    (chunks, body) = AsyncThrowingStream.makeStream()
  }

  /// Sends the head of the response. Only the first head counts.
  ///
  /// - Parameters:
  ///   - status: The status. Defaults to 200.
  ///   - headers: The header fields. Defaults to none.
  public func respond(status: Int = 200, headers: [String: String] = [:]) {
    answer { [chunks] in $0.sending(status, headers, chunks) }
  }

  /// Sends a piece of the body. Sends a head with the status 200 first if there is none yet.
  public func send(_ data: Data) {
    respond()
    body.yield(data)
  }

  /// Sends a piece of the body as text in UTF-8. Sends a head with the status 200 first if there is none yet.
  public func send(_ text: String) { send(Data(text.utf8)) }

  /// Ends the response. Sends a head with the status 200 first if there is none yet.
  public func finish() {
    respond()
    body.finish()
  }

  /// Fails the request with an error: before the head if there is none yet, and otherwise in the middle of the body.
  public func fail(_ error: any Error) {
    answer { $0.replaced(by: error) }
    body.finish(throwing: error)
  }

  /// Fails the request with an error of URLSession: `call.fail(.networkConnectionLost)`.
  public func fail(_ code: URLError.Code) { fail(URLError(code)) }

  /// A Boolean value that indicates whether the client has cancelled the request.
  public var isCancelled: Bool { state.withLock { $0.outcome == .cancelled } }

  /// Waits until the request is over, and returns its outcome.
  ///
  /// - Returns: The outcome, as in the journal. ``RecordedRequest/Outcome/inProgress`` if the calling task is
  ///   cancelled.
  public func outcome() async -> RecordedRequest.Outcome { await state.wait(for: { $0.outcome }) ?? .inProgress }

  /// A description such as `GET https://api.example.com/feed: in progress`.
  public var description: String { "\(request.summary): \(state.withLock { $0.outcome } ?? .inProgress)" }

  private func answer(_ head: @escaping @Sendable (StubResponse) -> StubResponse) {
    state.update { $0.head = $0.head ?? Closure(head) }
  }

  /// Waits for the head, and returns what the test sends from then on.
  ///
  /// - Parameter response: The controlled response.
  func response(_ response: StubResponse) async -> StubResponse {
    // The clock doesn't wait for what the test decides.
    let endWait = RunningClosure.current?.timeline.beginWait()
    defer { endWait?(()) }
    // Without a head, the load has ended.
    return await state.wait(for: { $0.head })?.call(response) ?? response.replaced(by: CancellationError())
  }

  /// A Boolean value that indicates whether the request waits for its head.
  var isWaiting: Bool { state.withLock { $0.head == nil && $0.outcome == nil } }

  func end(_ outcome: RecordedRequest.Outcome) { state.update { $0.outcome = $0.outcome ?? outcome } }
}

extension Stub {
  /// Waits for the next request that the stub holds, and takes it.
  ///
  /// ```swift
  /// let save = stub(
  ///   .post, "https://api.example.com/notes",
  ///   response: .controlled)
  /// model.save()
  /// let call = try await save.nextCall()
  /// call.respond(status: 201)
  /// call.finish()
  /// ```
  ///
  /// The stub's response must be ``StubResponse/controlled``. Each call is taken once, the oldest first. It can have
  /// been cancelled meanwhile.
  ///
  /// - Parameter timeout: The longest time to wait, in real time whatever the registry's clock. Defaults to five
  ///   seconds. Time for which the process is stopped, at a breakpoint for example, doesn't count.
  /// - Returns: The call.
  /// - Throws: ``StubWaitError`` if the time is up, with the requests that arrived, or at once if no call can come.
  ///   `CancellationError` as soon as the task is cancelled.
  public func nextCall(timeout: Duration = .seconds(5)) async throws -> StubCall {
    let entry = try await waits(atMost: timeout, unless: { obstacleToNextCall }) { [id] in
      $0.takeCall(of: id)
    } failing: { obstacle in
      StubWaitError(self, count(of: .chosen) + 1, .chosen, obstacle)
    }
    if let call = entry?.call { return call }
    if let entry = awaitingCall.first, let sentence = entry.sentenceOfOpenBody {
      throw StubWaitError(self, within: timeout, because: sentence)
    }
    throw StubWaitError(self, count(of: .chosen) + 1, .chosen, within: timeout)
  }

  /// The requests that may get a call which `nextCall()` takes.
  private var awaitingCall: [JournalEntry] { counts.inFlight.table.withLock { $0.awaitingCall(of: id) } }

  /// Why no call of the stub can come, as the end of a sentence and a cure, or `nil` if one can.
  private var obstacleToNextCall: String? {
    // A closure can return anything.
    if !isMistaken, !responder.isClosure, !responder.map(\.isControlled).contains(true) {
      return ", but its response is not .controlled, so that no request waits for the test.\n"
        + "Write response: .controlled, or wait with waitForCalls()."
    }
    // A request that the stub was chosen for can be on its way here.
    guard counts.inFlight.table.withLock({ !$0.hasCall(of: id) && $0.awaitingCall(of: id).isEmpty }) else { return nil }
    return obstacle(to: count(of: .chosen) + 1, .chosen)
  }

  /// The newest request that the stub has held for the test, or `nil` if there is none.
  ///
  /// For a synchronous test, which can't wait with ``nextCall(timeout:)``. Expect the call first:
  ///
  /// ```swift
  /// func testShowsTheNote() throws {
  ///   let save = stub(
  ///     .post, "https://api.example.com/notes",
  ///     response: .controlled)
  ///   model.save()
  ///   wait(for: [expectation(forCallsTo: save)], timeout: 1)
  ///   let call = try XCTUnwrap(save.lastCall)
  ///   XCTAssertTrue(model.isSaving)
  ///   call.respond(status: 201)
  ///   call.finish()
  ///   wait(for: [expectation(forCompletionsOf: save)], timeout: 1)
  /// }
  /// ```
  ///
  /// It stays the same until the next request, or until ``HTTPStubs/forgetRequests()``, and doesn't take the call from
  /// ``nextCall(timeout:)``. The property waits until the bodies of requests that the stub was chosen for have come,
  /// for a second at most. While a response closure that returns ``StubResponse/controlled`` runs, its request has no
  /// call yet.
  public var lastCall: StubCall? {
    let (counts, requests) = (counts, counts.inFlight)
    func haveCalls(_ table: inout RequestsInFlight.Table) -> Bool {
      !table.awaitingCall(of: id).contains { $0.state.request.life.awaitsCall }
    }
    if !requests.table.withLock(haveCalls), !ClosureRun.isUnderWay(for: requests) {
      requests.block(atMost: RequestsInFlight.patience, until: haveCalls)
    }
    return requests.table.withLock { counts.latestCall(in: $0.era) }
  }
}

extension JournalEntry {
  /// That the test can't take the request yet because its body hasn't ended, or `nil` if that isn't so.
  var sentenceOfOpenBody: String? {
    guard isAwaitingBody, let stub else { return nil }
    return "The request \(request.request.summary(in: .shared)) sends its body, and the test can take it from the stub "
      + "\(stub) with nextCall() when the body has ended. Let the client end the body."
  }

  /// That the request waits for an answer of the test, which has not taken it, or `nil` if that isn't so.
  var untakenSentence: String? {
    guard isUntaken, let stub else { return nil }
    if let sentenceOfOpenBody { return sentenceOfOpenBody }
    if isForgotten {
      return "The request \(request.request.summary(in: .shared)) waits for the test, because the response of the stub "
        + "\(stub) is .controlled. It was made before forgetRequests(), so nextCall() doesn't return it: take it and answer it "
        + "before you call that."
    }
    return "The request \(request.request.summary(in: .shared)) waits for the test, because the response of the stub "
      + "\(stub) is .controlled. Take it with nextCall(), or with lastCall in a synchronous test, and answer it."
  }
}

extension StubRegistry {
  /// The requests that wait for an answer of the test, and that the test has not taken, each in a sentence.
  package var untakenCalls: [TestReport.Mistake] {
    inFlight.table.withLock(\.untaken).compactMap { entry in
      entry.untakenSentence.map { (([$0] + journal.inferredHits).lines, entry.stub?.location) }
    }
  }
}
