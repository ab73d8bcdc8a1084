import Dispatch

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
