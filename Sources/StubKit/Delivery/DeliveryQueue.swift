import Dispatch

/// Where a delivery lives: the one place from which its client may be called. Work runs there one piece at a time.
protocol DeliveryQueue: Sendable {
  var now: Time { get }

  func perform(_ work: @escaping @Sendable () -> Void)

  /// The same for a thread that may wait: where the queue is free the work is done right there, and no other thread is woken.
  ///
  /// Only a thread for which no work of this queue waits may call it.
  func performHere(_ work: @escaping @Sendable () -> Void)

  /// Does work that URLSession calls for: at once where this is the queue, else in its turn.
  func enter(_ work: @escaping @Sendable () -> Void)

  /// Whether anyone waits until what has begun has ended.
  var isWatched: Bool { get }

  /// Whether a request times out while it waits for something that has no time of its own: a gate, a stream, a closure.
  var timesOutWaits: Bool { get }

  /// Something has begun away from the queue that will soon come back to it; `end()` follows.
  func begin()
  func end()

  /// Its owner is on the queue, called there by URLSession.
  func ownerArrived()

  /// Its owner needs it no more. Called on the queue.
  func ownerLeft()

  /// Runs the work once the deadline has passed, never before it.
  func schedule(at deadline: Time, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer

  /// A course that begins now; nil for a queue that takes no notice of them.
  func makeCourse() -> Course?

  /// The same, for a step of a course.
  func schedule(at deadline: Time, of course: Course?, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer

  /// The same, for what is likely to be called off and may be a little late.
  func scheduleLoosely(at deadline: Time, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer
}

extension DeliveryQueue {
  func performHere(_ work: @escaping @Sendable () -> Void) { perform(work) }
  func enter(_ work: @escaping @Sendable () -> Void) { perform(work) }
  var isWatched: Bool { false }
  var timesOutWaits: Bool { true }
  func begin() {}
  func end() {}
  func ownerArrived() {}
  func ownerLeft() {}
  func makeCourse() -> Course? { nil }

  func schedule(at deadline: Time, of course: Course?, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    schedule(at: deadline, work)
  }

  func scheduleLoosely(at deadline: Time, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    schedule(at: deadline, work)
  }

  var now: Time { .now() }

  /// Makes something that takes time away from the queue, and goes on with it on the queue.
  func away<Thing: Sendable>(
    _ make: @escaping @Sendable () -> Thing, then goOn: @escaping @Sendable (Thing) -> Void
  ) {
    begin()
    WorkerPool.errands.run { [self] in
      let thing = make()
      perform { goOn(thing) }
      end()
    }
  }
}

/// A scheduled piece of work that can be called off.
protocol DeliveryTimer {
  /// Lets go of the work at once. A work that is already waiting its turn on the queue may still run.
  func cancel()
}

extension DispatchQueue: DeliveryQueue {
  func perform(_ work: @escaping @Sendable () -> Void) { async(execute: work) }

  func performHere(_ work: @escaping @Sendable () -> Void) { sync(execute: work) }

  func schedule(at deadline: Time, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    RealTimer(at: deadline, on: self, work)
  }

  func scheduleLoosely(at deadline: Time, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    TimerTable.shared.schedule(at: deadline) { self.async(execute: work) }
  }
}

/// A timer with an absolute deadline and no leeway, so that lateness does not add up from step to step.
struct RealTimer: DeliveryTimer {
  private let source: any DispatchSourceTimer

  init(at deadline: Time, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    source.setEventHandler(handler: work)
    source.schedule(deadline: deadline.dispatchTime, leeway: .nanoseconds(0))
    source.activate()
  }

  func cancel() { source.cancel() }
}
