import Dispatch

/// The queue of a load, with the time of its registry.
struct TimelineQueue {
  let queue: any DeliveryQueue
  let timeline: any Timeline

  var now: Duration { timeline.now }

  func perform(_ work: @escaping Work) { queue.perform(timeline.counted(work)) }

  func performHere(_ work: @escaping Work) {
    if timeline.isWatched { perform(work) } else { queue.performHere(work) }
  }

  /// Runs work after a deadline, never before it.
  func schedule(at deadline: Duration, _ work: @escaping Work) -> DeliveryTimer {
    timeline.schedule(at: deadline, on: queue, work)
  }

  /// Creates something away from the queue, because that takes time, and continues with it on the queue.
  func away<Thing: Sendable>(
    _ make: @escaping @Sendable () -> Thing, then completion: @escaping @Sendable (Thing) -> Void
  ) {
    let work = timeline.counted { [self] in
      let thing = make()
      perform { completion(thing) }
    }
    WorkerPool.background.run(work)
  }
}
