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
  private let cut: BodyCut
  private let gap: Duration?
  /// The time from the first moment of the body to the first piece.
  private let lead: Duration
  /// The time from the first moment of the body to each piece. Empty if a rule determines the times.
  private let times: [Duration]
  private let downlink: Double?

  /// - Parameters:
  ///   - longestPiece: The largest number of bytes in a piece if the pace cuts the body, or `nil` for any number.
  ///   - downlink: The largest number of bytes that arrive per second, or `nil` for any number.
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
    case .bytesPerSecond(let rate): (ownDuration, gap, lead) = (Duration(of: bodyLength, at: rate), nil, .zero)
    case .pieces(every: let gap, first: let lead):
      (ownDuration, self.gap, self.lead) = (lead + gap.times((given ?? least) - 1), gap, lead)
    }
    duration = max(ownDuration, downlink.map { Duration(of: bodyLength, at: $0) } ?? .zero)
    if given != nil || gap != nil {
      count = given ?? least
    } else {
      // Limited before the conversion, because only a rounded number of pieces is needed, with at least one byte in
      // each.
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
      times.indices.contains(piece - 1)
      ? times[piece - 1]
      : gap.map { lead + $0.times(piece - 1) }
        ?? (end == bodyLength ? ownDuration : ownDuration * (Double(end) / Double(bodyLength)))
    return downlink.map { max(own, Duration(of: end, at: $0)) } ?? own
  }
}

extension Duration {
  /// The time of a number of gaps, of which so many take longer than any test that their number is limited.
  fileprivate func times(_ count: Int) -> Duration { self * min(max(0, count), 1 << 32) }
}
