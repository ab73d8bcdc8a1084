import Foundation

/// The answer of a registry to a request.
struct Answer {
  indirect enum Kind {
    /// `stub` is `nil` for the answer of a policy.
    case respond(StubResponse, stub: StubReference?)
    /// `stub` is `nil` if the policy lets the request through.
    case passThrough(by: StubReference? = nil)
    case fail(any Error)
    /// If there are many stubs, creating the error takes long. Don't do it on a queue of URLSession.
    case unmatched(@Sendable () -> UnmatchedRequestError)
    /// A body or code of the user comes first, neither under a lock nor on a queue of URLSession. What `rest` returns
    /// is another kind.
    case later(rest: @Sendable () async -> Answer)

    /// Returns the kind of answer that a response is.
    static func of(_ response: StubResponse, by stub: StubReference?) -> Kind {
      // The test has no call by which it could answer.
      if response.isControlled { return .fail(StubResponseError(stub: stub, reason: .controlledWithoutStub)) }
      return response.isPassedThrough && response.problem == nil
        ? .passThrough(by: stub) : .respond(response, stub: stub)
    }
  }
  let kind: Kind
  /// The request, with its body if that was read on the way to the answer.
  let incoming: IncomingRequest
  /// What listeners hear of it, or `nil` if none does.
  var heard: DeferredRelease<RequestAnswer>?
  /// The number of the call of its stub, from 1, or for the answer of a policy that of the request in its registry.
  var callNumber = 1

  /// Returns the answer when nothing comes first any more.
  func whole() async -> Answer { if case .later(let rest) = kind { await rest() } else { self } }
}

/// The way of one request from the search for its stub to its answer. It tells the request's entry what happens.
///
/// An answer is rarely known at once. Take a condition on the body, and a response that is a closure:
///
/// ```swift
/// stub(.post, "/login", where: hasJSON(at: "user", equals: "ann")) { _ in await token() }
/// ```
///
/// 1. The search needs the body, which nobody has read. The request arrives, undecided, and the answer comes later.
/// 2. The rest runs in a task for the user's closures, away from URLSession's queue. It reads the body and searches
///    again. The stub is found, and one of its uses is claimed: the request is decided.
/// 3. The rest goes on with the closure. Its response is the answer.
///
/// The first test to read is "in a stream is read once, whatever answers, and not at all where no server would get it"
/// in `IncomingBodiesTests.swift`.
struct Answering {
  let registry: StubRegistry
  let snapshot: StubRegistry.Snapshot
  let client: any ExchangeClient
  private(set) var incoming: IncomingRequest
  private(set) var entry: JournalEntry
  /// Whether this is a task for the user's closures, so that the request has arrived.
  private var isInTask = false

  init(_ incoming: IncomingRequest, of client: any ExchangeClient, in context: RequestContext, _ entry: JournalEntry) {
    registry = context.registry
    snapshot = context.snapshot
    self.client = client
    self.incoming = incoming
    self.entry = entry
  }

  /// Searches for the stub, and returns the answer, on the exchange's queue.
  mutating func begin() -> Answer {
    let answer = search()
    guard snapshot.listeners.hearAnswers else { return answer }
    // Those who hear of answers learn of it before anything else happens.
    return later { [entry] in
      let answer = await answer.whole()
      entry.waits(for: .callback, .code)
      if let heard = answer.heard { entry.notify(of: heard) }
      entry.waits(for: nil)
      return answer
    }
  }

  /// Searches for a client that has left before the request has reached the registry. If no stub matches, the test
  /// learns of it, as when the client leaves a little later.
  mutating func beginForLeftClient() -> Answer { search(unless: { true }) }

  private mutating func search(unless hasLeft: () -> Bool = { false }) -> Answer {
    switch registry.search(for: incoming, entry.confidence, isInTask: isInTask, unless: hasLeft) {
    case .stub(let use, let match):
      return answer(by: use, match)
    case .policy(let closure):
      tell(Finding("answered by the policy", .answer(byStub: false, .code)), asksForBody: true)
      return later(for: .policy) { answering in
        do {
          let request = answering.incoming.asSent
          let response = try await answering.snapshot.timeline.answer(by: nil) {
            try await JournalEntry.$answered.withValue(answering.entry) { try await closure(request) }
          }
          response.applyMoves(for: request)
          var answer = answering.answer(.of(response, by: nil))
          answer.callNumber = answering.entry.number
          return answer
        } catch {
          return answering.answer(.fail(error))
        }
      }
    case .elsewhere(let response):
      tell(Finding("answered in place of another host", .answer(byStub: false, .code)))
      return answer(.respond(response, stub: nil))
    case .network:
      tell(Finding("passed through", .answer(byStub: false, .code)))
      return answer(.passThrough())
    case .offline(let stub):
      tell(stub.map { Finding($0.use, $0.match, .code) } ?? Finding("offline", .answer(byStub: false, .code)))
      return offline(of: stub?.use.stub)
    case .none(let facts):
      tell(Finding("unmatched", .nothing))
      return answer(
        .unmatched { [registry, snapshot, entry] in
          let error = UnmatchedRequestError(facts, entry.confidence, snapshot.endedCreator, in: registry)
          error.report(to: snapshot.testReport, entry.confidence, of: entry.request.startedAt)
          entry.reports()
          return error
        })
    case .problem(let problem):
      tell(Finding("failed", .answer(byStub: false, .code), isSent: false))
      return Answer(kind: .fail(problem), incoming: incoming)
    case .needsTask(let awaited):
      tell(.nothingYet, asksForBody: true)
      return later(for: awaited) { answering in
        var answering = answering
        return await answering.search(unless: { [entry = answering.entry] in entry.isOver }).whole()
      }
    case .left:
      tell(Finding("left by its client", .noClient))
      return Answer(kind: .fail(URLError(.cancelled)), incoming: incoming)
    }
  }

  private typealias Finding = JournalEntry.Finding

  /// Tells the entry what the search has found.
  ///
  /// - Parameter asksForBody: Whether the client's delegate is asked for the body from now on, if that is its.
  private mutating func tell(_ finding: Finding, asksForBody: Bool = false) {
    if isInTask {
      if finding.kind != nil { entry.finds(finding) }
      return
    }
    let delegateQueue = asksForBody && incoming.isUnread ? incoming.delegateQueue : nil
    judge()
    if entry.arrives(incoming, finding: finding, askingOn: delegateQueue) { return }
    beginAgain()
    _ = entry.arrives(incoming, finding: finding, askingOn: delegateQueue)
  }

  /// Asks what each request of the test must meet, before a reader can learn of this one.
  private mutating func judge() {
    guard let testReport = snapshot.testReport, let everyRequest = testReport.everyRequest else { return }
    // A request that names no scope may come from another test.
    let isOwn = entry.confidence == .certain || entry.confidence == .session || testReport.runsAlone
    guard isOwn else { return }
    // The target of a redirect has an entry of its own, which is asked, and not that of the request before.
    if !entry.isOnItsWay { beginAgain() }
    everyRequest.judge(incoming, entry, in: registry)
  }

  /// Begins the entry of the request, because the one that it has is that of an earlier request of the task, or was
  /// withdrawn when its client suspended the task.
  private mutating func beginAgain() {
    entry = registry.journal.begin(
      incoming.original, entry.confidence, snapshot, after: entry, followsRedirect: entry.request.followsRedirect)
  }

  // MARK: The answer of a stub

  private mutating func answer(by use: StubUse, _ match: RequestMatch) -> Answer {
    let response: StubResponse
    switch use.stub.responder {
    case .value(let value): response = value
    case .sequence(let responses, _): response = responses[use.stub.responder.index(ofCall: use.callNumber)]
    case .closure(let closure):
      tell(Finding(use, match, .code), asksForBody: true)
      return later(for: .response) { answering in
        do {
          let request = answering.incoming.asSent
          let timeline = answering.snapshot.timeline
          let made = try await timeline.answer(by: use.reference) {
            try await JournalEntry.$answered.withValue(answering.entry) { try await closure(request, match) }
          }
          let response = await answering.controlled(made, match)
          response.applyMoves(for: request)
          return answering.answer(with: response, of: use)
        } catch {
          return answering.answer(.fail(error), of: use.stub, .failure(error))
        }
      }
    }
    let isControlled = response.isControlled
    let sendsStream = sendsStream(for: response)
    tell(
      Finding(use, match, isControlled ? .test : .code, unless: isControlled ? client.hasLeft : nil),
      asksForBody: isControlled || sendsStream)
    guard isControlled || sendsStream else { return answer(with: response, of: use) }
    if isControlled { beginWaitForTest() }
    return later(reads: response.reachesServer) { answering in
      answering.answer(with: await answering.controlled(response, match), of: use)
    }
  }

  /// Returns whether the request has a stream that has to be read, or asked for, before the response, as for a server.
  private func sendsStream(for response: StubResponse) -> Bool {
    incoming.isUnread && incoming.file == nil && !response.isPassedThrough && !isOffline(for: response)
  }

  /// Returns whether there is no network for a response. One that has conditions of its own has only those.
  private func isOffline(for response: StubResponse) -> Bool {
    response.options?.network?.isOffline ?? registry.isOffline
  }

  private func answer(with response: StubResponse, of use: StubUse) -> Answer {
    if response.isPassedThrough, isOffline(for: response) { return offline(of: use.stub) }
    if response.isPassedThrough, NetworkAccess.blocks(incoming.original) {
      let reason = "The stub \(use.reference) passes it through"
      return answer(.fail(NetworkOffError(incoming.original, because: reason)), of: use.stub, response)
    }
    var answer = answer(.of(response, by: use.reference), of: use.stub, response)
    answer.callNumber = use.callNumber
    return answer
  }

  /// Returns a response as it is, or what the test sends in its place.
  private func controlled(_ response: StubResponse, _ match: RequestMatch) async -> StubResponse {
    guard response.isControlled else { return response }
    let call = StubCall(incoming.asSent, match)
    entry.begins(call, unless: client.hasLeft)
    beginWaitForTest()
    entry.waits(for: .call)
    defer { entry.waits(for: nil, .code) }
    return await call.response(response)
  }

  /// The request waits for the test from now on. If the test is over, it can't learn of that at its end.
  private func beginWaitForTest() {
    entry.asksClient()
    guard snapshot.testReport?.isOpen == false, let sentence = entry.untakenSentence else { return }
    RequestWarnings.add(.late, sentence)
  }

  /// Without a network, there is no server, whether a stub matches or not.
  private func offline(of stub: Stub? = nil) -> Answer {
    let response = StubResponse.failure(.notConnectedToInternet)
    return answer(.respond(response, stub: stub?.reference), of: stub, response)
  }

  /// - Parameters:
  ///   - stub: The stub, or `nil` for an unmatched request.
  ///   - response: Its response, as listeners learn it.
  private func answer(
    _ kind: Answer.Kind, of stub: Stub? = nil, _ response: @autoclosure () -> StubResponse? = nil
  ) -> Answer {
    guard snapshot.listeners.hearAnswers else { return Answer(kind: kind, incoming: incoming) }
    let response = stub.flatMap { stub in response().map { (stub, $0) } }
    return Answer(kind: kind, incoming: incoming, heard: DeferredRelease(RequestAnswer(incoming.asSent, by: response)))
  }

  // MARK: The rest

  private func later(_ rest: @escaping @Sendable () async -> Answer) -> Answer {
    Answer(kind: .later(rest: rest), incoming: incoming)
  }

  /// Continues where the user's closures can run without delaying anything, with the body, which is read unless that
  /// has happened.
  ///
  /// - Parameters:
  ///   - awaited: The user's closure that the rest waits for, or `nil` if none runs.
  ///   - reads: Whether the body is read. If not, a delegate is only asked for its stream.
  private func later(
    for awaited: Awaited? = nil, reads: Bool = true, _ rest: @escaping @Sendable (Answering) async -> Answer
  ) -> Answer {
    later { [self] in
      var answering = self
      answering.isInTask = true
      if incoming.isUnread {
        entry.waits(for: .body)
        do {
          if reads { try await answering.readBody() } else { try await incoming.askForStream() }
        } catch {
          entry.breaksBody()
          entry.waits(for: nil)
          return Answer(kind: .fail(error), incoming: incoming)
        }
      }
      entry.waits(for: awaited)
      defer { entry.waits(for: nil) }
      return await rest(answering)
    }
  }

  /// - Throws: An error if the body breaks off. A stream that ends after its client has cancelled the request may have
  ///   ended because of that.
  private mutating func readBody() async throws {
    let read = try await incoming.read()
    if incoming.file == nil, entry.isOver || client.hasLeft.call() { throw URLError(.cancelled) }
    incoming = read
    entry.endsBody(incoming.asSent)
  }
}

extension JournalEntry.Finding {
  fileprivate init(_ choice: StaticString, _ kind: RequestLife.Finding, isSent: Bool = true) {
    self.init(choice: choice, kind: kind, isSent: isSent)
  }

  fileprivate init(
    _ use: StubUse, _ match: RequestMatch, _ wait: RequestLife.Wait,
    unless hasLeft: Closure<@Sendable () -> Bool>? = nil
  ) {
    self.init(choice: "matched", kind: .answer(byStub: true, wait), use: use, match: match, hasLeft: hasLeft)
  }
}
