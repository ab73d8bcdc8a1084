#if !canImport(Darwin)
  import Foundation

  /// A client that forwards every call to another one. It notes the request's callbacks on the thread meanwhile,
  /// because URLSession then adds them to the delegate queue.
  final class ObservedClient: NSObject, URLProtocolClient, @unchecked Sendable {
    // Safe because its mutable state is touched on the work queues of the task and its session only, which exclude each
    // other, and all of it is called there.
    let callbacks: RequestCallbacks
    private let client: any URLProtocolClient
    private let task: URLSessionTask
    private var isOver = false

    init(_ client: any URLProtocolClient, _ task: URLSessionTask, _ callbacks: RequestCallbacks) {
      self.client = client
      self.task = task
      self.callbacks = callbacks
    }

    private func tell(_ call: () -> Void) { CallbackHook.adding(callbacks, call) }

    func urlProtocol(_ loader: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
      tell { client.urlProtocol(loader, wasRedirectedTo: request, redirectResponse: redirectResponse) }
    }

    func urlProtocol(_ loader: URLProtocol, cachedResponseIsValid response: CachedURLResponse) {
      tell { client.urlProtocol(loader, cachedResponseIsValid: response) }
    }

    func urlProtocol(
      _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
      tell { client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: policy) }
    }

    func urlProtocol(_ loader: URLProtocol, didLoad data: Data) { tell { client.urlProtocol(loader, didLoad: data) } }

    func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
      finish(loader) { [client] in client.urlProtocolDidFinishLoading(loader) }
    }

    func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
      finish(loader) { [client] in client.urlProtocol(loader, didFailWithError: error) }
    }

    func urlProtocol(_ loader: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
      tell { client.urlProtocol(loader, didReceive: challenge) }
    }

    func urlProtocol(_ loader: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
      tell { client.urlProtocol(loader, didCancel: challenge) }
    }

    /// Makes the last call.
    ///
    /// A delegate queue of the user's own class is out of the hook's reach. Its callbacks are over when the next block
    /// runs.
    private func end(_ call: () -> Void) {
      tell(call)
      let queue = task.ownSession?.delegateQueue
      if queue.map({ type(of: $0) == OperationQueue.self }) != true {
        callbacks.begin()
        task.afterDelegateCalls(callbacks.end)
      }
      callbacks.complete()
    }

    /// Makes the last call, in the plain mode so that neither a resumption nor a cancellation can cross it.
    ///
    /// URLSession forgets a task's loader with the last call, but marks the task as completed only after the delegate
    /// queue has run. A `resume()` in between completes the task a second time, or traps. The task is therefore
    /// suspended first, so often that no `resume()` continues it.
    ///
    /// An async call continues within the last call. For that, it needs a lock that a cancellation holds while it waits
    /// for the work queue. The call is therefore made on another thread, while the work queue stands still. If the call
    /// takes long, the queue goes on. By then, the call has read everything that belongs to the queue.
    private func finish(_ loader: URLProtocol, _ call: @escaping () -> Void) {
      guard Platform.internals == nil else { return end(call) }
      let queue = WorkQueue(task: task)
      // Safe because the work queue stands still while the call is made.
      nonisolated(unsafe) let call = call
      let isCancelled = task.state == .canceling
      // URLSession itself suspends and resumes a task that has a demand for a credential from a server.
      let suspensions = loader is StubURLProtocol && !isCancelled ? 8 : 0
      WorkerPool.background.run { [self] in
        for _ in 0..<suspensions { task.suspend() }
        let turn = DispatchSemaphore(value: 0)
        let back = DispatchSemaphore(value: 0)
        let isAllowed = Protected(false)
        queue.perform { [self] in
          // A cancellation brings a last call of its own.
          guard !isOver, isCancelled || task.state != .canceling else { return _ = turn.signal() }
          isOver = true
          isAllowed.current = true
          turn.signal()
          back.wait()
          _ = back.wait(timeout: .now() + .milliseconds(100))
        }
        turn.wait()
        guard isAllowed.current else { return }
        back.signal()
        UnansweredChallengeResponse.hidingProtectionSpace { end(call) }
        back.signal()
      }
    }
  }

  /// A 401 that is delivered as it is.
  ///
  /// When a load finishes with a 401 that names a protection space, URLSession on Linux runs a challenge of its own, up
  /// to Swift 6.3.1. Without a delegate, it never completes, and with a credential, it restarts the load on the real
  /// network. It learns the protection space from the response's `url`, so that is `nil` for just that moment, on just
  /// that thread. This uses only public API, so there is nothing to check and nothing to fall back to.
  final class UnansweredChallengeResponse: HTTPURLResponse, @unchecked Sendable {
    // Safe because the value never changes after it is created, like one of the superclass.
    @TaskLocal private static var isHidden = false

    override var url: URL? { Self.isHidden ? nil : super.url }

    /// Returns `nil` for a response that isn't a 401.
    convenience init?(_ head: HTTPURLResponse) {
      guard head.statusCode == 401, let url = head.url else { return nil }
      self.init(
        url: url, statusCode: 401, httpVersion: "HTTP/1.1", headerFields: head.allHeaderFields as? [String: String])
    }

    static func hidingProtectionSpace(_ finish: () -> Void) { $isHidden.withValue(true, operation: finish) }
  }
#endif
