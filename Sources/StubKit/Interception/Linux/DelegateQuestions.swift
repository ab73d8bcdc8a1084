#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// The questions that the session's own loader asks a task's delegate, on the session's delegate queue.
  ///
  /// Without a delegate, or if a task's session can't be determined, the usual answer is given at once.
  extension Platform {
    /// - Parameter completion: Receives the next request, or `nil` to take the redirect itself as the answer.
    static func askAboutRedirect(
      _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
      completion: @escaping @Sendable (URLRequest?) -> Void
    ) {
      guard let session = session(of: task) else { return completion(request) }
      guard let delegate = task.delegate else { return completion(addingStoredCookies(to: request, of: task)) }
      session.delegateQueue.addOperation {
        delegate.urlSession(
          session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: completion)
      }
    }

    static func askForCredential(
      _ loader: URLProtocol, _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge, _ answer: ChallengeAnswer
    ) {
      guard let delegate = task.delegate, let session = session(of: task) else {
        return answer(.performDefaultHandling, nil)
      }
      session.delegateQueue.addOperation {
        delegate.urlSession(session, task: task, didReceive: challenge) { answer($0, $1) }
      }
    }
  }
#endif
