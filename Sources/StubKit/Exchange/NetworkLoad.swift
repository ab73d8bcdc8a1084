import Foundation

/// A request that the network has, for a client that can still pause it and leave. Call it only on the client's queue.
protocol NetworkLoad: AnyObject {
  /// Starts, or continues after `pause()`.
  func start()
  func pause()

  /// The client leaves. Returns `false` if the load must not be stopped yet.
  func leave() -> Bool
}
