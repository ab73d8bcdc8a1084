import Dispatch

/// Where a delivery lives: the one place from which its client may be called. Work runs there one piece at a time.
protocol DeliveryQueue: Sendable {
  var now: DispatchTime { get }

  func perform(_ work: @escaping @Sendable () -> Void)

  /// Its owner is on the queue, called there by URLSession.
  func ownerArrived()

  /// Its owner needs it no more. Called on the queue.
  func ownerLeft()

  /// Runs the work once the deadline has passed, never before it.
  func schedule(at deadline: DispatchTime, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer

  /// The same, for what is likely to be called off and may be a little late.
  func scheduleLoosely(at deadline: DispatchTime, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer
}

extension DeliveryQueue {
  func ownerArrived() {}
  func ownerLeft() {}

  func scheduleLoosely(at deadline: DispatchTime, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    schedule(at: deadline, work)
  }

  var now: DispatchTime { .now() }
}

/// A scheduled piece of work that can be called off.
protocol DeliveryTimer {
  /// Lets go of the work at once. A work that is already waiting its turn on the queue may still run.
  func cancel()
}

extension DispatchQueue: DeliveryQueue {
  func perform(_ work: @escaping @Sendable () -> Void) { async(execute: work) }

  func schedule(at deadline: DispatchTime, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    RealTimer(at: deadline, on: self, work)
  }

  func scheduleLoosely(at deadline: DispatchTime, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    TimerTable.shared.schedule(at: deadline) { self.async(execute: work) }
  }
}

/// A timer with an absolute deadline and no leeway, so that lateness does not add up from step to step.
struct RealTimer: DeliveryTimer {
  private let source: any DispatchSourceTimer

  init(at deadline: DispatchTime, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    source.setEventHandler(handler: work)
    source.schedule(deadline: deadline, leeway: .nanoseconds(0))
    source.activate()
  }

  func cancel() { source.cancel() }
}
