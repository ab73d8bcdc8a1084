#if canImport(Darwin)
  import Dispatch
  import Foundation

  /// The thread that called `startLoading`. Apple's classic loader expects calls of its client there.
  final class ClientRunLoop: DeliveryQueue, @unchecked Sendable {
    // @unchecked holds because a run loop takes blocks from any thread, and nothing else in it changes.
    private let runLoop: CFRunLoop

    /// Returns `nil` if no run loop is running, as on the queues of the new loader.
    init?() {
      guard let runLoop = CFRunLoopGetCurrent(), CFRunLoopCopyCurrentMode(runLoop) != nil else { return nil }
      self.runLoop = runLoop
    }

    func enter(_ work: @escaping @Sendable () -> Void) {
      if CFRunLoopGetCurrent() === runLoop { work() } else { perform(work) }
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
      CFRunLoopPerformBlock(runLoop, CFRunLoopMode.commonModes.rawValue, work)
      CFRunLoopWakeUp(runLoop)
    }

    func schedule(at deadline: Time, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
      RealTimer(at: deadline, on: .global()) { [weak self] in self?.perform(work) }
    }
  }
#endif
