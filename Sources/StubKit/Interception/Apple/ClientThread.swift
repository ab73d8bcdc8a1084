#if canImport(Darwin)
  import Dispatch
  import Foundation

  /// The thread that called `startLoading`, on which Apple's loading system wants its client called.
  final class ClientThread: DeliveryQueue, @unchecked Sendable {
    // @unchecked holds because `perform(_:)` of a run loop may be called from any thread.
    private let runLoop = RunLoop.current

    func perform(_ work: @escaping @Sendable () -> Void) {
      runLoop.perform(inModes: [.common], block: work)
      CFRunLoopWakeUp(runLoop.getCFRunLoop())
    }

    func schedule(at deadline: Time, _ work: @escaping @Sendable () -> Void) -> any DeliveryTimer {
      RealTimer(at: deadline, on: .global()) { [weak self] in self?.perform(work) }
    }
  }
#endif
