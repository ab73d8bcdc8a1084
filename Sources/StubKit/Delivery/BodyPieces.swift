/// Where a body is cut.
enum BodyCut: Sendable, Hashable {
  /// Into as many pieces as the pace asks for.
  case asPaced
  /// Into pieces of that many bytes, the last one of what is left.
  case every(Int)
  /// Behind these positions, in ascending order.
  case at([Int])
}

/// How a body is cut into pieces, and when each of them comes: arithmetic, whatever the number of pieces.
struct BodyPieces {
  /// A body that takes its time comes in pieces about this far apart, where nothing says how long they are.
  static let interval = Time.milliseconds(20)

  let bodyLength: Int
  /// From the body's first moment to its last.
  let duration: Time
  let count: Int
  /// By the response's own pace, however fast the network is.
  private let ownDuration: Time
  private let cut: BodyCut
  private let gap: Time?
  /// From the body's first moment to the first piece.
  private let lead: Time
  /// From the body's first moment to each piece; empty where a rule says it.
  private let times: [Time]
  private let downlink: Double?

  /// - Parameters:
  ///   - longestPiece: The most bytes a piece has where the body is cut as its pace asks for; nil for any number.
  ///   - downlink: How many bytes arrive in a second at most; nil for any number.
  init(
    bodyLength: Int, pace: BodyPace, cut: BodyCut = .asPaced, longestPiece: Int? = nil, downlink: Double? = nil
  ) {
    self.bodyLength = bodyLength
    self.cut = cut
    self.downlink = downlink
    let least = bodyLength == 0 ? 0 : longestPiece.map { min(bodyLength, bodyLength / $0 + 1) } ?? 1
    let given: Int? =
      switch cut {
      case .asPaced: nil
      case .every(let length): bodyLength / length + (bodyLength % length == 0 ? 0 : 1)
      case .at(let ends): bodyLength == 0 ? 0 : (ends.firstIndex { $0 >= bodyLength } ?? ends.count) + 1
      }
    times = if case .recorded(let times, _) = pace { times } else { [] }
    switch pace {
    case .atOnce: (ownDuration, gap, lead) = (.zero, nil, .zero)
    case .over(let whole), .recorded(_, let whole): (ownDuration, gap, lead) = (whole, nil, .zero)
    case .bytesPerSecond(let rate): (ownDuration, gap, lead) = (Time(of: bodyLength, at: rate), nil, .zero)
    case .pieces(every: let gap, first: let lead):
      (ownDuration, self.gap, self.lead) = (lead + gap * max(0, (given ?? least) - 1), gap, lead)
    }
    duration = max(ownDuration, downlink.map { Time(of: bodyLength, at: $0) } ?? .zero)
    if given != nil || gap != nil {
      count = given ?? least
    } else {
      // Cut down before the conversion: a rounded number of pieces is all that is asked for, and a byte in each.
      let wanted = duration == .zero ? 0 : duration / Self.interval
      count = min(bodyLength, max(least, wanted < 1e9 ? Int(wanted) : .max))
    }
  }

  /// How many bytes the first pieces have, as many of them as said.
  ///
  /// Rounded from the whole each time, so that no byte is lost or doubled whatever the number of pieces.
  func bytes(upTo piece: Int) -> Int {
    if piece == count { return bodyLength }
    switch cut {
    case .asPaced: return count.dividingFullWidth(piece.multipliedFullWidth(by: bodyLength)).quotient
    case .every(let length): return piece * length
    case .at(let ends): return piece == 0 ? 0 : ends[piece - 1]
    }
  }

  /// When a piece that ends there has come, which may be a cut one.
  func time(ofByte end: Int, inPiece piece: Int) -> Time {
    let own =
      times.indices.contains(piece - 1)
      ? times[piece - 1]
      : gap.map { lead + $0 * (piece - 1) }
        ?? (end == bodyLength ? ownDuration : ownDuration * (Double(end) / Double(bodyLength)))
    return downlink.map { max(own, Time(of: end, at: $0)) } ?? own
  }
}
