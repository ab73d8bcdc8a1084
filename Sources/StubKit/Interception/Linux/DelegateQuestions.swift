#if os(Linux)
  import Foundation
  import FoundationNetworking

  /// What the session's own loader asks a task's delegate, on the session's delegate queue.
  ///
  /// Without a delegate, or where a task's session can't be known, the usual answer is given at once.
  extension Platform {
    /// - Parameter completion: Gets the request to go on with, or nil to take the redirect itself for the answer.
    static func askAboutRedirect(
      _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
      completion: @escaping @Sendable (URLRequest?) -> Void
    ) {
      guard let session = SessionOfTask.shared?.of(task) else { return completion(request) }
      guard let delegate = task.delegate else { return completion(withCookies(request, of: session)) }
      session.delegateQueue.addOperation {
        delegate.urlSession(
          session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: completion)
      }
    }

    static func askForCredential(
      _ loader: URLProtocol, _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge, _ answer: ChallengeAnswer
    ) {
      guard let delegate = task.delegate, let session = SessionOfTask.shared?.of(task) else {
        return answer(.performDefaultHandling, nil)
      }
      session.delegateQueue.addOperation {
        delegate.urlSession(session, task: task, didReceive: challenge) { answer($0, $1) }
      }
    }

    /// The request with the session's cookies for its URL, as a task's first request has them.
    private static func withCookies(_ request: URLRequest, of session: URLSession) -> URLRequest {
      let configuration = session.configuration
      guard configuration.httpShouldSetCookies, let url = request.url,
        let cookies = configuration.httpCookieStorage?.cookies(for: url), !cookies.isEmpty,
        let field = HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
      else { return request }
      var request = request
      request.setValue(field, forHTTPHeaderField: "Cookie")
      return request
    }
  }
#endif
