import Dispatch

/// The queue of a delivery, the only place where its client may be called. It runs one piece of work at a time.
protocol DeliveryQueue: Sendable {
  var now: Duration { get }

  func perform(_ work: @escaping @Sendable () -> Void)

  /// Performs work, and may block the calling thread meanwhile. If the queue is free, the work runs on this thread, and
  /// no other thread is woken. Only a thread for which no work of this queue waits may call it.
  func performHere(_ work: @escaping @Sendable () -> Void)

  /// Runs work that URLSession calls for: at once on this queue, or else in its turn.
  func enter(_ work: @escaping @Sendable () -> Void)

  /// A Boolean value that indicates whether a clock waits until what has begun has ended.
  var isWatched: Bool { get }

  /// A Boolean value that indicates whether a request times out while it waits for a gate, a stream or a closure,
  /// which have no time of their own.
  var timesOutWaits: Bool { get }

  /// Records that something has begun away from the queue and will soon return to it. `end(_:)` follows.
  func begin() -> UInt64
  func end(_ work: UInt64)

  /// Runs work after a deadline, never before it.
  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer

  /// Schedules work that is likely to be cancelled and can be a little late.
  func scheduleLoosely(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer
}

extension DeliveryQueue {
  func performHere(_ work: @escaping @Sendable () -> Void) { perform(work) }
  func enter(_ work: @escaping @Sendable () -> Void) { perform(work) }
  var isWatched: Bool { false }
  var timesOutWaits: Bool { true }
  func begin() -> UInt64 { 0 }
  func end(_ work: UInt64) {}
  var now: Duration { .now() }

  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    RealTimer(at: deadline, on: RealTimer.queue) { perform(work) }
  }

  func scheduleLoosely(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    schedule(at: deadline, work)
  }

  /// Creates something away from the queue, because that takes time, and continues with it on the queue.
  func away<Thing: Sendable>(
    _ make: @escaping @Sendable () -> Thing, then proceed: @escaping @Sendable (Thing) -> Void
  ) {
    let begun = begin()
    WorkerPool.background.run { [self] in
      let thing = make()
      perform { proceed(thing) }
      end(begun)
    }
  }
}

/// A scheduled piece of work that can be cancelled.
protocol DeliveryTimer {
  /// Releases the work at once. Work that already waits on the queue can still run.
  func cancel()
}

extension DispatchQueue: DeliveryQueue {
  func perform(_ work: @escaping @Sendable () -> Void) { async(execute: work) }

  func performHere(_ work: @escaping @Sendable () -> Void) { sync(execute: work) }

  func schedule(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    RealTimer(at: deadline, on: self, work)
  }

  func scheduleLoosely(at deadline: Duration, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    TimerTable.shared.schedule(at: deadline) { self.async(execute: work) }
  }
}

/// A timer with an absolute deadline and no leeway, so that lateness doesn't add up from step to step.
struct RealTimer: DeliveryTimer {
  /// A queue for timers that only hand their work on.
  fileprivate static let queue = DispatchQueue(label: "StubKit.timers", qos: .userInitiated)

  private let source: any DispatchSourceTimer

  init(at deadline: Duration, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    source.setEventHandler(handler: work)
    source.schedule(deadline: deadline.dispatchTime, leeway: .nanoseconds(0))
    source.activate()
  }

  func cancel() { source.cancel() }
}
