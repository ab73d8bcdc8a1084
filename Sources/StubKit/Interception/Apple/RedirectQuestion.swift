#if canImport(Darwin)
  import Dispatch
  import Foundation

  /// The question to a task's delegate whether to follow a redirect.
  ///
  /// The system asks it after the load has reported the redirect. If the redirect is followed, a new load takes the
  /// task, and the system stops the old one. Until then, the classic loader can take what the old load says in place
  /// of the redirect. So the load says nothing before the delegate has answered, and nothing at all if there is no
  /// such delegate.
  enum RedirectQuestion {
    private static let question = Selector(
      ("URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:"))

    /// Call this where the load has reported the redirect.
    ///
    /// - Parameter completion: A closure that runs after the delegate has been asked, and after the system has taken an
    ///   answer that the delegate gives at once. It never runs if no delegate is asked, or if the new loader has the task:
    ///   that one needs no more than the redirect, and takes whatever comes after it for the answer.
    static func whenAnswered(by task: URLSessionTask, _ completion: @escaping @Sendable () -> Void) {
      guard ClientRunLoop() != nil else { return }
      guard let session = Platform.session(of: task) else {
        // Nothing shows who is asked. A redirect that is followed stops the load long before.
        return DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: completion)
      }
      let delegates = [task.delegate, session.delegate as? any URLSessionTaskDelegate]
      guard delegates.contains(where: { $0?.responds(to: question) == true }) else { return }
      // This calls back on the delegate's queue after the session's own queue has taken the redirect.
      session.getAllTasks { _ in
        session.delegateQueue.addBarrierBlock { session.getAllTasks { _ in completion() } }
      }
    }
  }

  /// The thread that called `startLoading`. Apple's classic loader expects calls of its client there.
  final class ClientRunLoop: DeliveryQueue, @unchecked Sendable {
    // Safe because a run loop takes blocks from any thread, and nothing else in it changes.
    private let runLoop: CFRunLoop

    /// Returns `nil` on the queues of the new loader: no run loop is running there, except in that of the main thread,
    /// on which the classic loader starts nothing.
    init?() {
      guard let runLoop = CFRunLoopGetCurrent(), runLoop !== CFRunLoopGetMain(),
        CFRunLoopCopyCurrentMode(runLoop) != nil
      else { return nil }
      self.runLoop = runLoop
    }

    func enter(_ work: @escaping @Sendable () -> Void) {
      if CFRunLoopGetCurrent() === runLoop { work() } else { perform(work) }
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
      CFRunLoopPerformBlock(runLoop, CFRunLoopMode.commonModes.rawValue, work)
      CFRunLoopWakeUp(runLoop)
    }
  }
#endif
