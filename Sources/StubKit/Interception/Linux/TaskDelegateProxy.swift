#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// Stands in for a task's delegate while the system's loader has the task. It receives the delegate's questions and
  /// answers as the delegate does. Without a delegate, it answers as URLSession does by itself.
  final class TaskDelegateProxy: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    // @unchecked holds because nothing in it changes. The delegate is called where it would be called without this.
    private let delegate: (any URLSessionTaskDelegate)?
    private let client: RecordingClient
    private let recording: any ExchangeRecording

    init(_ delegate: (any URLSessionTaskDelegate)?, _ client: RecordingClient, _ recording: any ExchangeRecording) {
      self.delegate = delegate
      self.client = client
      self.recording = recording
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      // The loader rests until it receives the answer.
      let body = client.bodyOfRedirect
      let target = request.url
      let answer: @Sendable (URLRequest?) -> Void = { [client, recording] request in
        if let request {
          // A redirect doesn't send the body again.
          let sent = IncomingRequest(request, of: task, body: RequestBody.none).seen.request
          recording.proceed(from: response, body, to: target, with: sent)
        } else {
          client.redirectIsRefused()
        }
        completionHandler(request)
      }
      guard let delegate else { return answer(Platform.addingStoredCookies(to: request, of: task)) }
      delegate.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: answer)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let answer: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = { [client] in
        let credential = $0 == .useCredential ? $1 : $0 == .performDefaultHandling ? challenge.proposedCredential : nil
        client.willAnswer(with: credential)
        completionHandler($0, $1)
        client.didAnswer(with: credential)
      }
      guard let delegate else { return answer(.performDefaultHandling, nil) }
      delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      guard let delegate else { return completionHandler(nil) }
      delegate.urlSession(session, task: task) { [recording] stream in
        completionHandler(stream.map { RecordedStream($0, recording) })
      }
    }
  }
#endif
