#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The demands for credentials, after which another loader makes the request again.
  extension RecordingClient {
    /// Another loader follows, which makes the request again with a credential, before URLSession has heard of the last one's
    /// end. Call on the task's work queue.
    func goOn(with next: URLProtocol, for request: URLRequest) {
      if let loader, let response = task.response as? HTTPURLResponse {
        // Whoever was asked for the credential has heard of the whole body before.
        recording.goOn(
          from: response, body(of: response, loader),
          with: IncomingRequest(request, of: task, body: RequestBody.none).seen.request)
      }
      putBack()
      begin(next)
    }

    /// With a credential URLSession makes the request again, by a loader of its own.
    var canFollowDemands: Bool {
      Platform.mechanisms.quietEnd != nil && Platform.mechanisms.workQueue != nil && ownDelegate != nil
    }

    /// The delegate has answered a challenge, and URLSession does not know yet. From any thread.
    func willAnswer(with credential: URLCredential?) {
      // Set before URLSession asked.
      guard let credential, let demand, let request = task.originalRequest else { return }
      let sent = IncomingRequest(request, of: task).seen.request
      recording.goOn(afterEndWith: demand.request(sent, with: credential))
      // URLSession is about to make another loader and to start it, unless the task is suspended.
      task.suspend()
    }

    /// URLSession has made a loader for the request with the credential. From any thread but the task's work queue, on which
    /// URLSession waits here itself.
    func didAnswer(with credential: URLCredential?) {
      guard demand != nil, let queue = Platform.mechanisms.workQueue?.of(task) else { return }
      queue.sync { goOn(isGiven: credential != nil) }
      if credential != nil { task.resume() }
    }

    private func goOn(isGiven: Bool) {
      demand = nil
      removeProxy()
      guard isGiven, task.state == .suspended, let next = Platform.mechanisms.quietEnd?.loader(of: task),
        !(next is StubURLProtocol), next !== loader
      else { return }
      next.client = self
      begin(next)
    }
  }
#endif
