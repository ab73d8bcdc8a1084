import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request on its way from `startLoading` to its last client call.
///
/// Cancel, suspend and resume may come at any step; after the end nothing more is told to anyone.
final class Load: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on `queue` only, where URLSession calls its loader too.
  private let request: URLRequest
  private let handOver: HandOver
  /// Nil once nothing more is to be told: it holds the loader, which holds this load.
  private var client: LoadClient?
  private let queue: any DeliveryQueue

  private var phase = Phase.new
  private var isPaused = false
  private var entry: RequestJournal.EntryID?
  private var ticket: LoadsInFlight.Ticket?
  private var closures: RequesterTask?

  private enum Phase {
    case new
    /// Something away from the queue is under way: the user's closures, or the reading of a file.
    case waiting
    case delivering(Delivery)
    /// The system's own loader has the task.
    case passedThrough(URLProtocol)
    case over(RecordedRequest.Outcome)

    /// Whether it is still open what becomes of the request.
    var isOpen: Bool {
      switch self {
      case .new, .waiting: true
      case .delivering, .passedThrough, .over: false
      }
    }
  }

  init(of loader: URLProtocol, task: URLSessionTask, handOver: HandOver) {
    request = loader.request
    self.handOver = handOver
    queue = Platform.queue(of: task)
    client = LoadClient(loader: loader, task: task, queue: queue)
  }

  private var registry: StubRegistry { handOver.registry }

  /// Begins, or goes on after `pause()`; ignored while it is going on.
  func start() {
    let wasPaused = isPaused
    isPaused = false
    Platform.arrive(at: queue)
    switch phase {
    case .new: begin()
    case .waiting, .over: break
    case .delivering(let delivery): delivery.play()
    case .passedThrough(let loader): if wasPaused { loader.startLoading() }
    }
  }

  func pause() {
    isPaused = true
    switch phase {
    case .new, .waiting, .over: break
    case .delivering(let delivery): delivery.pause()
    case .passedThrough(let loader): loader.stopLoading()
    }
  }

  /// The task was cancelled, or is done.
  func stop() {
    if case .passedThrough(let loader) = phase, let task = loader.task, task.state == .canceling {
      // The system's loader traps when it is stopped for a cancellation whose error is not set. An older piece of news
      // brought us here, and the cancellation's own call is on its way.
      guard task.error != nil else { return }
      loader.stopLoading()
    }
    end(.cancelled)
  }

  private func begin() {
    guard let client else { return }
    client.prepare()
    switch registry.answer(client.incoming(request)) {
    case .answered(let answer):
      take(answer)
    case .unfinished(let entry, let rest):
      self.entry = entry
      guard wait() else { return }
      closures = handOver.run { [self] in
        let answer = await rest()
        queue.perform { self.take(answer) }
      }
    }
  }

  /// False when there is nothing to wait for: the load's scope is over.
  private func wait() -> Bool {
    phase = .waiting
    return trackInFlight()
  }

  /// Fails at once, and is false, when the load's scope ended before the load began.
  @discardableResult
  private func trackInFlight() -> Bool {
    guard ticket == nil else { return true }
    ticket = registry.loads.add(of: handOver.era) { [self] error in queue.perform { self.fail(with: error) } }
    if ticket == nil { fail(with: StubScopeEndedError()) }
    return ticket != nil
  }

  private func take(_ answer: Answer) {
    entry = answer.entry
    if case .over(let outcome) = phase { return registry.journal.end(answer.entry, outcome) }
    // The scope may have ended meanwhile, and the failure wait for a suspended task.
    guard phase.isOpen else { return }
    switch answer.kind {
    case .respond(let response, let stub, let head): respond(response, by: stub, keeping: head)
    case .passThrough: passThrough()
    case .fail(let error): fail(with: error)
    }
  }

  private func respond(_ response: StubResponse, by stub: StubReference?, keeping head: ResponseHeadCache?) {
    if let reason = response.problem { return fail(with: StubResponseError(stub: stub, reason: reason)) }
    guard !response.body.isInMemory else {
      return deliver(response, body: response.loadedBody, by: stub, keeping: head)
    }
    guard wait() else { return }
    DispatchQueue.global().async { [self] in
      let body = response.loadedBody
      queue.perform { self.deliver(response, body: body, by: stub) }
    }
  }

  private func deliver(
    _ response: StubResponse, body loadedBody: Result<Data, StubResponseError.Reason>, by stub: StubReference?,
    keeping heads: ResponseHeadCache? = nil
  ) {
    let body: Data
    switch loadedBody {
    case .success(let data): body = data
    case .failure(let reason): return fail(with: StubResponseError(stub: stub, reason: reason))
    }
    guard phase.isOpen, let client else { return }
    let told = response.dropsBody(for: request.httpMethod) ? Data() : body
    let plan = DeliveryPlan(
      bodyLength: told.count, delay: response.delay, pace: response.pace, fails: response.failure != nil)
    let head = response.failure == nil ? response.head(for: request, bodyLength: body.count, keeping: heads) : nil
    let status = response.status
    let delivery = Delivery(
      plan: plan, response: head, body: told, failure: response.failure, client: client, queue: queue
    ) { [self] error in
      end(error.map { .failed($0) } ?? .answered(status: status))
    }
    phase = .delivering(delivery)
    if !isPaused { delivery.play() }
    if case .delivering = phase { trackInFlight() }
  }

  private func passThrough() {
    let isLooking = client?.lookIntoCache { self.passThrough(cached: $0) } ?? false
    if isLooking { phase = .waiting } else { passThrough(cached: nil) }
  }

  private func passThrough(cached: CachedURLResponse?) {
    guard phase.isOpen else { return }
    guard let loader = client?.nativeLoader(cached) else {
      return fail(with: URLError(.unsupportedURL, userInfo: [NSURLErrorFailingURLErrorKey: request.url as Any]))
    }
    phase = .passedThrough(loader)
    client = nil
    finish(.passedThrough)
    if !isPaused { loader.startLoading() }
  }

  /// Fails at once, whatever it was about to tell. While the task is suspended the failure waits for its resumption.
  private func fail(with error: any Error) {
    guard let client else { return }
    if case .delivering(let delivery) = phase { delivery.stop() }
    let delivery = Delivery(
      plan: DeliveryPlan(bodyLength: 0, fails: true), response: nil, body: Data(), failure: error, client: client,
      queue: queue
    ) { [self] error in
      end(.failed(error ?? URLError(.unknown)))
    }
    phase = .delivering(delivery)
    if !isPaused { delivery.play() }
  }

  private func end(_ outcome: RecordedRequest.Outcome) {
    if case .over = phase { return }
    if case .delivering(let delivery) = phase { delivery.stop() }
    phase = .over(outcome)
    client = nil
    finish(outcome)
    closures?.cancel()
    closures = nil
    Platform.leave(queue)
  }

  /// Settles the journal entry and lets go of the registry.
  private func finish(_ outcome: RecordedRequest.Outcome) {
    if let entry { registry.journal.end(entry, outcome) }
    if let ticket { registry.loads.remove(ticket) }
    ticket = nil
  }
}

extension StubResponse {
  fileprivate var loadedBody: Result<Data, StubResponseError.Reason> {
    do { return .success(try body.load()) } catch { return .failure(error) }
  }
}
