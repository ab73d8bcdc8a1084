/// The basis of a plan: everything in one response to one request that takes time or ends it.
struct Schedule {
  /// The number of bytes in the body of the request.
  var requestLength = 0
  /// The number of these bytes that are sent per second, or `nil` for all at once.
  var uplink: Double?

  /// The time from the last sent byte to the head, or to the failure in its place. It includes the latency.
  var delay = Time.zero
  /// A Boolean value that indicates whether a gate must open after the delay.
  var isGated = false

  var body = Body.bytes(0)
  var pace = BodyPace.atOnce
  var cut = BodyCut.asPaced
  /// The largest number of bytes in a piece, if nothing else determines it, or `nil` for any number.
  var longestPiece: Int?
  /// A Boolean value that indicates whether pieces that follow one another are one event, at the time of the last of
  /// them, because the client doesn't learn of a single one. Each of them still starts the client's timeout again.
  var joinsPieces = false
  /// The largest number of bytes of the body that arrive per second, or `nil` for any number.
  var downlink: Double?
  var ending = Ending.finish

  /// The limits of the client, or `nil` for one that waits for ever.
  var limits: Limits?

  enum Body: Equatable {
    case bytes(Int)
    /// A body of unknown length, whose chunks are pulled one after another.
    case stream
  }

  enum Ending: Hashable {
    case finish
    /// A failure instead of a response.
    case failure
    /// A failure in place of what follows after a number of bytes, or of the end if there are no more.
    case interruption(afterBytes: Int)
    /// Neither a response nor a failure.
    case silence
  }

  /// How long the client waits.
  struct Limits: Equatable {
    /// The longest wait for something new: something sent, the head, a piece of the body, or the end. `nil` for ever.
    var idle: Time?
    /// The time without anything new when the plan began.
    var silence = Time.zero
    /// The longest time for everything, from the start of the plan: the rest of the resource timeout. `nil` for ever.
    var whole: Time?
  }
}
