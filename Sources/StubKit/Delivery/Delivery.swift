import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Plays a plan to a client.
///
/// It survives pause, resumption and stop at every step: paused time does not count, and nothing is told twice or after
/// the end. What it plays without waiting, it plays before `play()` returns.
final class Delivery: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on `queue` only.
  private var plan: DeliveryPlan
  private let response: URLResponse?
  private let body: DeliveryBody
  private let failure: (any Error)?
  private let passage: GatePassage?
  private let chunks: ChunkReader?
  private let client: any DeliveryClient
  private let queue: any DeliveryQueue
  private let holds: (DeliveryPlan.Step) -> Bool
  private let willEnd: ((any Error)?) -> Void

  /// How many bytes of the body were told.
  private(set) var toldLength = 0
  /// When the step that is held is due, by the plan.
  var timeReached: Time { upcoming?.time ?? .zero }
  private var state = State.paused(after: .zero)
  private var upcoming: DeliveryPlan.Event?
  private var timer: (any DeliveryTimer)?
  /// Of a stream, that of one chunk: nobody knows how many there are to come.
  private var course: Course?
  private var arrival = Arrival.none
  private var reading = Errand<Result<Data, any Error>>.none
  private var preparation = Errand<(any Error)?>.none
  private let preparing = CancellationFlag()
  private var released: DeliveryPlan.Step?

  private enum State {
    case paused(after: Time)
    /// Playing since a moment at which the plan's time was zero.
    case playing(since: Time)
    /// A step is due, and waits for `release()`.
    case holding(after: Time, isPaused: Bool)
    case over
  }

  private enum Errand<Outcome> {
    case none
    case underWay
    case done(Outcome)
  }

  private enum Arrival {
    case none
    /// A piece was told, and nobody has asked yet where it is.
    case told
    case underWay
  }

  /// - Parameters:
  ///   - response: The head; nil for a plan that fails.
  ///   - failure: What a plan that fails fails with.
  ///   - gate: What the plan waits for, if it does.
  ///   - stream: Where the plan's chunks come from, if it has any.
  ///   - holds: Asked of the head and of the end, when they are due, whether to hold them until `release()`; never by
  ///     default.
  ///   - willEnd: Called once, just before the last client call, so that whoever hears of the end finds it recorded; not after
  ///     `stop()`.
  init(
    plan: DeliveryPlan, response: URLResponse?, body: DeliveryBody, failure: (any Error)? = nil,
    gate: ResponseGate? = nil, stream: (any ChunkSource)? = nil, client: any DeliveryClient,
    queue: any DeliveryQueue, holds: @escaping (DeliveryPlan.Step) -> Bool = { _ in false },
    willEnd: @escaping ((any Error)?) -> Void
  ) {
    self.plan = plan
    self.response = response
    self.body = body
    self.failure = failure
    passage = gate.map(GatePassage.init)
    chunks = stream.map(ChunkReader.init)
    self.client = client
    self.queue = queue
    self.holds = holds
    self.willEnd = willEnd
  }

  /// Starts, or goes on where `pause()` stopped. Ignored while playing and after the end.
  func play() {
    switch state {
    case .paused(let elapsed):
      state = .playing(since: queue.now - elapsed)
      playWhatIsDue()
    case .holding(let elapsed, isPaused: true):
      state = .holding(after: elapsed, isPaused: false)
    case .playing, .holding, .over:
      break
    }
  }

  func pause() {
    switch state {
    case .playing(let start):
      timer?.cancel()
      timer = nil
      state = .paused(after: queue.now - start)
    case .holding(let elapsed, isPaused: false):
      state = .holding(after: elapsed, isPaused: true)
    case .paused, .holding, .over:
      break
    }
  }

  /// Tells the step that is held, and goes on with the rest: at once, or when it is played again if it is paused. The time
  /// for which it was held does not count. Ignored while nothing is held.
  func release() {
    guard case .holding(let elapsed, let isPaused) = state else { return }
    released = upcoming?.step
    state = .paused(after: elapsed)
    if !isPaused { play() }
  }

  /// Ends without another client call.
  func stop() {
    timer?.cancel()
    timer = nil
    state = .over
    passage?.stop()
    chunks?.cancel()
    preparing.cancel()
  }

  private func playWhatIsDue() {
    timer?.cancel()
    timer = nil
    while case .playing(let start) = state {
      guard let event = upcoming ?? plan.next() else { return }
      upcoming = event
      if event.time > .zero {
        let deadline = start + event.time
        if deadline > queue.now { return wait(until: deadline) }
      }
      // The client was suspended, and the news is still on its way: it will play again when it is resumed.
      guard client.isListening else { return pause() }
      if event.step.mayBeHeld, released != event.step, holds(event.step) {
        state = .holding(after: queue.now - start, isPaused: false)
        // The end is told where the stream runs, which would wait to be asked for more.
        if event.step != .head { chunks?.stop() }
        return
      }
      guard isReady(for: event.step) else { return watch(event.step, since: start) }
      upcoming = nil
      tell(event)
    }
  }

  /// Ends the wait for someone who has no time of his own when the client has had enough of it.
  private func watch(_ step: DeliveryPlan.Step, since start: Time) {
    let isWaiting = step == .gate ? passage?.isWaiting : step == .pull ? chunks?.isPulling : nil
    guard queue.timesOutWaits, isWaiting == true, case .playing = state, let limit = plan.timeOutTime else { return }
    let deadline = start + limit
    if deadline > queue.now { wait(until: deadline) } else { end(with: client.timeOutFailure) }
  }

  private func wait(until deadline: Time) {
    course = course ?? queue.makeCourse()
    timer = queue.schedule(at: deadline, of: course) { [weak self] in self?.playWhatIsDue() }
  }

  /// What a step needs that takes time away from the queue: the step waits, and is tried again when that is there.
  private func isReady(for step: DeliveryPlan.Step) -> Bool {
    switch step {
    case .sent, .head, .fail, .timeOut: true
    case .gate: hasPassed()
    case .piece(let range): hasArrived() && isRead(range)
    case .pull: hasArrived() && isPulled()
    case .finish: isPrepared()
    }
  }

  /// The next piece waits until the one before has reached its receiver, or they would heap up on the way.
  private func hasArrived() -> Bool {
    switch arrival {
    case .none: return true
    case .underWay: return false
    case .told:
      let isArriving = client.isArriving { [weak self] in
        self?.arrival = .none
        self?.playWhatIsDue()
      }
      arrival = isArriving ? .underWay : .none
      return !isArriving
    }
  }

  private func isRead(_ range: Range<Int>) -> Bool {
    guard body.isInFile, client.takesPieces else { return true }
    switch reading {
    case .done: return true
    case .underWay: return false
    case .none:
      reading = .underWay
      queue.away { [body] in
        Result { try body.piece(range) }
      } then: { [weak self] piece in
        self?.reading = .done(piece)
        self?.playWhatIsDue()
      }
      return false
    }
  }

  private func hasPassed() -> Bool {
    passage?.isThrough(on: queue) { [weak self] in self?.playWhatIsDue() } ?? true
  }

  private func isPulled() -> Bool {
    guard let chunks else { return true }
    if !chunks.isBusy {
      if let elapsed { plan.pulled(at: elapsed) }
      chunks.pull(on: queue) { [weak self] in self?.playWhatIsDue() }
    }
    return !chunks.isPulling
  }

  private func isPrepared() -> Bool {
    switch preparation {
    case .done: return true
    case .underWay: return false
    case .none:
      let isPreparing = client.prepareToFinish(with: body, unless: preparing) { [weak self] error in
        guard let self else { return }
        preparation = .done(error)
        playWhatIsDue()
      }
      preparation = isPreparing ? .underWay : .done(nil)
      return !isPreparing
    }
  }

  private func tell(_ event: DeliveryPlan.Event) {
    switch event.step {
    case .sent(let range):
      client.didSend(range.count)
    case .gate:
      // One that was open already takes no time.
      if passage?.hasWaited == true { plan.waited(timeWaited(since: event.time)) }
    case .pull:
      take(event.time)
    case .head:
      if let response { client.receive(response) }
    case .piece(let range):
      tell(range)
    case .finish:
      if case .done(let error?) = preparation { return end(with: error) }
      stop()
      willEnd(nil)
      client.finish()
    case .fail:
      end(with: failure ?? URLError(.unknown))
    case .timeOut:
      end(with: client.timeOutFailure)
    }
  }

  /// Takes the chunk that was pulled, or the stream's end.
  private func take(_ pullTime: Time) {
    let time = pullTime + timeWaited(since: pullTime)
    do {
      course = nil
      if let byteCount = try chunks?.take() {
        plan.received(byteCount, at: time)
      } else {
        plan.streamEnded(at: time)
      }
    } catch {
      end(with: error)
    }
  }

  /// How long the client has waited for someone who has no time of his own.
  private func timeWaited(since time: Time) -> Time {
    guard case .playing(let start) = state, let elapsed else { return .zero }
    if queue.timesOutWaits { return elapsed - time }
    state = .playing(since: start + (elapsed - time))
    return .zero
  }

  /// On the plan's own time.
  private var elapsed: Time? {
    if case .playing(let start) = state { queue.now - start } else { nil }
  }

  private func tell(_ range: Range<Int>) {
    toldLength += range.count
    if case .memory(let whole) = body, range.count == whole.count { return client.receive(whole, isWhole: true) }
    do {
      if client.takesPieces {
        client.receive(try piece(range), isWhole: false)
      } else {
        client.receive(byteCount: range.count)
      }
      arrival = .told
    } catch {
      end(with: error)
    }
  }

  private func piece(_ range: Range<Int>) throws -> Data {
    if let chunks { return chunks.piece(range) }
    guard case .done(let piece) = reading else { return try body.piece(range) }
    reading = .none
    return try piece.get()
  }

  private func end(with error: any Error) {
    stop()
    willEnd(error)
    client.fail(error)
  }
}

extension DeliveryPlan.Step {
  fileprivate var mayBeHeld: Bool {
    switch self {
    case .head, .finish, .fail, .timeOut: true
    case .sent, .gate, .piece, .pull: false
    }
  }
}
