/// What the client receives, and when: all events of one response, in order, as offsets from its start.
///
/// A plan is a pure value and generates its events lazily. It knows the lengths of bodies but not their bytes, so a
/// large body in small pieces needs no list, and tests need no socket, thread or clock. Two kinds of step wait for
/// something else. The player of the plan then calls `waited(_:)`, or `received(_:at:)` and `streamEnded(at:)`.
struct DeliveryPlan: Sequence, IteratorProtocol {
  struct Event: Equatable {
    /// The time since the load began. It never decreases from one event to the next.
    let time: Time
    let step: Step
  }

  enum Step: Equatable {
    /// The bytes of the request's body at these positions have been sent.
    case sent(Range<Int>)
    /// The gate must be open before anything else follows.
    case gate
    case head
    /// The bytes of the body at these positions.
    case piece(Range<Int>)
    /// The next chunk of the stream is wanted.
    case pull
    case finish
    /// The failure that replaces the response, or the rest of it.
    case fail
    /// The timeout of the client is over.
    case timeOut
  }

  /// The number of bytes in each sent piece of a request's body, as in URLSession.
  static let sentLength = 65_536

  /// The largest number of pieces that are joined. A body can have millions, and each is computed.
  private static let mostJoinedPieces = 10_000

  private let schedule: Schedule
  private var position: Position
  /// The time of the head, or of the failure in its place.
  private var headTime: Time
  private var run: Run
  private var timeOfLastPiece = Time.zero
  private var timeOfLastNews: Time
  private var hasTimedOut = false

  private enum Position {
    case sending(from: Int)
    case gate
    case start
    case piece(Int)
    case pull
    /// Nothing follows until the result of the last step is known.
    case waiting
    case end
    case over
  }

  /// A part of the body of known length: the whole body, or a chunk of a stream.
  private struct Run {
    var pieces: BodyPieces
    /// The number of bytes of the body before it.
    var offset = 0
    var start = Time.zero
  }

  init(_ schedule: Schedule) {
    self.schedule = schedule
    let sendTime = schedule.uplink.map { Time(of: schedule.requestLength, at: $0) } ?? .zero
    headTime = sendTime + schedule.delay
    timeOfLastNews = .zero - (schedule.limits?.silence ?? .zero)
    position = schedule.requestLength > 0 ? .sending(from: 0) : schedule.isGated ? .gate : .start
    let length = if case .bytes(let count) = schedule.body { count } else { 0 }
    run = Run(pieces: schedule.pieces(of: length))
  }

  mutating func next() -> Event? {
    guard var event = nextUntilTimeout() else { return nil }
    guard schedule.joinsPieces, case .piece(var range) = event.step else { return event }
    for _ in 1..<Self.mostJoinedPieces {
      var later = self
      guard let next = later.nextUntilTimeout(), case .piece(let more) = next.step else { break }
      range = range.lowerBound..<more.upperBound
      event = Event(time: next.time, step: .piece(range))
      self = later
    }
    return event
  }

  /// Returns the next event, or the client's timeout if that comes first.

  private mutating func nextUntilTimeout() -> Event? {
    guard let event = scheduled() else {
      guard case .over = position, schedule.ending == .silence, !hasTimedOut, let limit = timeOutTime else {
        return nil
      }
      hasTimedOut = true
      return Event(time: limit, step: .timeOut)
    }
    // An event at exactly this moment still arrives.
    if let limit = timeOutTime, event.time > limit {
      position = .over
      hasTimedOut = true
      return Event(time: limit, step: .timeOut)
    }
    if event.step.isNews { timeOfLastNews = event.time }
    return event
  }

  /// The time when the client gives up if nothing arrives before, or `nil` for never.
  var timeOutTime: Time? {
    guard let limits = schedule.limits else { return nil }
    let idle = limits.idle.map { timeOfLastNews + $0 }
    return idle.map { idle in limits.whole.map { Swift.min(idle, $0) } ?? idle } ?? limits.whole
  }

  /// Delays everything that follows by the time that the gate took to open.
  mutating func waited(_ duration: Time) { headTime += duration }

  /// Records that the next chunk was requested only at this time, because the client was busy. The client wasn't
  /// waiting for it before.
  mutating func pulled(at time: Time) { timeOfLastNews = Swift.max(timeOfLastNews, time) }

  /// Records the number of bytes in the next chunk of the stream.
  mutating func received(_ byteCount: Int, at time: Time) {
    let offset = run.offset + run.pieces.bodyLength
    var start = Swift.max(time, run.start + run.pieces.duration)
    if case .pieces(every: let gap, _) = schedule.pace, offset > 0 { start = Swift.max(start, timeOfLastPiece + gap) }
    run = Run(pieces: schedule.pieces(of: byteCount), offset: offset, start: start)
    position = byteCount == 0 ? .pull : .piece(1)
  }

  /// Records the end of the stream.
  mutating func streamEnded(at time: Time) {
    timeOfLastPiece = Swift.max(time, timeOfLastPiece)
    position = .end
  }

  /// Returns the next event, whether or not the client waits for it.
  private mutating func scheduled() -> Event? {
    switch position {
    case .sending(let start):
      let end = Swift.min(schedule.requestLength, start + Self.sentLength)
      position = end < schedule.requestLength ? .sending(from: end) : schedule.isGated ? .gate : .start
      return Event(time: schedule.uplink.map { Time(of: end, at: $0) } ?? .zero, step: .sent(start..<end))
    case .gate:
      position = .start
      return Event(time: headTime, step: .gate)
    case .start:
      switch schedule.ending {
      case .silence:
        position = .over
        return nil
      case .failure:
        position = .over
        return Event(time: headTime, step: .fail)
      case .finish, .interruption:
        run.start = headTime
        timeOfLastPiece = headTime
        position = afterPiece(0)
        return Event(time: headTime, step: .head)
      }
    case .piece(let number):
      let (pieces, offset) = (run.pieces, run.offset)
      let end = Swift.min(pieces.bytes(upTo: number), lengthToDeliver - offset)
      timeOfLastPiece = run.start + pieces.time(ofByte: end, inPiece: number)
      let start = pieces.bytes(upTo: number - 1)
      position = afterPiece(number)
      return Event(time: timeOfLastPiece, step: .piece(offset + start..<offset + end))
    case .pull:
      position = .waiting
      return Event(time: timeOfLastPiece, step: .pull)
    case .end:
      position = .over
      let isWhole = schedule.body != .stream && lengthToDeliver == run.pieces.bodyLength
      return Event(
        time: isWhole ? headTime + run.pieces.duration : timeOfLastPiece,
        step: schedule.ending == .finish ? .finish : .fail)
    case .waiting, .over:
      return nil
    }
  }

  /// The largest number of bytes of the body that are delivered.
  private var lengthToDeliver: Int {
    let length = schedule.body == .stream ? Int.max : run.pieces.bodyLength
    return if case .interruption(let count) = schedule.ending { Swift.min(count, length) } else { length }
  }

  private func afterPiece(_ number: Int) -> Position {
    if run.offset + run.pieces.bytes(upTo: number) >= lengthToDeliver { return .end }
    if number < run.pieces.count { return .piece(number + 1) }
    return schedule.body == .stream ? .pull : .end
  }
}

extension DeliveryPlan {
  /// Creates a plan for a body that is known completely, without a network, a gate and limits.
  init(
    requestLength: Int = 0, bodyLength: Int, delay: Time = .zero, pace: BodyPace = .atOnce,
    ending: Schedule.Ending = .finish
  ) {
    self.init(
      Schedule(
        requestLength: requestLength, delay: delay, body: .bytes(bodyLength), pace: pace, ending: ending))
  }
}

extension DeliveryPlan.Step {
  /// A Boolean value that indicates whether the client's timeout starts again with this step.
  fileprivate var isNews: Bool {
    switch self {
    case .sent, .head, .piece: true
    case .gate, .pull, .finish, .fail, .timeOut: false
    }
  }
}

extension Schedule {
  fileprivate func pieces(of byteCount: Int) -> BodyPieces {
    var pace = pace
    // A stream takes its own time, so there is nothing to spread.
    if body == .stream, case .over = pace { pace = .atOnce }
    return BodyPieces(bodyLength: byteCount, pace: pace, cut: cut, longestPiece: longestPiece, downlink: downlink)
  }
}
