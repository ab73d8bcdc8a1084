import Foundation

/// What happens to a response for one request, including chance.
struct ResponseSchedule {
  /// What takes time, without what only the client knows: how much is sent, and how long it waits.
  var plan = DeliveryPlan()
  /// The bytes to deliver, except for a stream.
  var body = ResponseBody.empty
  /// The error, at once or after a part of the body.
  var failure: (any Error)?
  var gate: ResponseGate?
  var stream: BodyStream?
  /// The stub that answers, for the error of a timeout, or `nil` for the answer of a policy.
  var stub: StubReference?

  /// A Boolean value that indicates whether everything is delivered together, so that nothing can come between its
  /// parts.
  var comesAtOnce: Bool {
    guard case .data = body, stream == nil, case .finish = plan.ending, case .asPaced = plan.cut,
      case .atOnce = plan.pace
    else { return false }
    return plan.downlink == nil
  }

  /// A Boolean value that indicates whether any part arrives later than the rest, so that the client can time out.
  var takesTime: Bool {
    !comesAtOnce || plan.delay > .zero || plan.isGated || plan.uplink != nil
  }

  /// A Boolean value that indicates whether the request reaches a server, even if it fails afterwards.
  var reachesServer: Bool {
    guard plan.ending == .failure else { return true }
    return switch (failure as? URLError)?.code {
    case .networkConnectionLost, .timedOut, .badServerResponse, .cannotParseResponse, .zeroByteResource: true
    default: false
    }
  }
}

extension StubResponse {
  /// - Parameters:
  ///   - method: The method of the request. HEAD receives no body.
  ///   - body: The body of the response, opened.
  ///   - conditions: The conditions of the registry, which the response's own replace.
  ///   - randomness: The random numbers of the call.
  func schedule(
    for method: String?, of body: ResponseBody, conditions: NetworkConditions? = nil, randomness: CallRandomness
  ) -> ResponseSchedule {
    var schedule = schedule(for: method, of: body)
    schedule.stub = randomness.stub
    if let options { apply(options, to: &schedule, randomness) }
    if let conditions = options?.network ?? conditions { conditions.apply(to: &schedule, randomness) }
    return schedule
  }

  /// Returns the schedule without network conditions.
  private func schedule(for method: String?, of body: ResponseBody) -> ResponseSchedule {
    let dropsBody = dropsBody(for: method)
    var sent = dropsBody ? .empty : body
    var plan = DeliveryPlan(delay: delay, pace: pace)
    var failure = failure
    if failure != nil {
      plan.ending = .failure
    } else if let interruption, !dropsBody {
      plan.ending = .interruption(afterBytes: interruption.byteCount)
      failure = interruption.error
    }
    var stream: BodyStream?
    if !dropsBody, plan.ending != .failure, case .stream(let body) = self.body { stream = body }
    if !dropsBody, stream == nil, let length = declaredLength {
      if length < sent.count {
        sent = sent.part(0..<length)
      } else if length > sent.count, plan.ending == .finish {
        plan.ending = .interruption(afterBytes: sent.count)
        failure = URLError.truncated(after: sent.count, of: length)
      }
    }
    plan.body = stream == nil ? .bytes(sent.count) : .stream
    plan.longestPiece = sent.isOpen ? ResponseBody.pieceLength : nil
    // An empty body has no pieces, wherever a longer one would be cut.
    if case .at = cut, sent.count == 0 {} else { plan.cut = cut }
    return ResponseSchedule(plan: plan, body: sent, failure: failure, stream: stream)
  }

  private func apply(_ options: ResponseOptions, to schedule: inout ResponseSchedule, _ randomness: CallRandomness) {
    if options.isSilent { schedule.plan.ending = .silence }
    if let gate = options.gate {
      schedule.gate = gate
      schedule.plan.isGated = true
    }
    if let flakiness = options.flakiness,
      randomness.number(for: .flakiness, seed: flakiness.seed) < flakiness.rate
    {
      let sentence = randomness.sentence("The request failed", rate: flakiness.rate, ".flaky(…)", seed: flakiness.seed)
      schedule.fail(with: URLError(flakiness.code, userInfo: [NSLocalizedDescriptionKey: sentence]))
    }
  }

  /// The length that the test set for the body, if URLSession uses it.
  private var declaredLength: Int? {
    guard headers.contains("Content-Length"), let length = headers["Content-Length"].flatMap({ Int($0) }), length >= 0,
      !headers.contains("Content-Encoding"), !headers.contains("Transfer-Encoding")
    else { return nil }
    return length
  }
}

extension NetworkConditions {
  fileprivate func apply(to schedule: inout ResponseSchedule, _ randomness: CallRandomness) {
    if let mistake {
      return schedule.fail(with: StubResponseError(stub: randomness.stub, reason: .invalidConditions(mistake)))
    }
    guard !isOffline else {
      schedule.fail(with: URLError(.notConnectedToInternet))
      schedule.plan.delay = .zero
      schedule.plan.isGated = false
      return
    }
    schedule.plan.delay += drawnLatency(randomness)
    schedule.plan.uplink = uplink?.bytesPerSecond
    schedule.plan.downlink = downlink?.bytesPerSecond
    if lossRate > 0, randomness.number(for: .loss, seed: seed) < lossRate {
      let sentence = randomness.sentence("The connection was lost", rate: lossRate, "NetworkConditions", seed: seed)
      schedule.fail(with: URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: sentence]))
    }
  }

  private func drawnLatency(_ randomness: CallRandomness) -> Duration {
    guard jitter > .zero else { return latency.clamped }
    return max(.zero, latency.clamped + jitter.clamped * (randomness.number(for: .jitter, seed: seed) * 2 - 1))
  }
}

extension ResponseSchedule {
  /// Replaces everything by a failure.
  fileprivate mutating func fail(with error: any Error) {
    failure = error
    stream = nil
    plan.body = .bytes(0)
    plan.ending = .failure
  }
}

extension URLError {
  fileprivate static func truncated(after count: Int, of length: Int) -> URLError {
    let sentence = """
      The connection was lost after \(count) of \(length) bytes: the response's Content-Length says \(length), and its body \
      has \(count). Leave the header out, if that is not what the test is about.
      """
    return URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: sentence])
  }
}

/// The random numbers for one call of a stub. They are a pure function of a seed, the stub, and the number of its call, so
/// that nothing that runs at the same time can change them.
struct CallRandomness: Sendable {
  /// The purpose of a number. Each purpose has a number of its own.
  enum Purpose: UInt64 { case jitter = 1, loss, flakiness }

  /// The seed for stubs without one.
  static let seedOfProcess = UInt64.random(in: 0..<1 << 32)

  let stub: StubReference?
  /// The number of the call, from 1.
  let call: Int

  /// Returns a number from 0 to below 1.
  func number(for purpose: Purpose, seed: UInt64?) -> Double {
    var state = seed ?? Self.seedOfProcess
    if let location = stub?.location {
      for byte in location.fileID.utf8 { state = Self.mixed(state ^ UInt64(byte)) }
      state = Self.mixed(state ^ UInt64(truncatingIfNeeded: location.line) << 32 ^ UInt64(location.column))
    }
    state = Self.mixed(state ^ UInt64(truncatingIfNeeded: call))
    return Double(Self.mixed(state ^ purpose.rawValue) >> 11) * 0x1p-53
  }

  /// Returns the description of a failure that was drawn.
  func sentence(_ failure: String, rate: Double, _ modifier: String, seed: UInt64?) -> String {
    let requests = stub.map { "requests to the stub \($0)" } ?? "requests that the unmatched policy answers"
    return """
      \(failure) at random: \(rate * 100)% of the \(requests) fail (call \(call)). \
      To repeat this run, write seed: \(seed ?? Self.seedOfProcess) in \(modifier).
      """
  }

  /// The finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
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

  /// - Parameters:
  ///   - longestPiece: The largest number of bytes in a piece if the pace cuts the body, or `nil` for any number.
  ///   - downlink: The largest number of bytes that arrive per second, or `nil` for any number.
  init(bodyLength: Int, pace: BodyPace, cut: BodyCut = .asPaced, longestPiece: Int? = nil, downlink: Double? = nil) {
    self.bodyLength = bodyLength
    self.pace = pace
    self.cut = cut
    self.downlink = downlink
    let least = bodyLength == 0 ? 0 : longestPiece.map { min(bodyLength, bodyLength / $0 + 1) } ?? 1
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
    duration = max(ownDuration, downlink.map { Duration(of: bodyLength, at: $0) } ?? .zero)
    if let given {
      count = given
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
      switch pace {
      case .recorded(let times, _) where times.indices.contains(piece - 1): times[piece - 1]
      case .pieces(every: let gap, first: let lead): lead + gap.times(piece - 1)
      default: end == bodyLength ? ownDuration : ownDuration * (Double(end) / Double(bodyLength))
      }
    return downlink.map { max(own, Duration(of: end, at: $0)) } ?? own
  }
}

extension Duration {
  /// The time of a number of gaps, of which so many take longer than any test that their number is limited.
  fileprivate func times(_ count: Int) -> Duration { self * min(max(0, count), 1 << 32) }
}
