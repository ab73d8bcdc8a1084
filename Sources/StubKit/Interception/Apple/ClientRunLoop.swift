#if canImport(Darwin)
  import Dispatch
  import Foundation

  /// The thread that called `startLoading`, on which Apple's classic loader wants its client called.
  final class ClientRunLoop: DeliveryQueue, @unchecked Sendable {
    // @unchecked holds because a run loop takes blocks from any thread, and nothing else in it changes.
    private let runLoop: CFRunLoop

    /// Nil where no run loop is running: the new loader's queues have none.
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
