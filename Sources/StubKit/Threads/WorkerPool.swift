import Foundation

/// A piece of work, which can run on any thread.
package typealias Work = @Sendable () -> Void

/// A piece of work that can wait.
typealias AsyncWork = @Sendable () async -> Void

/// Threads for work that can block them. Work that waits for a semaphore or for a request of its own doesn't keep
/// other work waiting.
///
/// Each piece of work is the only one on a serial queue of its own, because Dispatch starts a thread for each serial
/// queue that has work. (A concurrent queue gets only one more thread per second while its threads are blocked.) On
/// Linux, all serial queues of one quality of service share 255 threads, and `.userInteractive` counts as
/// `.userInitiated`. URLSession and the clocks use other qualities than these, so they continue, however many threads
/// are blocked here.
struct WorkerPool {
  /// The threads for the user's code.
  static let closures = WorkerPool(quality: .userInitiated)
  /// The threads for work that takes long, such as copying a file, or reading a stream that waits for whoever fills it.
  static let background = WorkerPool(quality: .utility)

  private let quality: DispatchQoS

  func run(_ work: @escaping Work) {
    DispatchQueue(label: "StubKit.worker", qos: quality).async(execute: work)
  }
}
