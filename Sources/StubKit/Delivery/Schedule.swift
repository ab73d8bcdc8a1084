/// What a plan is made from: everything that takes time, or comes to an end, in one response to one request.
struct Schedule {
  /// How many bytes the body has that the request brings.
  var requestLength = 0
  /// How many of them are sent in a second; nil for all at once.
  var uplink: Double?

  /// From the last byte that is sent to the head, or to the failure in its place: the latency included.
  var delay = Time.zero
  /// Whether a gate has to open after the delay.
  var isGated = false

  var body = Body.bytes(0)
  var pace = BodyPace.atOnce
  var cut = BodyCut.asPaced
  /// The most bytes a piece has where nothing says how many; nil for any number.
  var longestPiece: Int?
  /// How many bytes of the body arrive in a second at most; nil for any number.
  var downlink: Double?
  var ending = Ending.finish

  /// Nil for a client that waits for ever.
  var limits: Limits?

  enum Body: Equatable {
    case bytes(Int)
    /// Of a length that nobody knows yet: its chunks are pulled one after another.
    case stream
  }

  enum Ending: Hashable {
    case finish
    /// The failure instead of a response.
    case failure
    /// The failure in place of what comes after that many bytes of the body, or of the end if there are no more.
    case interruption(afterBytes: Int)
    /// Neither a response nor a failure.
    case silence
  }

  /// How long the client waits.
  struct Limits: Equatable {
    /// For the next news: something sent, the head, a piece of the body, the end. Nil for ever.
    var idle: Time?
    /// How long there had been no news when the plan began.
    var silence = Time.zero
    /// For everything together, from the plan's begin: what is left of the resource timeout. Nil for ever.
    var whole: Time?
  }
}
