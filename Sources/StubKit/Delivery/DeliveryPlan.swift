/// Which bytes when: everything that is told to the client for one response, in order, as offsets from its start.
///
/// A plan is pure and lazily generated. It knows lengths, not bytes, so a large body in small pieces is no list, and it
/// is tested without a socket, a thread or a clock.
struct DeliveryPlan: Sequence, IteratorProtocol {
  struct Event: Equatable {
    /// Time since the load began. Never decreases from one event to the next.
    let time: Duration
    let step: Step
  }

  enum Step: Equatable {
    case head
    /// The bytes of the body at these positions.
    case piece(Range<Int>)
    case finish
    /// The failure instead of a response.
    case fail
  }

  /// A body that takes its time comes in pieces about this far apart.
  static let pieceInterval = Duration.milliseconds(20)

  private let bodyLength: Int
  private let delay: Duration
  private let bodyDuration: Duration
  private let pieceCount: Int
  private var position = Position.start

  private enum Position {
    case start
    case piece(Int)
    case finish
    case end
  }
  private let fails: Bool

  init(bodyLength: Int, delay: Duration = .zero, pace: BodyPace = .atOnce, fails: Bool = false) {
    self.bodyLength = bodyLength
    self.delay = delay
    self.fails = fails
    bodyDuration = pace.duration(forBytes: bodyLength)
    // Cut down before the division: a rounded number of pieces is all that is asked for, and at least one byte in each.
    let wanted = bodyDuration / Self.pieceInterval
    pieceCount = bodyLength == 0 ? 0 : Swift.max(1, Swift.min(bodyLength, wanted < 1e9 ? Int(wanted) : .max))
  }

  mutating func next() -> Event? {
    switch position {
    case .start:
      position = fails ? .end : pieceCount == 0 ? .finish : .piece(1)
      return Event(time: delay, step: fails ? .fail : .head)
    case .piece(let number):
      position = number == pieceCount ? .finish : .piece(number + 1)
      return Event(time: time(ofPiece: number), step: .piece(bytes(upTo: number - 1)..<bytes(upTo: number)))
    case .finish:
      position = .end
      return Event(time: delay + bodyDuration, step: .finish)
    case .end:
      return nil
    }
  }

  /// Rounded from the whole each time, so that no byte is lost or doubled whatever the number of pieces.
  private func bytes(upTo piece: Int) -> Int {
    let product = piece.multipliedFullWidth(by: bodyLength)
    return pieceCount.dividingFullWidth(product).quotient
  }

  private func time(ofPiece piece: Int) -> Duration {
    piece == pieceCount ? delay + bodyDuration : delay + bodyDuration * (Double(piece) / Double(pieceCount))
  }
}

extension BodyPace {
  /// How long a body of that many bytes takes from its first moment to its last.
  func duration(forBytes count: Int) -> Duration {
    switch self {
    case .atOnce: .zero
    case .over(let duration): duration
    case .bytesPerSecond(let rate): .seconds(Double(count) / rate)
    }
  }
}
