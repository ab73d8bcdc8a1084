/// The pace of a body.
package enum BodyPace: Sendable, Equatable {
  case atOnce
  case over(Duration)
  case bytesPerSecond(Double)
  /// The time from the head to the first piece, and from each piece to the next.
  indirect case pieces(every: Duration, first: Duration = .zero)
  /// Each piece that long after the head, and the end that long after it.
  indirect case recorded([Duration], end: Duration)
}

/// The way in which a body is cut.
package enum BodyCut: Sendable {
  /// Into as many pieces as the pace requires.
  case asPaced
  /// Into pieces of this number of bytes. The last piece contains the rest.
  case every(Int)
  /// At these positions, in ascending order.
  case at([Int])
}
