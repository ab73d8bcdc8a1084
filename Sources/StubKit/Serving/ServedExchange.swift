import Foundation
import StubKitFormats

/// One request that arrived over a connection, and its answer: the same search, plan and delivery as for a task of
/// URLSession.
///
/// Use it on its queue only.
package final class ServedExchange: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on `queue` only.
  private let scope: ServingScope
  private let request: URLRequest
  private let queue: any DeliveryQueue
  private let timeline: (any Timeline)?
  private let isObserved: Bool
  private let misses: MissCollection?
  /// The client, or `nil` after its last call. It holds this exchange.
  private var client: (any ServedClient)?
  private var phase = Phase.open
  private var entry: RequestJournal.EntryID?
  private var observation: StubObservation?
  private var closures: RequesterTask?
  /// The status of the head that was sent.
  private var status: Int?

  private enum Phase {
    /// StubKit has yet to decide what happens to the request.
    case open
    case delivering(Delivery)
    case over(RecordedRequest.Outcome)

    var isOpen: Bool { if case .open = self { true } else { false } }
  }

  private var registry: StubRegistry { scope.registry }
  private var incoming: IncomingRequest { IncomingRequest(request) }

  /// - Parameter request: The request with its body in `httpBody`.
  package init(_ request: URLRequest, in scope: ServingScope, client: any ServedClient, on queue: any ServingQueue) {
    self.scope = scope
    self.request = request
    self.client = client
    let acceptance = scope.registry.acceptance
    timeline = acceptance?.timeline
    isObserved = acceptance?.isObserved ?? false
    misses = acceptance?.misses
    let own = ServedQueue(queue: queue)
    self.queue = timeline.map { TimelineQueue(queue: own, timeline: $0) } ?? own
  }

  /// Begins. Everything that needs no waiting happens before this returns.
  package func start() {
    guard registry.isEnabled else { return passThrough() }
    Trace.log("taken", request)
    queue.begin()
    defer { queue.end() }
    let observers = isObserved ? registry.observers : nil
    switch registry.answer(incoming, observers: observers, misses: misses, on: timeline, from: scope.origin) {
    case .answered(let answer):
      take(answer)
    case .unfinished(let entry, let rest):
      self.entry = entry
      run(rest) { [self] in take($0) }
    }
  }

  /// The client went away.
  package func cancel() { end(.cancelled) }

  /// The client went away after it had received everything, and before the end was due.
  package func complete() { end(status.map { .answered(status: $0) } ?? .cancelled) }

  /// Cuts the answer off, because nobody serves it any more.
  ///
  /// - Parameter error: The error for the journal.
  package func cut(_ error: any Error) {
    guard let client else { return }
    end(.failed(error))
    client.fail(.cut)
  }

  /// The error of an exchange whose scope has ended.
  package static var scopeEnded: any Error { StubScopeEndedError() }

  // MARK: The answer

  private func take(_ answer: Answer) {
    entry = answer.entry
    observation = answer.observation
    if case .over(let outcome) = phase { return settle(outcome) }
    switch answer.kind {
    case .respond(let response, let stub): respond(response, CallRandomness(stub: stub, call: answer.call))
    case .passThrough: passThrough()
    case .fail(let error): fail(with: error, error is URLError ? .meant(error) : .mistaken(error))
    case .unmatched(let report):
      // A long report would delay the requests of other connections.
      queue.away(report) { [self] error in
        fail(with: error, .unmatched(error))
      }
    }
  }

  private func respond(_ response: StubResponse, _ randomness: CallRandomness) {
    if let reason = response.problem { return fail(mistake: StubResponseError(stub: randomness.stub, reason: reason)) }
    guard response.body.isClosed else {
      return deliver(response, randomness, body: response.body.opened(by: randomness.stub))
    }
    queue.away {
      response.body.opened(by: randomness.stub)
    } then: { [self] body in
      deliver(response, randomness, body: body)
    }
  }

  private func deliver(
    _ response: StubResponse, _ randomness: CallRandomness, body opened: Result<ResponseBody, StubResponseError>
  ) {
    guard phase.isOpen, let client else { return }
    let whole: ResponseBody
    switch opened {
    case .success(let open): whole = open
    case .failure(let error): return fail(mistake: error)
    }
    let (response, body) = response.selected(for: request, of: whole)
    var sent = response.transmission(
      for: request.httpMethod, of: body, conditions: registry.network, randomness: randomness)
    var pump: StreamPump?
    if let stream = sent.stream {
      guard let iteration = stream.claim() else { return fail(mistake: StreamAlreadyUsedError(stub: randomness.stub)) }
      let collection = BodyCollection(.nothing)
      sent.body = .collected(collection)
      // Weakly, because the exchange holds the delivery that holds this.
      pump = StreamPump(iteration, collection: collection) { [weak self] work in
        self?.withTaskForClosures { $0.run(work) }
      }
    }
    let content = response.headContent(bodyLength: body.count)
    let head = ServedHead(status: content.status, headers: content.headers.adding(length: content.addedLength))
    let hasBody = !response.dropsBody(for: request.httpMethod)
    let recorded = RecordedRequest.Response(
      response, length: body.count, content: sent.body.data, contentLength: sent.body.count, isDropped: !hasBody)
    let failure = sent.failure?.naming(request)
    // The body has arrived already. Over a slow network, it still takes its time.
    sent.plan.requestLength = sent.plan.uplink == nil || !sent.reachesServer ? 0 : request.httpBody?.count ?? 0
    play(
      Delivery(
        plan: sent.plan, response: nil, body: sent.body, failure: failure,
        gate: sent.gate, stream: pump, client: Receiver(client: client, queue: queue), queue: queue,
        onMilestone: { [self] milestone in
          switch milestone {
          case .head:
            if let entry { registry.journal.respond(entry, with: recorded) }
            // The delivery itself passes on only the heads of URLSession.
            status = head.status
            client.receive(head, hasBody: hasBody)
            return .proceed
          case .end(let error):
            return tellObservers(error)
          }
        }
      ) { [self] error in
        end(error.map { .failed($0) } ?? .answered(status: response.status))
      })
  }

  private func play(_ delivery: Delivery) {
    phase = .delivering(delivery)
    delivery.play()
  }

  private func fail(mistake: any Error) { fail(with: mistake, .mistaken(mistake)) }

  private func fail(with error: any Error, _ failure: ServedFailure) {
    guard phase.isOpen, let client else { return }
    end(.failed(error))
    client.fail(failure)
  }

  private func passThrough() {
    guard phase.isOpen, let client else { return }
    let recording = registry.isEnabled ? registry.recorder(of: request, from: scope.origin)?.begin(request) : nil
    end(.passedThrough)
    client.passThrough(request, recording: recording)
  }

  // MARK: The end

  private func end(_ outcome: RecordedRequest.Outcome) {
    if case .over = phase { return }
    var sentLength = 0
    if case .delivering(let delivery) = phase {
      sentLength = delivery.deliveredLength
      delivery.stop()
    }
    phase = .over(outcome)
    client = nil
    settle(outcome, sentLength: sentLength)
    closures?.cancel()
    closures = nil
  }

  private func settle(_ outcome: RecordedRequest.Outcome, sentLength: Int = 0) {
    if let entry { registry.journal.end(entry, outcome, sentLength: sentLength) }
    entry = nil
    observation.take()?.endLater(outcome, in: registry, on: queue)
  }

  // MARK: The user's closures

  /// Runs the user's closures, and continues on the queue.
  private func run<Outcome: Sendable>(
    _ work: @escaping @Sendable () async -> Outcome, then proceed: @escaping @Sendable (Outcome) -> Void
  ) {
    withTaskForClosures { [queue] task in
      task.run(work) { outcome in queue.performHere { proceed(outcome) } }
    }
  }

  private func withTaskForClosures(_ body: @escaping @Sendable (RequesterTask) -> Void) {
    if let closures { return body(closures) }
    queue.begin()
    scope.start { [self] in
      let task = RequesterTask(on: timeline?.executor)
      // Before the work, so that it finds the task if it runs more.
      queue.perform { [self] in
        if case .over = phase { task.cancel() } else { closures = task }
      }
      body(task)
      queue.end()
    }
  }

  /// The end waits until the observers have learned of it.
  private func tellObservers(_ error: (any Error)?) -> Delivery.Reply {
    guard let observation, case .delivering(let held) = phase else { return .proceed }
    run {
      observation.end(error)
    } then: { [self] in
      guard case .delivering(let current) = phase, current === held else { return }
      self.observation = nil
      held.release()
    }
    return .wait
  }
}

/// Passes a delivery on to a client.
private struct Receiver: DeliveryClient {
  let client: any ServedClient
  let queue: any DeliveryQueue

  var isListening: Bool { true }
  var takesPieces: Bool { true }
  var timeOutFailure: any Error { URLError(.timedOut) }

  func didSend(_ byteCount: Int) {}
  func receive(_ response: URLResponse) {}
  func receive(byteCount: Int) {}
  func receive(_ piece: Data, isWhole: Bool) { client.receive(piece) }
  func finish() { client.finish() }
  func fail(_ error: any Error) { client.fail(.meant(error)) }

  func notifyWhenDelivered(_ completion: @escaping @Sendable () -> Void) -> Bool {
    client.notifyWhenDelivered { [queue] in
      queue.begin()
      completion()
      queue.end()
    }
  }

  func prepareToFinish(
    with body: ResponseBody, unless flag: CancellationFlag, completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> Bool { false }
}
