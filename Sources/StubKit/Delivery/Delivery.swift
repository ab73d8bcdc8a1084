import Foundation
import StubKitFormats

/// Plays a plan to a client.
///
/// It survives pausing, resuming and stopping at every step. Paused time doesn't count, and nothing is delivered
/// twice or after the end. Everything that needs no waiting is played before `play()` returns.
final class Delivery: @unchecked Sendable {
  // Safe because everything in it is touched on `queue` only.
  private var events: DeliveryEvents
  private let response: URLResponse?
  private let body: ResponseBody
  private let failure: (any Error)?
  private let gate: ResponseGate?
  private let source: (any ChunkSource)?
  private let client: any DeliveryClient
  private let queue: TimelineQueue
  private let timedOut: (Duration) -> URLError
  private let onMilestone: (Milestone) -> Reply
  private let willEnd: ((any Error)?) -> Void

  /// The number of bytes of the body that have been delivered.
  private(set) var deliveredLength = 0
  /// The chunk of a stream that is being delivered, and its position in the body.
  private var chunk = (start: 0, bytes: Data())
  private var state = State.paused(at: .zero, .asking)

  /// Where the delivery is. Times are those of the plan.
  private enum State {
    /// It waits for `play()`.
    case paused(at: Duration, Progress)
    /// It has played since a moment at which the plan's time was zero.
    case playing(since: Duration, Progress)
    /// A milestone waits for `release()`, and time stands still.
    case held(Event, at: Duration, isPaused: Bool)
    case over
  }

  /// What has to happen before the client is told of the next event.
  fileprivate enum Progress {
    /// The plan has yet to be asked for it.
    case asking
    /// Its time has not come. The timer runs while the delivery plays.
    case scheduled(Event, (any DeliveryTimer)?)
    /// It is due as soon as it has what it needs next.
    case needing(Need, Event)
    /// What it needs is on its way. The timer, if any, is the client's timeout.
    case waiting(Wait, Event, (any DeliveryTimer)?)
    /// The client can be told.
    case ready(Event, Supply)
  }

  /// What an event needs before the client can be told.
  fileprivate enum Need {
    /// The owner's reply to a milestone.
    case reply
    /// The receiver has the previous piece, so that pieces don't accumulate on the way.
    case receipt
    case chunk, opening
  }

  /// What a delivery waits for.
  fileprivate enum Wait {
    case receipt, chunk
    case opening(ResponseGate.Ticket)
  }

  /// What an event needed.
  fileprivate enum Supply {
    case nothing
    case chunk(ChunkSource.Chunk)
    /// A gate was closed when the delivery arrived, and is open now.
    case opening
  }

  fileprivate typealias Event = DeliveryPlan.Event

  /// What the owner of a delivery learns of before the client does.
  enum Milestone {
    case head
    /// The end of the body, or the error that takes the place of what is left.
    case end((any Error)?)
  }

  /// What an owner replies to a milestone.
  enum Reply { case proceed, wait }

  /// - Parameters:
  ///   - response: The head, or `nil` for a plan that fails.
  ///   - failure: The error of a plan that fails.
  ///   - gate: The gate that the plan waits for, if any.
  ///   - source: The source of the plan's chunks, if it has any.
  ///   - timedOut: Returns the error of a timeout at a time of the plan. It contains no URL, like the native loader's on Linux.
  ///   - onMilestone: Tells the owner of the delivery once that the head is due, or the end, before the client learns of
  ///     it. The owner replies whether the delivery proceeds, or waits for `release()`. By default, it proceeds.
  ///   - willEnd: A closure that is called once, just before the last call of the client, so that code that learns of
  ///     the end finds it recorded. It isn't called after `stop()`.
  init(
    plan: DeliveryPlan, response: URLResponse?, body: ResponseBody, failure: (any Error)? = nil,
    gate: ResponseGate? = nil, stream source: (any ChunkSource)? = nil, client: any DeliveryClient,
    queue: TimelineQueue, timedOut: @escaping (Duration) -> URLError = { _ in URLError(.timedOut) },
    onMilestone: @escaping (Milestone) -> Reply = { _ in .proceed },
    willEnd: @escaping ((any Error)?) -> Void
  ) {
    events = plan.makeIterator()
    self.response = response
    self.body = body
    self.failure = failure
    self.gate = gate
    self.source = source
    self.client = client
    self.queue = queue
    self.timedOut = timedOut
    self.onMilestone = onMilestone
    self.willEnd = willEnd
  }

  /// The time of the milestone that waits for `release()`.
  var timeReached: Duration { if case .held(let event, _, _) = state { event.time } else { .zero } }

  // MARK: Events

  /// Starts, or continues where `pause()` stopped. Has no effect while playing and after the end.
  func play() {
    switch state {
    case .paused(let elapsed, let progress):
      state = .playing(since: queue.now - elapsed, progress)
      proceed()
    case .held(let event, let elapsed, isPaused: true):
      state = .held(event, at: elapsed, isPaused: false)
    case .playing, .held, .over:
      break
    }
  }

  func pause() {
    switch state {
    case .playing(let start, let progress):
      state = .paused(at: queue.now - start, progress.withoutTimer())
    case .held(let event, let elapsed, isPaused: false):
      state = .held(event, at: elapsed, isPaused: true)
    case .paused, .held, .over:
      break
    }
  }

  /// Delivers what waits for its owner's reply, and continues with the rest: at once, or after a pause when it is played
  /// again. The time of the wait doesn't count. Has no effect if nothing waits.
  func release() {
    guard case .held(let event, let elapsed, let isPaused) = state else { return }
    state = .paused(at: elapsed, .ready(event, .nothing))
    if !isPaused { play() }
  }

  /// Ends without another call of the client.
  func stop() {
    switch state {
    case .playing(_, let progress), .paused(_, let progress):
      if case .waiting(.opening(let ticket), _, _) = progress.withoutTimer() { gate?.forget(ticket) }
    case .held, .over: break
    }
    state = .over
    source?.cancel()
  }

  /// What the next event waited for is there. This is too late if the delivery has ended meanwhile.
  private func supply(_ supply: Supply) {
    switch state {
    case .playing(let start, .waiting(_, let event, let timer)):
      timer?.cancel()
      state = .playing(since: start, .supplied(event, supply))
      proceed()
    case .paused(let elapsed, .waiting(_, let event, _)):
      state = .paused(at: elapsed, .supplied(event, supply))
    case .playing, .paused, .held, .over:
      break
    }
  }

  // MARK: Progress

  /// Plays on until something has to be waited for.
  ///
  /// The closures for what it waits for hold the delivery. Each of them ends soon, or is dropped by `stop()`.
  private func proceed() {
    // Asked once, because it changes only between two pieces of work on the queue, and asking a task takes a lock.
    lazy var isListening = client.isListening
    while case .playing(let start, let progress) = state {
      switch progress {
      case .asking:
        guard let event = events.next() else { return }
        state = .playing(since: start, .scheduled(event, nil))
      case .scheduled(let event, let timer):
        timer?.cancel()
        // Asking for the time costs more than most events without a delay.
        let deadline = min(start + event.time, .endOfTime)
        if event.time > .zero, deadline > queue.now {
          state = .playing(since: start, .scheduled(event, wait(until: deadline)))
          return
        }
        state = .playing(since: start, due(event))
      case .waiting(let wait, let event, let timer):
        timer?.cancel()
        guard wait.canTimeOut, queue.timeline.timesOutWaits, let limit = events.timeOutTime else { return }
        let deadline = min(start + limit, .endOfTime)
        guard deadline > queue.now else { return end(with: timedOut(limit)) }
        state = .playing(since: start, .waiting(wait, event, self.wait(until: deadline)))
        return
      // `suspend()` was called, but its message is behind this work on the queue. A later `play()` continues.
      case .needing where !isListening, .ready where !isListening:
        return pause()
      case .needing(let need, let event):
        meet(need, of: event)
      case .ready(let event, let supply):
        state = .playing(since: start, .asking)
        tell(event, supply)
      }
    }
  }

  private func wait(until deadline: Duration) -> any DeliveryTimer {
    queue.schedule(at: deadline) { [self] in proceed() }
  }

  /// Returns what an event whose time has come needs first.
  private func due(_ event: Event) -> Progress {
    switch event.step {
    case .sent: .ready(event, .nothing)
    case .head, .finish, .fail, .timeOut: .needing(.reply, event)
    case .gate: .needing(.opening, event)
    case .piece(let range): range.lowerBound > chunk.start ? .needing(.receipt, event) : .ready(event, .nothing)
    case .pull: .needing(deliveredLength > 0 ? .receipt : .chunk, event)
    }
  }

  private func meet(_ need: Need, of event: Event) {
    switch need {
    case .reply:
      announce(event)
    case .receipt:
      move(to: .waiting(.receipt, event, nil))
      if client.notifyWhenDelivered({ [self] in supply(.nothing) }) { return }
      guard body.isOpen else { return move(to: .supplied(event, .nothing)) }
      // A long file lets others on the queue between two pieces.
      let begun = queue.timeline.begin()
      queue.perform { [self] in
        supply(.nothing)
        queue.timeline.end(begun)
      }
    case .chunk:
      guard let source else { return move(to: .ready(event, .chunk(.success(nil)))) }
      if let elapsed { events.pulled(at: elapsed) }
      move(to: .waiting(.chunk, event, nil))
      source.pull { [self] chunk in queue.perform { [self] in supply(.chunk(chunk)) } }
    case .opening:
      let ticket = gate?.wait { [self] in queue.perform { [self] in supply(.opening) } }
      move(to: ticket.map { .waiting(.opening($0), event, nil) } ?? .ready(event, .nothing))
    }
  }

  private func announce(_ event: Event) {
    let milestone: Milestone =
      switch event.step {
      case .head: .head
      case .timeOut: .end(timedOut(event.time))
      case .fail: .end(failure ?? URLError(.unknown))
      default: .end(nil)
      }
    let reply = onMilestone(milestone)
    switch (reply, state) {
    case (_, .held), (_, .over): break
    case (.proceed, _): move(to: .ready(event, .nothing))
    case (.wait, .playing(let start, _)): state = .held(event, at: queue.now - start, isPaused: false)
    case (.wait, .paused(let elapsed, _)): state = .held(event, at: elapsed, isPaused: true)
    }
  }

  private func move(to progress: Progress) {
    switch state {
    case .playing(let start, _): state = .playing(since: start, progress)
    case .paused(let elapsed, _): state = .paused(at: elapsed, progress)
    case .held, .over: break
    }
  }

  /// The time of the plan while the delivery plays.
  private var elapsed: Duration? { if case .playing(let start, _) = state { queue.now - start } else { nil } }

  // MARK: The client

  private func tell(_ event: Event, _ supply: Supply) {
    switch (event.step, supply) {
    case (.sent(let range), _):
      client.didSend(range.count)
    case (.gate, .opening):
      events.waited(timeWaited(since: event.time))
    case (.pull, .chunk(let chunk)):
      take(chunk, at: event.time + timeWaited(since: event.time))
    case (.gate, _), (.pull, _):
      // A gate that was already open takes no time, and a pull is ready only with its chunk.
      break
    case (.head, _):
      if let response { client.receive(response) }
    case (.piece(let range), _):
      do { try tell(range) } catch { end(with: error) }
    case (.finish, _):
      do { try client.prepareToFinish() } catch { return end(with: error) }
      stop()
      willEnd(nil)
      client.finish()
    case (.fail, _):
      end(with: failure ?? URLError(.unknown))
    case (.timeOut, _):
      end(with: timedOut(event.time))
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

  /// Returns how long the client has waited for something without a time of its own.
  private func timeWaited(since time: Duration) -> Duration {
    guard case .playing(let start, let progress) = state, let elapsed else { return .zero }
    if queue.timeline.timesOutWaits { return elapsed - time }
    state = .playing(since: start + (elapsed - time), progress)
    return .zero
  }

  private func tell(_ range: Range<Int>) throws {
    deliveredLength += range.count
    if let whole = body.data, source == nil, range.count == whole.count {
      return try client.receive(whole, isWhole: true)
    }
    let piece =
      source == nil
      ? try body.piece(range) : chunk.bytes.piece(range.lowerBound - chunk.start..<range.upperBound - chunk.start)
    try client.receive(piece, isWhole: false)
  }

  private func end(with error: any Error) {
    stop()
    willEnd(error)
    client.fail(error)
  }
}

extension Delivery.Progress {
  /// The next step after what an event waited for is there.
  fileprivate static func supplied(_ event: DeliveryPlan.Event, _ supply: Delivery.Supply) -> Self {
    // The previous piece has arrived.
    if case (.nothing, .pull) = (supply, event.step) { .needing(.chunk, event) } else { .ready(event, supply) }
  }

  /// Cancels the timer, if any.
  fileprivate func withoutTimer() -> Self {
    switch self {
    case .scheduled(let event, let timer):
      timer?.cancel()
      return .scheduled(event, nil)
    case .waiting(let wait, let event, let timer):
      timer?.cancel()
      return .waiting(wait, event, nil)
    case .asking, .needing, .ready:
      return self
    }
  }
}

extension Delivery.Wait {
  /// A Boolean value that indicates whether the client's timeout goes on. Other waits are StubKit's own.
  fileprivate var canTimeOut: Bool {
    switch self {
    case .opening, .chunk: true
    case .receipt: false
    }
  }
}
