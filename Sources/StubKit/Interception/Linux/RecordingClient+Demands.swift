#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Following a demand for a credential, after which another loader repeats the request.
  extension RecordingClient {
    /// Continues with another loader, which repeats the request with a credential. URLSession has not learned of the
    /// previous loader's end yet. Call this on the task's work queue.
    func proceed(with next: URLProtocol, for request: URLRequest) {
      if let loader, let response = task.response as? HTTPURLResponse {
        // The code that was asked for the credential has already received the whole body.
        recording.proceed(
          from: response, body(of: response, loader), to: nil,
          with: IncomingRequest(request, of: task, body: RequestBody.none).seen.request)
      }
      putBack()
      begin(next)
    }

    /// A Boolean value that indicates whether the recording can follow URLSession when it repeats the request with a
    /// credential. URLSession uses a loader of its own for that.
    var canFollowDemands: Bool {
      Platform.internals != nil && ownDelegate != nil
    }

    /// Called when the delegate has answered a challenge, before URLSession learns of the answer. This can be called on
    /// any thread.
    func willAnswer(with credential: URLCredential?) {
      // `demand` was set before URLSession asked.
      guard let credential, let demand, let request = task.originalRequest else { return }
      let sent = IncomingRequest(request, of: task).seen.request
      recording.proceed(afterEndWith: demand.request(sent, with: credential))
      // URLSession is about to create another loader. It starts that loader unless the task is suspended.
      task.suspend()
    }

    /// Called when URLSession has created a loader for the request with the credential. This can be called on any
    /// thread except the task's work queue, because URLSession itself waits for that queue here.
    func didAnswer(with credential: URLCredential?) {
      guard demand != nil, let queue = Platform.internals?.workQueue.of(task) else { return }
      queue.sync { proceed(isGiven: credential != nil) }
      if credential != nil { task.resume() }
    }

    private func proceed(isGiven: Bool) {
      demand = nil
      removeProxy()
      guard isGiven, task.state == .suspended, let next = Platform.internals?.quietEnd.loader(of: task),
        !(next is StubURLProtocol), next !== loader
      else { return }
      next.client = self
      begin(next)
    }
  }
#endif
