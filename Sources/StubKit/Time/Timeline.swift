/// How the time of a registry's loads passes, where it is not the system's: the inside of a ``StubClock``.
///
/// What takes no time on it, but does not happen at once either, is counted: ``begin()`` before, ``end()`` after. A timeline that
/// is moved by hand does not go on before everything that has begun has ended.
protocol Timeline: AnyObject, Sendable {
  var now: Time { get }

  /// Runs the work on the queue once the deadline has passed, never before it. What falls due at the same moment runs in the
  /// order in which it was scheduled.
  ///
  /// - Parameter course: What the work is a step of; nil for what stands alone.
  func schedule(
    at deadline: Time, on queue: any DeliveryQueue, of course: Course?, _ work: @escaping @Sendable () -> Void
  ) -> any DeliveryTimer

  /// A course that begins now; nil for a timeline that takes no notice of them.
  func makeCourse() -> Course?

  /// Whether someone waits until what has begun has ended.
  var isWatched: Bool { get }

  /// Whether a request times out while it waits for something that has no time of its own: a gate, a stream, a closure.
  var timesOutWaits: Bool { get }

  func begin()
  func end()

  /// Where the user's closures and streams run, so that it is known when they have come to rest; nil for where they run
  /// otherwise.
  var executor: (any Executor)? { get }
}

extension Timeline {
  func makeCourse() -> Course? { nil }

  func schedule(
    at deadline: Time, on queue: any DeliveryQueue, _ work: @escaping @Sendable () -> Void
  ) -> any DeliveryTimer {
    schedule(at: deadline, on: queue, of: nil, work)
  }
}

/// A load's queue, with its time from a timeline.
struct TimelineQueue: DeliveryQueue {
  let queue: any DeliveryQueue
  let timeline: any Timeline

  var now: Time { timeline.now }

  func perform(_ work: @escaping @Sendable () -> Void) {
    timeline.begin()
    queue.perform { [timeline] in
      work()
      timeline.end()
    }
  }

  func enter(_ work: @escaping @Sendable () -> Void) {
    timeline.begin()
    queue.enter { [timeline] in
      work()
      timeline.end()
    }
  }

  var isWatched: Bool { timeline.isWatched }
  var timesOutWaits: Bool { timeline.timesOutWaits }
  func begin() { timeline.begin() }
  func end() { timeline.end() }
  func ownerArrived() { queue.ownerArrived() }
  func ownerLeft() { queue.ownerLeft() }

  func schedule(at deadline: Time, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    timeline.schedule(at: deadline, on: queue, work)
  }

  func makeCourse() -> Course? { timeline.makeCourse() }

  func schedule(at deadline: Time, of course: Course?, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
    timeline.schedule(at: deadline, on: queue, of: course, work)
  }
}
