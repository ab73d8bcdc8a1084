#if os(Linux)
  import Dispatch
  import Foundation
  import FoundationNetworking

  // Completes an async call on the thread that has run the user's closure for it.
  //
  // The completion of an async call only resumes the call's continuation. URLSession runs it on the task's work queue,
  // where a cancellation can deadlock, or on the session's delegate queue, for which another thread has to wake up. (See
  // `InlineCompletion`.) The thread of the closure holds no queue and no lock, so it can run the completion as well.
  extension Platform {
    /// Returns to a load's queue from a thread that can wait.
    static func goBack(
      to queue: any DeliveryQueue, for loader: URLProtocol?, _ work: @escaping @Sendable () -> Void
    ) {
      // The queue of a load that belongs to a manual clock is another one, which counts what runs there.
      guard let loader = loader as? PlatformLoader, loader.isOfAsyncCall, let queue = queue as? DispatchQueue else {
        return queue.performHere(work)
      }
      let completion = queue.sync {
        loader.keptCompletion = loader.isCompletedAnywhere ? KeptBlocks() : nil
        defer { loader.keptCompletion = nil }
        work()
        return loader.keptCompletion
      }
      completion?.run()
    }

    /// Makes the last client call.
    static func complete(_ loader: URLProtocol, _ call: (any URLProtocolClient) -> Void) {
      guard let client = loader.client else { return }
      guard let kept = (loader as? PlatformLoader)?.keptCompletion, let hook = mechanisms.callbacks else {
        return call(client)
      }
      hook.keepingBlocks(in: kept) { call(client) }
    }
  }
#endif
