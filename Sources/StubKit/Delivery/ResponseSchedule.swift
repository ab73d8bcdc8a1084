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

  /// Whether everything is delivered together, so that nothing can come between its parts.
  var comesAtOnce: Bool {
    guard case .data = body, stream == nil, case .finish = plan.ending, case .asPaced = plan.cut,
      case .atOnce = plan.pace
    else { return false }
    return plan.downlink == nil
  }

  /// A Boolean value that indicates whether any part arrives later than the rest, so that the client can time out.
  var takesTime: Bool { !comesAtOnce || plan.delay > .zero || plan.isGated || plan.uplink != nil }

  /// A Boolean value that indicates whether the request reaches a server, even if it fails afterwards.
  var reachesServer: Bool { plan.uploadLoss != nil || plan.ending != .failure || failure?.comesFromServer == true }

  /// Replaces everything by a failure.
  fileprivate mutating func fail(with error: any Error) {
    failure = error
    plan.uploadLoss = nil
    stream = nil
    plan.bodyLength = 0
    plan.ending = .failure
  }

  /// Returns the error of a client that has given up. It contains no URL, like the native loader's on Linux.
  ///
  /// - Parameter isSkipped: Whether the clock has skipped the time, so that the client has hardly waited.
  func timeout(at time: Duration, isSkipped: Bool) -> URLError {
    let isWhole = time == plan.limits?.whole
    let limit = (isWhole ? nil : plan.limits?.idle) ?? time
    let sendTime = Duration(of: plan.sentLength, at: plan.uplink)
    let act =
      if plan.ending == .silence {
        "never answers"
      } else if case .stall = plan.ending {
        "stops in the middle of its response"
      } else if plan.delay > limit {
        "answers after \(plan.delay)"
      } else if sendTime > time {
        "receives the request slowly"
      } else if plan.isGated {
        "is held by a gate"
      } else {
        "sends its response slowly"
      }
    let subject = stub.map { "the stub \($0)" } ?? "the response to an unmatched request"
    return URLError(
      timedOutAfter: "\(limit), \(isWhole ? "timeoutIntervalForResource of its session" : "its timeoutInterval")",
      because: "\(subject) \(act)", isSkipped: isSkipped)
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
    let usual = schedule(for: method, of: body, by: randomness.stub)
    guard options != nil || conditions != nil else { return usual }
    var schedule = usual
    if let options { apply(options, to: &schedule, randomness) }
    if let conditions = options?.network ?? conditions { conditions.apply(to: &schedule, randomness) }
    if options?.network == nil, conditions?.isOffline == true, conditions?.mistake == nil {
      schedule.fail(with: URLError(.notConnectedToInternet, URLError.offlineSentence))
    }
    return schedule
  }

  /// Returns the schedule without options and network conditions.
  private func schedule(for method: String?, of body: ResponseBody, by stub: StubReference?) -> ResponseSchedule {
    let dropsBody = dropsBody(for: method)
    var sent = dropsBody ? .empty : body
    var plan = DeliveryPlan(delay: delay, pace: pace)
    var failure = failure
    if failure != nil {
      plan.ending = .failure
    } else if let interruption, !dropsBody {
      plan.ending = .interruption(afterBytes: interruption.byteCount)
      failure = interruption.error
    } else if let count = options?.stallsAfter, !dropsBody {
      plan.ending = .stall(afterBytes: count)
    }
    var stream: BodyStream?
    if !dropsBody, plan.ending != .failure, case .stream(let body) = self.body {
      stream = body
      sent = .empty
    }
    if !dropsBody, stream == nil, let length = declaredLength {
      if length < sent.count {
        sent = sent.part(0..<length)
      } else if length > sent.count, plan.ending == .finish {
        plan.ending = .interruption(afterBytes: sent.count)
        failure = URLError.truncated(after: sent.count, of: length)
      }
    }
    plan.bodyLength = stream == nil ? sent.count : nil
    plan.longestPiece = sent.isOpen ? ResponseBody.pieceLength : nil
    plan.cut = cut
    return ResponseSchedule(plan: plan, body: sent, failure: failure, stream: stream, stub: stub)
  }

  private func apply(_ options: ResponseOptions, to schedule: inout ResponseSchedule, _ randomness: CallRandomness) {
    if options.isSilent { schedule.plan.ending = .silence }
    if let loss = options.uploadLoss {
      schedule.fail(with: loss.error)
      schedule.plan.uploadLoss = loss.place
    }
    schedule.gate = options.gate
    schedule.plan.isGated = options.gate != nil
    if let flakiness = options.flakiness, randomness.number(for: .flakiness, seed: flakiness.seed) < flakiness.rate {
      let sentence = randomness.sentence("The request failed", rate: flakiness.rate, ".flaky(…)", seed: flakiness.seed)
      schedule.fail(with: URLError(flakiness.code, sentence))
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
    var delay = latency
    if jitter > .zero {
      let least = max(.zero, latency - jitter)
      delay = least + (latency + jitter - least) * randomness.number(for: .jitter, seed: seed)
    }
    schedule.plan.delay += delay
    schedule.plan.uplink = uplink?.bytesPerSecond
    schedule.plan.downlink = downlink?.bytesPerSecond
    if lossRate > 0, randomness.number(for: .loss, seed: seed) < lossRate {
      let sentence = randomness.sentence("The connection was lost", rate: lossRate, "NetworkConditions", seed: seed)
      schedule.fail(with: URLError(.networkConnectionLost, sentence))
    }
  }
}

extension URLError {
  /// - Parameters:
  ///   - limit: The limit, with its name.
  ///   - reason: Who kept the client waiting.
  ///   - isSkipped: Whether the immediate clock has skipped the wait.
  init(timedOutAfter limit: String, because reason: String, isSkipped: Bool = false) {
    let hint =
      isSkipped
      ? " The immediate clock has skipped this time. To keep the client waiting, answer with .held(by: gate), or set "
        + "HTTPStubs.clock = ManualClock() in the test."
      : ""
    self.init(.timedOut, "\(Self.timeoutPrefix)\(limit): \(reason).\(hint)")
  }

  /// How the text begins of a client that StubKit has kept waiting.
  package static let timeoutPrefix = "The request timed out after "

  fileprivate static func truncated(after count: Int, of length: Int) -> URLError {
    let sentence = """
      The connection was lost after \(count) of \(length) bytes: the response's Content-Length says \(length), and its body \
      has \(count). Leave the header out, if that is not what the test is about.
      """
    return URLError(.networkConnectionLost, sentence)
  }
}
