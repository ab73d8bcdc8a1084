import Foundation
import StubKitFormats

/// Plays a plan to a client.
///
/// It survives pausing, resuming and stopping at every step. Paused time doesn't count, and nothing is delivered
/// twice or after the end. Everything that needs no waiting is played before `play()` returns.
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
  private let onMilestone: (Milestone) -> Reply
  private let willEnd: ((any Error)?) -> Void

  /// The number of bytes of the body that have been delivered.
  var deliveredLength: Int {
    countUnheardPieces()
    return countedLength
  }
  /// The number of bytes that have been delivered, without the unheard pieces that have become due since the last count.
  private var countedLength = 0
  /// The time of the held step in the plan.
  var timeReached: Time { upcoming?.time ?? .zero }
  private var state = State.paused(after: .zero)
  private var upcoming: DeliveryPlan.Event?
  private var timer: (any DeliveryTimer)?
  /// For a stream, the deadlines of one chunk, because nobody knows how many will follow.
  private var arrival = Arrival.none
  private var reading = BackgroundWork<Result<Data, any Error>>.none
  private var preparation = BackgroundWork<(any Error)?>.none
  private let preparing = CancellationFlag()
  /// The last step of which the owner was told.
  private var announced: DeliveryPlan.Step?

  private enum State {
    case paused(after: Time)
    /// Playing since a moment at which the plan's time was zero.
    case playing(since: Time)
    /// A step is due, and waits for `release()`.
    case holding(after: Time, isPaused: Bool)
    case over
  }

  private enum BackgroundWork<Outcome> {
    case none
    case underWay
    case done(Outcome)
  }

  private enum Arrival {
    case none
    /// A piece was delivered, and nobody has asked yet whether it has arrived.
    case delivered
    case underWay
  }

  /// - Parameters:
  ///   - response: The head, or `nil` for a plan that fails.
  ///   - failure: The error of a plan that fails.
  ///   - gate: The gate that the plan waits for, if any.
  ///   - stream: The source of the plan's chunks, if it has any.
  ///   - onMilestone: Tells the owner of the delivery once that the head is due, or the end, before the client learns of
  ///     it. The owner replies whether the delivery proceeds, or waits for `release()`. By default, it proceeds.
  ///   - willEnd: A closure that is called once, just before the last call of the client, so that code that learns of
  ///     the end finds it recorded. It isn't called after `stop()`.
  init(
    plan: DeliveryPlan, response: URLResponse?, body: DeliveryBody, failure: (any Error)? = nil,
    gate: ResponseGate? = nil, stream: (any ChunkSource)? = nil, client: any DeliveryClient,
    queue: any DeliveryQueue, onMilestone: @escaping (Milestone) -> Reply = { _ in .proceed },
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
    self.onMilestone = onMilestone
    self.willEnd = willEnd
  }

  /// Starts, or continues where `pause()` stopped. Has no effect while playing and after the end.
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
      countUnheardPieces()
      state = .paused(after: queue.now - start)
    case .holding(let elapsed, isPaused: false):
      state = .holding(after: elapsed, isPaused: true)
    case .paused, .holding, .over:
      break
    }
  }

  /// Delivers the held step and continues with the rest: at once, or after a pause when it is played again. The time
  /// for which the step was held doesn't count. Has no effect while nothing is held.
  func release() {
    guard case .holding(let elapsed, let isPaused) = state else { return }
    state = .paused(after: elapsed)
    if !isPaused { play() }
  }

  /// Ends without another call of the client.
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
        if deadline > queue.now { return wait(until: start + timeOfNextHeardStep(from: event)) }
      }
      // The client was suspended, and the news is still on its way. It will play again when it is resumed.
      guard client.isListening else { return pause() }
      if announced != event.step, let milestone = milestone(of: event.step) {
        announced = event.step
        guard onMilestone(milestone) == .wait else { continue }
        state = .holding(after: queue.now - start, isPaused: false)
        // The end is delivered where the stream runs. The stream is stopped, because it would wait there to be asked
        // for more.
        if event.step != .head { chunks?.stop() }
        return
      }
      guard isReady(for: event.step) else { return watch(event.step, since: start) }
      upcoming = nil
      tell(event)
    }
  }

  /// When the client's timeout is over, ends the wait for a step that has no time of its own.
  private func watch(_ step: DeliveryPlan.Step, since start: Time) {
    let isWaiting = step == .gate ? passage?.isWaiting : step == .pull ? chunks?.isPulling : nil
    guard queue.timesOutWaits, isWaiting == true, case .playing = state, let limit = plan.timeOutTime else { return }
    let deadline = start + limit
    if deadline > queue.now { wait(until: deadline) } else { end(with: client.timeOutFailure) }
  }

  private func wait(until deadline: Time) {
    timer = queue.schedule(at: deadline) { [weak self] in self?.playWhatIsDue() }
  }

  /// Returns whether a step can be played now. If it needs something that takes time away from the queue, the step
  /// waits, and is tried again afterwards.
  private func isReady(for step: DeliveryPlan.Step) -> Bool {
    switch step {
    case .sent, .head, .fail, .timeOut: true
    case .gate: hasPassed()
    case .piece(let range): hasArrived() && isRead(range)
    case .pull: hasArrived() && isPulled()
    case .finish: isPrepared()
    }
  }

  /// The next piece waits until the previous one has reached its receiver, so that pieces don't accumulate on the
  /// way.
  private func hasArrived() -> Bool {
    switch arrival {
    case .none: return true
    case .underWay: return false
    case .delivered:
      let isUnderWay = client.notifyWhenDelivered { [weak self] in
        self?.arrival = .none
        self?.playWhatIsDue()
      }
      arrival = isUnderWay ? .underWay : .none
      return !isUnderWay
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
      // The reference is strong, because the first weak reference to an object makes all others more expensive. The
      // preparation ends soon.
      let isPreparing = client.prepareToFinish(with: body, unless: preparing) { [self] error in
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
      // A gate that was already open takes no time.
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

  /// Takes the chunk that was pulled, or the end of the stream.
  private func take(_ pullTime: Time) {
    let time = pullTime + timeWaited(since: pullTime)
    do {
      if let byteCount = try chunks?.take() {
        plan.received(byteCount, at: time)
      } else {
        plan.streamEnded(at: time)
      }
    } catch {
      end(with: error)
    }
  }

  /// Returns how long the client has waited for something without a time of its own.
  private func timeWaited(since time: Time) -> Time {
    guard case .playing(let start) = state, let elapsed else { return .zero }
    if queue.timesOutWaits { return elapsed - time }
    state = .playing(since: start + (elapsed - time))
    return .zero
  }

  /// The elapsed time of the plan.
  private var elapsed: Time? {
    if case .playing(let start) = state { queue.now - start } else { nil }
  }

  private func tell(_ range: Range<Int>) {
    countedLength += range.count
    if case .memory(let whole) = body, range.count == whole.count { return client.receive(whole, isWhole: true) }
    do {
      if client.takesPieces {
        client.receive(try piece(range), isWhole: false)
      } else {
        client.receive(byteCount: range.count)
      }
      arrival = .delivered
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

extension Delivery {
  /// What the owner of a delivery learns of before the client does.
  enum Milestone {
    case head
    /// The end of the body, or the error that takes the place of what is left.
    case end((any Error)?)
  }

  /// What an owner replies to a milestone.
  enum Reply { case proceed, wait }

  private func milestone(of step: DeliveryPlan.Step) -> Milestone? {
    switch step {
    case .head: .head
    case .finish: .end(nil)
    case .fail: .end(failure ?? URLError(.unknown))
    case .timeOut: .end(client.timeOutFailure)
    case .sent, .gate, .piece, .pull: nil
    }
  }
}

// MARK: Pieces that nobody hears

extension Delivery {
  /// The largest number of pieces that arrive unheard without a deadline of their own.
  private static let mostUnheardPieces = 10_000

  /// Returns whether nobody learns when a step is played. On a timeline whose deadlines take longer than the pieces,
  /// such a step needs no deadline.
  private func isUnheard(_ step: DeliveryPlan.Step) -> Bool {
    guard case .piece(let range) = step, queue.isWatched, !client.noticesPieces else { return false }
    // A body in one piece is given to the client.
    if case .memory(let whole) = body, range.count == whole.count { return false }
    return true
  }

  private func timeOfNextHeardStep(from event: DeliveryPlan.Event) -> Time {
    guard isUnheard(event.step) else { return event.time }
    var (later, time) = (plan, event.time)
    for _ in 0..<Self.mostUnheardPieces {
      guard let next = later.next() else { break }
      time = next.time
      guard isUnheard(next.step) else { break }
    }
    return time
  }

  /// Counts the unheard pieces that are due, before the wait for what follows them is over.
  private func countUnheardPieces() {
    guard case .playing(let start) = state, timer != nil else { return }
    let now = queue.now
    while let event = upcoming, start + event.time <= now, isUnheard(event.step), case .piece(let range) = event.step {
      countedLength += range.count
      upcoming = plan.next()
    }
  }
}
