/// How a body is cut into pieces, and when each of them comes: arithmetic, whatever the number of pieces.
struct BodyPieces {
  /// A body that takes its time comes in pieces about this far apart, where nothing says how long they are.
  static let interval = Duration.milliseconds(20)

  let bodyLength: Int
  /// From the body's first moment to its last.
  let duration: Duration
  private let count: Int
  private let length: Int?
  private let gap: Duration?

  /// - Parameters:
  ///   - pieceLength: How many bytes a piece has, the last one excepted; nil for as many as the pace asks for.
  ///   - longestPiece: The most bytes a piece has where `pieceLength` is nil; nil for any number.
  init(bodyLength: Int, pace: BodyPace, pieceLength: Int? = nil, longestPiece: Int? = nil) {
    self.bodyLength = bodyLength
    length = pieceLength
    let countByLength = pieceLength.map { bodyLength / $0 + (bodyLength % $0 == 0 ? 0 : 1) }
    switch pace {
    case .atOnce: (duration, gap) = (.zero, nil)
    case .over(let whole): (duration, gap) = (whole, nil)
    case .bytesPerSecond(let rate): (duration, gap) = (.seconds(Double(bodyLength) / rate), nil)
    case .pieces(every: let gap):
      duration = gap.times(max(0, (countByLength ?? 1) - 1))
      self.gap = gap
    }
    let least = longestPiece.map { bodyLength / $0 + 1 } ?? 1
    if let countByLength {
      count = countByLength
    } else {
      // Cut down before the conversion: a rounded number of pieces is all that is asked for, and a byte in each.
      let wanted = duration / Self.interval
      count = bodyLength == 0 ? 0 : min(bodyLength, max(least, wanted < 1e9 ? Int(wanted) : .max))
    }
  }

  /// How many bytes the first pieces have, as many of them as said.
  ///
  /// Rounded from the whole each time, so that no byte is lost or doubled whatever the number of pieces.
  func bytes(upTo piece: Int) -> Int {
    if piece == count { return bodyLength }
    if let length { return piece * length }
    return count.dividingFullWidth(piece.multipliedFullWidth(by: bodyLength)).quotient
  }

  /// When a piece that ends there has come, which may be a cut one.
  func time(ofByte end: Int, inPiece piece: Int) -> Duration {
    if let gap { return gap.times(piece - 1) }
    return end == bodyLength ? duration : duration * (Double(end) / Double(bodyLength))
  }
}

extension Duration {
  /// Clamped to a time that no test will wait for, where `*` would trap.
  fileprivate func times(_ count: Int) -> Duration {
    let limit = 1e19
    return Double(components.seconds) * Double(count) < limit ? self * count : .seconds(limit)
  }
}
