import Foundation

/// Plays a schedule to a client.
///
/// It survives pausing, resuming and stopping at every step. Paused time doesn't count, and nothing is delivered
/// twice or after the end. Everything that needs no waiting is played before `play()` returns.
final class Delivery: @unchecked Sendable {
  // Safe because everything in it is touched on `queue` only.
  private var events: DeliveryEvents
  private let schedule: ResponseSchedule
  private let response: URLResponse?
  private let source: (any ChunkSource)?
  private let client: any DeliveryClient
  private let queue: TimelineQueue
  private let waitsAt: (Milestone) -> Bool
  private let waitsFor: (Need?) -> Void
  private let willEnd: ((any Error)?) -> Void

  /// The number of bytes of the body that have been delivered.
  private(set) var deliveredLength = 0
  /// The chunk of a stream that is being delivered, and its position in the body.
  private var chunk = (start: 0, bytes: Data())
  private var stage = Stage.idle
  private var isPaused = true
  /// The moment at which the plan's time was zero, or `nil` while that time stands still: before the start, in a pause,
  /// and while the owner decides about a milestone.
  private var start: Duration?
  /// The plan's time when it last stood still.
  private var timeReached = Duration.zero
  private var timer: DeliveryTimer?
  /// The number of timers so far.
  private var timerCount = 0
  /// The ticket of the gate that is awaited.
  private var ticket: UInt64?

  /// What must happen before the client receives the next event.
  private enum Stage {
    /// The plan must be asked for it.
    case idle
    /// Its time must come.
    case scheduled(Event)
    /// It must get what it needs first.
    case needing(Need, Event)
    /// What it needs is on its way.
    case waiting(for: Need, Event)
    /// Nothing. A pull has its chunk.
    case ready(Event, ChunkSource.Chunk?)
    case over
  }

  /// What an event needs before the client can be told.
  enum Need {
    /// The owner's reply to a milestone.
    case reply
    /// The receiver has the previous piece, so that pieces don't accumulate on the way.
    case receipt
    case chunk
    /// The gate is open.
    case opening
  }

  private typealias Event = DeliveryPlan.Event

  /// What the owner of a delivery learns of before the client does.
  enum Milestone {
    case head
    /// The end of the body, or the error that takes the place of what is left.
    case end((any Error)?)
  }

  /// - Parameters:
  ///   - response: The head, or `nil` for a plan that fails.
  ///   - source: The source of the plan's chunks, if it has any.
  ///   - waitsAt: Tells the owner of the delivery once that the head is due, or the end, before the client learns of
  ///     it. The owner replies whether the delivery waits for `release()`.
  ///   - waitsFor: A closure that is called when the delivery begins to wait for a chunk or a gate, and with `nil` when
  ///     that is there.
  ///   - willEnd: A closure that is called once, just before the last call of the client, so that code that learns of
  ///     the end finds it recorded. It isn't called after `stop()`.
  init(
    _ schedule: ResponseSchedule, response: URLResponse?, stream source: (any ChunkSource)?,
    client: any DeliveryClient, queue: TimelineQueue, waitsAt: @escaping (Milestone) -> Bool,
    waitsFor: @escaping (Need?) -> Void, willEnd: @escaping ((any Error)?) -> Void
  ) {
    events = schedule.plan.makeIterator()
    self.schedule = schedule
    self.response = response
    self.source = source
    self.client = client
    self.queue = queue
    self.waitsAt = waitsAt
    self.waitsFor = waitsFor
    self.willEnd = willEnd
  }

  /// A Boolean value that indicates whether it waits for `release()`.
  var isHeld: Bool { if case .waiting(for: .reply, _) = stage { true } else { false } }

  /// A Boolean value that indicates whether its end comes soon, and by itself: within a second of real time, or
  /// whenever, if no time passes meanwhile. On a manual clock, the test decides about each moment.
  private(set) lazy var comesByItself: Bool = {
    guard let duration = schedule.plan.duration else { return false }
    return queue.timeline.isWatched
      ? duration == .zero : !queue.timeline.timesOutWaits || duration <= .seconds(1)
  }()

  // MARK: Events

  /// Starts, or continues where `pause()` stopped. Has no effect while playing and after the end.
  func play() {
    guard isPaused else { return }
    isPaused = false
    if isHeld { return }
    goOn()
  }

  func pause() {
    isPaused = true
    stopTime()
  }

  /// Delivers what waits for its owner's reply, and continues with the rest: at once, or after a pause when it is
  /// played again. The time of the wait doesn't count. Has no effect if nothing waits.
  func release() {
    guard case .waiting(for: .reply, let event) = stage else { return }
    stage = .ready(event, nil)
    if !isPaused { goOn() }
  }

  /// Ends without another call of the client.
  func stop() {
    stage = .over
    stopTime()
    if let ticket = ticket.take() { schedule.gate?.forget(ticket) }
    source?.cancel()
  }

  /// What the next event waited for is there. This is too late if the delivery has ended meanwhile.
  private func supply(_ chunk: ChunkSource.Chunk?) {
    guard case .waiting(for: let need, let event) = stage, need != .reply else { return }
    if need != .receipt { waitsFor(nil) }
    supply(chunk, for: event)
    advance()
  }

  private func supply(_ chunk: ChunkSource.Chunk?, for event: Event) {
    // A pull needs the receipt of the previous piece before its chunk.
    stage = if event.step == .pull, chunk == nil { .needing(.chunk, event) } else { .ready(event, chunk) }
  }

  // MARK: Time

  private func goOn() {
    start = queue.now - timeReached
    advance()
  }

  private func stopTime() {
    timer.take()?.cancel()
    if let start = start.take() { timeReached = queue.now - start }
  }

  /// Returns `false` if the plan has already reached a time, and otherwise advances when it does.
  private func wait(until time: Duration, from start: Duration) -> Bool {
    let deadline = min(start + time, .endOfTime)
    guard deadline > queue.now else { return false }
    timerCount += 1
    timer = queue.schedule(at: deadline) { [self, timerCount] in
      // To cancel one that has fired would only take a lock.
      if timerCount == self.timerCount { timer = nil }
      advance()
    }
    return true
  }

  /// Returns how long the client has waited for something without a time of its own.
  private func timeWaited(since time: Duration) -> Duration {
    guard let start else { return .zero }
    let waited = queue.now - start - time
    if queue.timeline.timesOutWaits { return waited }
    self.start = start + waited
    return .zero
  }

  // MARK: Progress

  /// Plays on until something has to be waited for.
  ///
  /// The closures for what it waits for keep the delivery. Each of them ends soon, or is dropped by `stop()`.
  private func advance() {
    timer.take()?.cancel()
    // Asked once, because it changes only between two pieces of work on the queue, and asking a task takes a lock.
    lazy var isListening = client.isListening
    while let start {
      switch stage {
      case .idle:
        guard let event = events.next() else { return }
        stage = .scheduled(event)
      case .scheduled(let event):
        // Asking for the time costs more than most events without a delay.
        if event.time > .zero, wait(until: event.time, from: start) { return }
        stage = due(event)
      case .waiting(for: let need, _):
        // The client's timeout goes on while a gate or a stream is awaited. Other waits are StubKit's own.
        guard need == .opening || need == .chunk, queue.timeline.timesOutWaits, let limit = events.timeOutTime,
          !wait(until: limit, from: start)
        else { return }
        return end(with: schedule.timeout(at: limit, isSkipped: false))
      // `suspend()` was called, but its message is behind this work on the queue. A later `play()` continues.
      case .needing where !isListening, .ready where !isListening:
        return pause()
      case .needing(let need, let event):
        stage = .waiting(for: need, event)
        meet(need, of: event)
      case .ready(let event, let chunk):
        stage = .idle
        tell(event, chunk)
      case .over:
        return
      }
    }
  }

  /// Returns what an event whose time has come needs first.
  private func due(_ event: Event) -> Stage {
    switch event.step {
    case .sent: .ready(event, nil)
    case .head, .finish, .fail, .timeOut: .needing(.reply, event)
    case .gate: .needing(.opening, event)
    case .piece(let range): range.lowerBound > chunk.start ? .needing(.receipt, event) : .ready(event, nil)
    case .pull: .needing(deliveredLength > 0 ? .receipt : .chunk, event)
    }
  }

  private func meet(_ need: Need, of event: Event) {
    switch need {
    case .reply:
      if waitsAt(event.step == .head ? .head : .end(error(of: event))) { return stopTime() }
      // The owner can have ended the delivery.
      if case .waiting = stage { supply(nil, for: event) }
    case .receipt:
      if client.notifyWhenDelivered({ [self] in supply(nil) }) { return }
      guard schedule.body.isOpen else { return supply(nil, for: event) }
      // A long file lets others on the queue between two pieces.
      queue.perform { [self] in supply(nil) }
    case .chunk:
      guard let source else { return supply(.success(nil), for: event) }
      if let start { events.pulled(at: queue.now - start) }
      waitsFor(.chunk)
      source.pull { [self] chunk in queue.perform { [self] in supply(chunk) } }
    case .opening:
      ticket = schedule.gate?.wait { [self] in queue.perform { [self] in supply(nil) } }
      if ticket == nil { supply(nil, for: event) } else { waitsFor(.opening) }
    }
  }

  /// Returns the error with which an event ends the load, if there is one.
  private func error(of event: Event) -> (any Error)? {
    switch event.step {
    case .fail: schedule.failure ?? URLError(.unknown)
    // Only the immediate clock skips time without the test.
    case .timeOut: schedule.timeout(at: event.time, isSkipped: !queue.timeline.timesOutWaits)
    default: nil
    }
  }

  // MARK: The client

  private func tell(_ event: Event, _ chunk: ChunkSource.Chunk?) {
    switch event.step {
    case .sent(let range):
      client.didSend(range.count)
    case .gate:
      // A gate that was already open takes no time.
      if ticket != nil { events.waited(timeWaited(since: event.time)) }
    case .pull:
      if let chunk { take(chunk, at: event.time + timeWaited(since: event.time)) }
    case .head:
      if let response { client.receive(response) }
    case .piece(let range):
      do { try tellPiece(at: range) } catch { end(with: error) }
    case .finish, .fail, .timeOut:
      end(with: error(of: event))
    }
  }

  /// Takes a chunk that was pulled, or the end of the stream.
  private func take(_ pulled: ChunkSource.Chunk, at time: Duration) {
    switch pulled {
    case .success(let bytes?):
      chunk = (chunk.start + chunk.bytes.count, bytes)
      events.received(bytes.count, at: time)
    case .success(nil):
      events.streamEnded(at: time)
    case .failure(let error):
      end(with: error)
    }
  }

  private func tellPiece(at range: Range<Int>) throws {
    deliveredLength += range.count
    let piece =
      source == nil
      ? try schedule.body.piece(range)
      : chunk.bytes.piece(range.lowerBound - chunk.start..<range.upperBound - chunk.start)
    try client.receive(piece, isWhole: source == nil && range.count == schedule.body.data?.count)
  }

  private func end(with error: (any Error)?) {
    stop()
    willEnd(error)
    if let error { client.fail(error) } else { client.finish() }
  }
}

/// The receiver of a delivery. It hides what the `URLProtocolClient` of each platform gets wrong.
///
/// Call it only on the delivery's queue.
protocol DeliveryClient {
  /// A Boolean value that indicates whether the client can receive anything now. Read it on the queue. It changes there
  /// too, between two pieces of work.
  var isListening: Bool { get }

  /// Tells the client that a number of bytes of the request's body were sent.
  func didSend(_ byteCount: Int)

  func receive(_ response: URLResponse)

  /// - Parameter isWhole: Whether the piece is the whole body.
  /// - Throws: An error if the client can't keep the piece.
  func receive(_ piece: Data, isWhole: Bool) throws

  /// Runs `completion` on the queue when the receiver has got what was delivered. Returns `false`, and doesn't run it,
  /// if the receiver has got it already.
  func notifyWhenDelivered(_ completion: @escaping Work) -> Bool

  /// Ends the load.
  func finish()
  func fail(_ error: any Error)
}
