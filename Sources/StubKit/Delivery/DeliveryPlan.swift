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
    /// The bytes of the request's body at these positions have been sent.
    case sent(Range<Int>)
    case head
    /// The bytes of the body at these positions.
    case piece(Range<Int>)
    case finish
    /// The failure instead of a response, or of the rest of one.
    case fail
  }

  enum Ending: Equatable {
    case finish
    /// The failure instead of a response.
    case failure
    /// The failure in place of what comes after that many bytes of the body, or of the end if there are no more.
    case interruption(afterBytes: Int)
  }

  /// A request's body is sent in pieces of that length, as natively.
  static let sentLength = 65_536

  private let requestLength: Int
  private let delay: Duration
  private let pieces: BodyPieces
  private let ending: Ending
  /// How much of the body is told.
  private let end: Int
  private var position = Position.start
  private var timeOfLastPiece = Duration.zero

  private enum Position {
    case sending(from: Int)
    case start
    case piece(Int)
    case end
    case over
  }

  /// - Parameters:
  ///   - requestLength: How many bytes the body has that the request brings.
  ///   - pieceLength: How many bytes a piece has, the last one excepted; nil for as many as the pace asks for.
  ///   - longestPiece: The most bytes a piece has where nothing says how many; nil for any number.
  init(
    requestLength: Int = 0, bodyLength: Int, delay: Duration = .zero, pace: BodyPace = .atOnce,
    pieceLength: Int? = nil, longestPiece: Int? = nil, ending: Ending = .finish
  ) {
    self.requestLength = ending == .failure ? 0 : requestLength
    self.delay = delay
    self.ending = ending
    pieces = BodyPieces(
      bodyLength: bodyLength, pace: pace, pieceLength: pieceLength, longestPiece: longestPiece)
    if self.requestLength > 0 { position = .sending(from: 0) }
    end = if case .interruption(let count) = ending { Swift.min(count, bodyLength) } else { bodyLength }
  }

  mutating func next() -> Event? {
    switch position {
    case .sending(let start):
      let end = Swift.min(requestLength, start + Self.sentLength)
      position = end == requestLength ? .start : .sending(from: end)
      return Event(time: .zero, step: .sent(start..<end))
    case .start:
      guard ending != .failure else {
        position = .over
        return Event(time: delay, step: .fail)
      }
      position = end == 0 ? .end : .piece(1)
      return Event(time: delay, step: .head)
    case .piece(let number):
      let bytes = pieces.bytes(upTo: number - 1)..<Swift.min(pieces.bytes(upTo: number), end)
      position = bytes.upperBound == end ? .end : .piece(number + 1)
      timeOfLastPiece = pieces.time(ofByte: bytes.upperBound, inPiece: number)
      return Event(time: delay + timeOfLastPiece, step: .piece(bytes))
    case .end:
      position = .over
      let time = end == pieces.bodyLength ? pieces.duration : timeOfLastPiece
      return Event(time: delay + time, step: ending == .finish ? .finish : .fail)
    case .over:
      return nil
    }
  }
}
