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

/// The queue of a load, the only place where its client may be called. It runs one piece of work at a time.
package protocol DeliveryQueue: Sendable {
  func perform(_ work: @escaping Work)

  /// Performs work, and may block the calling thread meanwhile. If the queue is free, the work runs on this thread, and
  /// no other thread is woken. Only a thread for which no work of this queue waits may call it.
  func performHere(_ work: @escaping Work)
}

extension DeliveryQueue {
  package func performHere(_ work: @escaping Work) { perform(work) }
}

extension DispatchQueue: DeliveryQueue {
  package func perform(_ work: @escaping Work) { async(execute: work) }

  package func performHere(_ work: @escaping Work) { sync(execute: work) }
}
