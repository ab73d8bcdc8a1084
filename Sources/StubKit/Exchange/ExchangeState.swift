/// What an exchange does, with what only that needs. Each event is a function that changes the state, and returns what
/// the exchange has to go on with.
enum ExchangeState {
  /// The registry can be asked for the answer to the request.
  case ready
  /// Work away from the queue is under way: the user's closures, the reading of a file, or a report.
  case waiting(Wait)
  /// A response, or a failure, is on its way to the client.
  case delivering(Delivery)
  /// The system has been told of the redirect in a response that is held. It creates a new exchange for the redirect,
  /// unless the delegate refuses it.
  case leadingOn(Delivery, status: Int)
  /// The network has the request. The client is gone.
  case passedThrough(any NetworkLoad)
  /// The client is gone.
  case over(RecordedRequest.Outcome)

  struct Wait {
    /// Ends a wait that takes longer than the client waits. After a wait, the timeout is part of the delivery's plan.
    fileprivate var timeout: (start: Time, timer: any DeliveryTimer)?
    fileprivate var reading: CancellationFlag?
  }

  /// A Boolean value that indicates whether StubKit has yet to decide what happens to the request.
  var isUndecided: Bool {
    switch self {
    case .ready, .waiting: true
    case .delivering, .leadingOn, .passedThrough, .over: false
    }
  }

  var isOver: Bool { if case .over = self { true } else { false } }

  /// Returns whether the exchange still delivers what it delivered when it asked.
  func isHolding(_ delivery: Delivery) -> Bool {
    switch self {
    case .delivering(let current), .leadingOn(let current, _): current === delivery
    case .ready, .waiting, .passedThrough, .over: false
    }
  }

  /// The time since which the timeout of a wait has been running, or `nil` if there is none.
  var timeoutStart: Time? { if case .waiting(let wait) = self { wait.timeout?.start } else { nil } }

  /// Begins a wait, or continues it with another piece of work.
  mutating func wait(reading flag: CancellationFlag? = nil) {
    var wait = if case .waiting(let current) = self { current } else { Wait() }
    wait.reading = flag
    self = .waiting(wait)
  }

  /// Replaces the timeout of a wait. Has no effect outside of waits.
  mutating func setTimeout(_ timeout: (start: Time, timer: any DeliveryTimer)?) {
    guard case .waiting(var wait) = self else { return }
    wait.timeout?.timer.cancel()
    wait.timeout = timeout
    self = .waiting(wait)
  }

  /// Stops what is under way. The state stays.
  ///
  /// - Returns: The number of bytes of a response's body that were delivered.
  @discardableResult
  func stopWork() -> Int {
    switch self {
    case .waiting(let wait):
      wait.timeout?.timer.cancel()
      wait.reading?.cancel()
    case .delivering(let delivery), .leadingOn(let delivery, _):
      let length = delivery.deliveredLength
      delivery.stop()
      return length
    case .ready, .passedThrough, .over: break
    }
    return 0
  }
}
