import Foundation

/// What happens to a response for one request, including chance.
struct Transmission {
  /// The schedule without what only the client knows: how much is sent, and how long it waits.
  var schedule: Schedule
  /// The bytes to deliver, except for a stream.
  var body: DeliveryBody
  /// The error, at once or after a part of the body.
  var failure: (any Error)?
  var gate: ResponseGate?
  var stream: BodyStream?

  /// A Boolean value that indicates whether everything is delivered together, so that nothing can come between its
  /// parts.
  var comesAtOnce: Bool {
    guard case .memory = body, stream == nil else { return false }
    return schedule.ending == .finish && schedule.cut == .asPaced && schedule.pace == .atOnce
      && schedule.downlink == nil
  }

  /// A Boolean value that indicates whether any part arrives later than the rest, so that the client can time out.
  var takesTime: Bool {
    !comesAtOnce || schedule.delay > .zero || schedule.isGated || schedule.uplink != nil
  }

  /// A Boolean value that indicates whether the request reaches a server, even if it fails afterwards.
  var reachesServer: Bool {
    guard schedule.ending == .failure else { return true }
    return switch (failure as? URLError)?.code {
    case .networkConnectionLost, .timedOut, .badServerResponse, .cannotParseResponse, .zeroByteResource: true
    default: false
    }
  }

  /// - Parameters:
  ///   - requestLength: The number of bytes of the request's body that are reported as sent.
  ///   - limits: The limits of the client, or `nil` for one that waits for ever.
  ///   - joinsPieces: Whether the client doesn't learn of single pieces of the body.
  func plan(requestLength: Int, limits: Schedule.Limits? = nil, joinsPieces: Bool = false) -> DeliveryPlan {
    var schedule = schedule
    schedule.joinsPieces = joinsPieces
    schedule.requestLength = requestLength
    schedule.limits = limits
    return DeliveryPlan(schedule)
  }
}

extension StubResponse {
  /// - Parameters:
  ///   - method: The method of the request. HEAD receives no body.
  ///   - body: The body of the response, opened.
  ///   - conditions: The conditions of the registry, which the response's own replace.
  ///   - draw: The random numbers of the request.
  func transmission(
    for method: String?, of body: DeliveryBody, conditions: NetworkConditions? = nil, draw: Draw
  ) -> Transmission {
    var transmission = undisturbed(for: method, of: body)
    if let circumstances { disturb(&transmission, circumstances, draw) }
    if let conditions = circumstances?.network ?? conditions { conditions.apply(to: &transmission, draw) }
    return transmission
  }

  /// Returns the transmission without network conditions.
  private func undisturbed(for method: String?, of body: DeliveryBody) -> Transmission {
    let dropsBody = dropsBody(for: method)
    var sent = dropsBody ? .empty : body
    var schedule = Schedule(delay: delay, pace: pace)
    var failure = failure
    if failure != nil {
      schedule.ending = .failure
    } else if let interruption {
      schedule.ending = .interruption(afterBytes: interruption.byteCount)
      failure = interruption.error
    }
    var stream: BodyStream?
    if !dropsBody, failure == nil || schedule.ending != .failure, case .stream(let body) = self.body { stream = body }
    if !dropsBody, stream == nil, let length = declaredLength {
      if length < sent.count {
        sent = sent.prefix(length)
      } else if length > sent.count, schedule.ending == .finish {
        schedule.ending = .interruption(afterBytes: sent.count)
        failure = URLError.truncated(after: sent.count, of: length)
      }
    }
    schedule.body = stream == nil ? .bytes(sent.count) : .stream
    schedule.longestPiece = sent.longestPiece
    if let pieceLength {
      schedule.cut = .every(pieceLength)
    } else if !dropsBody, case .pieces(_, let ends, _) = self.body {
      schedule.cut = .at(ends)
    }
    return Transmission(schedule: schedule, body: sent, failure: failure, stream: stream)
  }

  private func disturb(_ transmission: inout Transmission, _ circumstances: Circumstances, _ draw: Draw) {
    if circumstances.isSilent { transmission.schedule.ending = .silence }
    if let gate = circumstances.gate {
      transmission.gate = gate
      transmission.schedule.isGated = true
    }
    if let flakiness = circumstances.flakiness,
      draw.number(for: .flakiness, seed: flakiness.seed) < flakiness.rate
    {
      let sentence = draw.sentence("The request failed", rate: flakiness.rate, ".flaky(…)", seed: flakiness.seed)
      transmission.fail(with: URLError(flakiness.code, userInfo: [NSLocalizedDescriptionKey: sentence]))
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
  fileprivate func apply(to transmission: inout Transmission, _ draw: Draw) {
    if let mistake {
      return transmission.fail(with: StubResponseError(stub: draw.stub, reason: .invalidConditions(mistake)))
    }
    guard !isOffline else {
      transmission.fail(with: URLError(.notConnectedToInternet))
      transmission.schedule.delay = .zero
      transmission.schedule.isGated = false
      return
    }
    transmission.schedule.delay += drawnLatency(draw)
    transmission.schedule.uplink = uplink?.bytesPerSecond
    transmission.schedule.downlink = downlink?.bytesPerSecond
    if lossRate > 0, draw.number(for: .loss, seed: seed) < lossRate { lose(&transmission, draw) }
  }

  private func drawnLatency(_ draw: Draw) -> Time {
    guard jitter > .zero else { return Time(latency) }
    return max(.zero, Time(latency) + Time(jitter) * (draw.number(for: .jitter, seed: seed) * 2 - 1))
  }

  /// Half of the lost connections are lost before the head, and the others somewhere in the body.
  private func lose(_ transmission: inout Transmission, _ draw: Draw) {
    let sentence = draw.sentence("The connection was lost", rate: lossRate, "NetworkConditions", seed: seed)
    let failure = URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: sentence])
    let point = draw.number(for: .lossPoint, seed: seed) * 2 - 1
    switch transmission.schedule.ending {
    case .finish where point >= 0, .interruption where point >= 0:
      let length = if case .bytes(let count) = transmission.schedule.body { count } else { Self.longestStream }
      let lost = Int(point * Double(length))
      if case .interruption(let own) = transmission.schedule.ending, own <= lost { return }
      transmission.schedule.ending = .interruption(afterBytes: lost)
      transmission.failure = failure
    case .finish, .interruption, .failure, .silence:
      transmission.fail(with: failure)
    }
  }

  /// The range from which the lost byte of a stream is drawn, because nobody knows the stream's length.
  private static let longestStream = 65_536
}

extension Transmission {
  /// Replaces everything by a failure.
  fileprivate mutating func fail(with error: any Error) {
    failure = error
    stream = nil
    schedule.body = .bytes(0)
    schedule.ending = .failure
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
