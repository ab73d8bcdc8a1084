import Foundation

/// What the client receives, and when: everything in one response to one request that takes time or ends it.
///
/// A plan is a pure value. It generates its events lazily, in order, as offsets from its start. It knows the lengths of
/// bodies but not their bytes, so a large body in small pieces needs no list, and tests need no socket, thread or
/// clock.
struct DeliveryPlan: Sequence {
  /// The number of bytes in the body of the request.
  var requestLength = 0
  /// Where the failure of the plan comes while these bytes are sent, or `nil` if all are sent.
  var uploadLoss: UploadLoss.Place?
  /// The number of these bytes that are sent per second, or `nil` for all at once.
  var uplink: Double?

  /// The time from the last sent byte to the head, or to the failure in its place. It includes the latency.
  var delay = Duration.zero
  /// A Boolean value that indicates whether a gate must open after the delay.
  var isGated = false

  /// The number of bytes in the body, or `nil` for a stream, whose chunks are pulled one after another.
  var bodyLength: Int? = 0
  var pace = BodyPace.atOnce
  var cut = BodyCut.asPaced
  /// The largest number of bytes in a piece if the pace cuts the body, or `nil` for any number.
  var longestPiece: Int?
  /// A Boolean value that indicates whether pieces that follow one another are one event, at the time of the last of
  /// them, because the client doesn't learn of a single one. Each of them still starts the client's timeout again.
  var joinsPieces = false
  /// The largest number of bytes of the body that arrive per second, or `nil` for any number.
  var downlink: Double?
  var ending = Ending.finish

  /// The limits of the client, or `nil` for one that waits for ever.
  var limits: Limits?

  enum Ending: Equatable {
    case finish
    /// A failure instead of a response.
    case failure
    /// A failure in place of what follows after a number of bytes, or of the end if there are no more.
    case interruption(afterBytes: Int)
    /// Neither a response nor a failure.
    case silence
    /// Nothing more after a number of bytes, or in place of the end if there are no more.
    case stall(afterBytes: Int)

    /// The number of bytes after which the body breaks off, or `nil` if it doesn't.
    fileprivate var byteCount: Int? {
      switch self {
      case .interruption(let count), .stall(let count): count
      case .finish, .failure, .silence: nil
      }
    }

    /// A Boolean value that indicates whether the client waits for an end that doesn't come.
    var isEndless: Bool {
      switch self {
      case .silence, .stall: true
      case .finish, .failure, .interruption: false
      }
    }
  }

  /// How long the client waits.
  struct Limits {
    /// The longest wait for something new: something sent, the head, a piece of the body, or the end. `nil` for ever.
    var idle: Duration?
    /// The time without anything new when the plan began.
    var silence = Duration.zero
    /// The longest time for everything, from the start of the plan: the rest of the resource timeout. `nil` for ever.
    var whole: Duration?

    /// Returns the time when the client gives up if nothing arrives after the last news, or `nil` for never.
    func end(after news: Duration) -> Duration? { [idle.map { news + $0 }, whole].compactMap { $0 }.min() }
  }

  /// The number of bytes in the body of the request that are sent.
  var sentLength: Int { uploadLoss?.sentLength(of: requestLength) ?? requestLength }

  /// Lets the head arrive just before the client gives up, or when it has just given up. Without limits, it arrives at
  /// once.
  mutating func arrive(_ punctuality: Punctuality, within limits: Limits) {
    // The last news can be from before the plan, or the last byte of the request.
    let last = punctuality == .justInTime ? .zero - limits.silence : .zero
    let sendTime = Duration(of: sentLength, at: uplink)
    let times = [limits.idle.map { last + $0 }, limits.whole.map { $0 - sendTime }]
    guard let limit = times.compactMap({ $0 }).min() else { return delay = .zero }
    let margin = Swift.min(.milliseconds(100), limit / 10)
    delay = (punctuality == .justInTime ? limit - margin : limit + margin).nonNegative
  }

  func makeIterator() -> DeliveryEvents { DeliveryEvents(self) }

  /// The time until the end if nothing else is waited for, or `nil` if the end hangs on something else: a gate, the
  /// chunks of a stream, the client's timeout, or nothing that ever comes.
  var duration: Duration? {
    guard !isGated, !ending.isEndless, let bodyLength else { return nil }
    let headTime = Duration(of: sentLength, at: uplink) + delay
    return ending == .failure
      ? headTime : headTime + BodyPieces(of: bodyLength, in: self).timeToReach(byte: ending.byteCount ?? bodyLength)
  }

  struct Event: Equatable {
    /// The time since the load began. It never decreases from one event to the next.
    let time: Duration
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
}

/// The events of a plan.
///
/// Two kinds of step wait for something else. The player of the plan then calls `waited(_:)`, or `received(_:at:)` and
/// `streamEnded(at:)`.
struct DeliveryEvents: IteratorProtocol {
  typealias Event = DeliveryPlan.Event

  /// The largest number of bytes in each sent piece of a request's body, as in URLSession, and the least number of
  /// pieces, so that a test sees the progress of a photo.
  private static let sentLength = 65_536
  private static let sentCount = 20

  /// The largest number of pieces that are joined. A body can have millions, and each is computed.
  private static let mostJoinedPieces = 10_000

  private let plan: DeliveryPlan
  private var position: Position
  /// The time of the head, or of the failure in its place.
  private var headTime: Duration
  private var run: Run
  private var timeOfLastPiece = Duration.zero
  private var timeOfLastNews: Duration
  private var hasTimedOut = false

  private enum Position {
    case sending(from: Int)
    case gate
    case start
    case piece(Int)
    case pull
    case end
    /// Nothing follows, or not before the result of the last step is known.
    case over
  }

  /// A part of the body of known length: the whole body, or a chunk of a stream.
  private struct Run {
    var pieces: BodyPieces
    /// The number of bytes of the body before it.
    var offset = 0
    var start = Duration.zero
  }

  fileprivate init(_ plan: DeliveryPlan) {
    self.plan = plan
    let sendTime = Duration(of: plan.sentLength, at: plan.uplink)
    headTime = sendTime + plan.delay
    timeOfLastNews = .zero - (plan.limits?.silence ?? .zero)
    position = plan.sentLength > 0 ? .sending(from: 0) : Self.afterRequest(plan)
    run = Run(pieces: BodyPieces(of: plan.bodyLength ?? 0, in: plan))
  }

  private static func afterRequest(_ plan: DeliveryPlan) -> Position { plan.isGated ? .gate : .start }

  mutating func next() -> Event? {
    guard var event = nextUntilTimeout() else { return nil }
    guard plan.joinsPieces, case .piece(var range) = event.step else { return event }
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
    let event = scheduled()
    // An event at exactly this moment still arrives.
    if let limit = timeOutTime, !hasTimedOut, event.map({ $0.time > limit }) ?? plan.ending.isEndless {
      position = .over
      hasTimedOut = true
      return Event(time: limit, step: .timeOut)
    }
    switch event?.step {
    case .sent, .head, .piece: timeOfLastNews = event?.time ?? timeOfLastNews
    // The client's timeout doesn't start again with these.
    case .gate, .pull, .finish, .fail, .timeOut, nil: break
    }
    return event
  }

  /// The time when the client gives up if nothing arrives before, or `nil` for never.
  var timeOutTime: Duration? { plan.limits?.end(after: timeOfLastNews) }

  /// Delays everything that follows by the time that the gate took to open.
  mutating func waited(_ duration: Duration) { headTime += duration }

  /// Records that the next chunk was requested only at this time, because the client was busy. The client wasn't
  /// waiting for it before.
  mutating func pulled(at time: Duration) { timeOfLastNews = max(timeOfLastNews, time) }

  /// Records the number of bytes in the next chunk of the stream.
  mutating func received(_ byteCount: Int, at time: Duration) {
    let offset = run.offset + run.pieces.bodyLength
    var start = max(time, run.start + run.pieces.duration)
    if case .pieces(every: let gap, _) = plan.pace, offset > 0 { start = max(start, timeOfLastPiece + gap) }
    run = Run(pieces: BodyPieces(of: byteCount, in: plan), offset: offset, start: start)
    position = byteCount == 0 ? .pull : .piece(1)
  }

  /// Records the end of the stream.
  mutating func streamEnded(at time: Duration) {
    timeOfLastPiece = max(time, timeOfLastPiece)
    position = .end
  }

  /// Returns the next event, whether or not the client waits for it.
  private mutating func scheduled() -> Event? {
    switch position {
    case .sending(let start):
      let end = min(plan.sentLength, start + sentLength)
      position = end < plan.sentLength ? .sending(from: end) : Self.afterRequest(plan)
      return Event(time: Duration(of: end, at: plan.uplink), step: .sent(start..<end))
    case .gate:
      position = .start
      return Event(time: headTime, step: .gate)
    case .start:
      position = .over
      switch plan.ending {
      case .silence: return nil
      case .failure: return Event(time: headTime, step: .fail)
      case .finish, .interruption, .stall:
        run.start = headTime
        timeOfLastPiece = headTime
        position = afterPiece(0)
        return Event(time: headTime, step: .head)
      }
    case .piece(let number):
      let pieces = run.pieces
      let offset = run.offset
      let end = min(pieces.bytes(upTo: number), lengthToDeliver - offset)
      timeOfLastPiece = run.start + pieces.time(ofByte: end, inPiece: number)
      let start = pieces.bytes(upTo: number - 1)
      position = afterPiece(number)
      return Event(time: timeOfLastPiece, step: .piece(offset + start..<offset + end))
    case .pull:
      position = .over
      return Event(time: timeOfLastPiece, step: .pull)
    case .end:
      position = .over
      if plan.ending.isEndless { return nil }
      let isWhole = plan.bodyLength != nil && lengthToDeliver == run.pieces.bodyLength
      return Event(
        time: isWhole ? headTime + run.pieces.duration : timeOfLastPiece,
        step: plan.ending == .finish ? .finish : .fail)
    case .over:
      return nil
    }
  }

  /// The number of bytes in each sent piece. On a slow network, the client learns of one before it gives up.
  private var sentLength: Int {
    let most = max(1, min(Self.sentLength, plan.requestLength / Self.sentCount))
    guard let uplink = plan.uplink, let idle = plan.limits?.idle else { return most }
    let inTime = uplink * (idle / .seconds(1))
    return inTime < Double(most) ? max(1, Int(inTime / 2)) : most
  }

  /// The largest number of bytes of the body that are delivered.
  private var lengthToDeliver: Int {
    let length = plan.bodyLength ?? Int.max
    return plan.ending.byteCount.map { min($0, length) } ?? length
  }

  private func afterPiece(_ number: Int) -> Position {
    if run.offset + run.pieces.bytes(upTo: number) >= lengthToDeliver { return .end }
    if number < run.pieces.count { return .piece(number + 1) }
    return plan.bodyLength == nil ? .pull : .end
  }
}

/// The pieces of a body and their times. It computes them, so the number of pieces doesn't matter.
struct BodyPieces {
  /// The approximate time between pieces, if nothing determines their length.
  static let interval = Duration.milliseconds(20)

  let bodyLength: Int
  /// The time from the first moment of the body to its last.
  let duration: Duration
  let count: Int
  /// The time that the response's own pace takes, however fast the network is.
  private let ownDuration: Duration
  private let pace: BodyPace
  private let cut: BodyCut
  private let downlink: Double?

  /// Creates the pieces of a body, or of a chunk of a stream.
  init(of bodyLength: Int, in plan: DeliveryPlan) {
    self.bodyLength = bodyLength
    // A stream takes its own time, so there is nothing to spread.
    pace = if plan.bodyLength == nil, case .over = plan.pace { .atOnce } else { plan.pace }
    cut = plan.cut
    downlink = plan.downlink
    let least = bodyLength == 0 ? 0 : plan.longestPiece.map { min(bodyLength, bodyLength / $0 + 1) } ?? 1
    var given: Int? =
      switch cut {
      case .asPaced: nil
      case .every(let length): bodyLength / length + (bodyLength % length == 0 ? 0 : 1)
      case .at(let ends): bodyLength == 0 ? 0 : (ends.firstIndex { $0 >= bodyLength } ?? ends.count) + 1
      }
    switch pace {
    case .atOnce: ownDuration = .zero
    case .over(let whole), .recorded(_, let whole): ownDuration = whole
    case .bytesPerSecond(let rate): ownDuration = Duration(of: bodyLength, at: rate)
    case .pieces(every: let gap, first: let lead):
      let number = given ?? least
      given = number
      ownDuration = lead + gap.times(number - 1)
    }
    duration = max(ownDuration, Duration(of: bodyLength, at: downlink))
    if let given {
      count = given
    } else {
      // Limited before the conversion: only a rounded number of pieces is needed, with at least a byte in each.
      let wanted = duration == .zero ? 0 : duration / Self.interval
      count = min(bodyLength, max(least, wanted < 1e9 ? Int(wanted) : .max))
    }
  }

  /// Returns the number of bytes in the first pieces.
  ///
  /// The number is rounded from the whole each time, so no byte is lost or repeated, whatever the number of pieces.
  func bytes(upTo piece: Int) -> Int {
    if piece == count { return bodyLength }
    switch cut {
    case .asPaced: return count.dividingFullWidth(piece.multipliedFullWidth(by: bodyLength)).quotient
    case .every(let length): return piece * length
    case .at(let ends): return piece == 0 ? 0 : ends[piece - 1]
    }
  }

  /// Returns the time when a piece that ends at a byte has arrived. The piece can be a shortened one.
  func time(ofByte end: Int, inPiece piece: Int) -> Duration {
    let own =
      switch pace {
      case .recorded(let times, _) where times.indices.contains(piece - 1): times[piece - 1]
      case .pieces(every: let gap, first: let lead): lead + gap.times(piece - 1)
      default: end == bodyLength ? ownDuration : ownDuration * (Double(end) / Double(bodyLength))
      }
    return max(own, Duration(of: end, at: downlink))
  }
}

extension BodyPieces {
  /// Returns the time from the first moment of the body until a number of its bytes has arrived.
  func timeToReach(byte end: Int) -> Duration {
    if end >= bodyLength { return duration }
    if end == 0 { return .zero }
    // The first piece that reaches the byte. There can be millions of them.
    var (least, most) = (1, count)
    while least < most {
      let middle = (least + most) / 2
      if bytes(upTo: middle) < end { least = middle + 1 } else { most = middle }
    }
    return time(ofByte: end, inPiece: least)
  }
}

extension Duration {
  /// The time of a number of gaps, of which so many take longer than any test that their number is limited.
  fileprivate func times(_ count: Int) -> Duration { self * min(max(0, count), 1 << 32) }
}
