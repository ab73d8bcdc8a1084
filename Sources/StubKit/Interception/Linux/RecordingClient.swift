#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// A client between URLSession and its own loader. It records what comes back in the plain mode, which has no relay.
  ///
  /// The loader gives its client only bodies that go to a completion handler, and doesn't tell it of redirects.
  final class RecordingClient: ForwardingClient, @unchecked Sendable {
    // @unchecked holds because its mutable state is touched on the task's work queue only.
    private let task: URLSessionTask
    private let recording: any ExchangeRecording
    private var body: Data?

    init(_ client: any URLProtocolClient, _ task: URLSessionTask, _ recording: any ExchangeRecording) {
      self.task = task
      self.recording = recording
      super.init(client)
    }

    override func urlProtocol(
      _ loader: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
      if let head = response as? HTTPURLResponse { recording.head(head) }
      super.urlProtocol(loader, didReceive: response, cacheStoragePolicy: policy)
    }

    override func urlProtocol(_ loader: URLProtocol, didLoad data: Data) {
      body = data
      super.urlProtocol(loader, didLoad: data)
    }

    override func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
      recording.end(task.response as? HTTPURLResponse, body.map { .data($0) } ?? unknownBody, error: nil)
      super.urlProtocolDidFinishLoading(loader)
    }

    private var unknownBody: ExchangeBody {
      task is URLSessionDownloadTask
        ? .unknown("is a download whose file can't be found on this system")
        : .unknown("has a body that went to a delegate, and can't be recorded on this system")
    }

    override func urlProtocol(_ loader: URLProtocol, didFailWithError error: any Error) {
      if task.state == .canceling { cancelled() } else { recording.end(nil, unknownBody, error: error) }
      super.urlProtocol(loader, didFailWithError: error)
    }

    /// Call this when the task is cancelled, because its loader tells nobody.
    func cancelled() { recording.cancel() }
  }
#endif
