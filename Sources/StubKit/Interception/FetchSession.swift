import Foundation

/// A session of StubKit's own that loads requests of another session, with that session's configuration. Those requests
/// share the connections of StubKit's session.
struct FetchSession: Sendable {
  private let session: URLSession
  private let delegate = FetchDelegate()

  private struct Known {
    weak var session: URLSession?
    let fetches: FetchSession
  }

  private static let known = Protected<[Known]>([])

  private init(_ configuration: URLSessionConfiguration) {
    SessionInstallation.leaveAlone(configuration)
    Platform.prepareForFetches(configuration)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  /// Returns the session that loads the requests of a task's session. Don't call this on a queue of URLSession.
  static func ofTask(_ task: URLSessionTask) -> FetchSession {
    guard let session = Platform.session(of: task) else { return ofUnknown }
    if let known = known.withLock({ $0.first { $0.session === session } }) { return known.fetches }
    // Not under the lock, because what a configuration holds belongs to the user. Two of them can be made at once. Each
    // lives as long as the session, because somebody may be about to use it, and a session that is invalidated traps then.
    let fetches = FetchSession(
      session.configuration.copy() as? URLSessionConfiguration ?? URLSessionConfiguration.default)
    let outdated = known.withLock { known in
      let outdated = known.filter { $0.session == nil }.map(\.fetches)
      known.removeAll { $0.session == nil }
      known.append(Known(session: session, fetches: fetches))
      return outdated
    }
    for fetches in outdated { fetches.session.finishTasksAndInvalidate() }
    return fetches
  }

  private static let ofUnknown = FetchSession(.default)

  /// Returns a task that sends the request in place of another task. The fetch receives its events.
  func task(for request: URLRequest, sending body: Data?, of task: URLSessionTask, _ fetch: NetworkFetch)
    -> URLSessionTask
  {
    let inner = Platform.fetchTask(for: request, sending: body, of: task, in: session)
    inner.priority = task.priority
    delegate.fetches.withLock { $0[inner.taskIdentifier] = fetch }
    return inner
  }
}

/// Gives each fetch the events of its task.
private final class FetchDelegate: NSObject, URLSessionDataDelegate, Sendable {
  /// The fetches by the identifiers of their tasks, until those complete.
  let fetches = Protected<[Int: NetworkFetch]>([:])

  private func fetch(of task: URLSessionTask) -> NetworkFetch? { fetches.withLock { $0[task.taskIdentifier] } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent total: Int64,
    totalBytesExpectedToSend expected: Int64
  ) {
    fetch(of: task)?.perform { $0.client.didSend(Int(count)) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    fetch(of: dataTask)?.perform { $0.receive(response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    fetch(of: dataTask)?.perform { $0.receive(data) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    fetches.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.perform { $0.complete(error) }
  }

  /// The exchange asks about redirects itself.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    fetch(of: task)?.perform { $0.isRedirected(to: request.url) }
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let fetch = fetch(of: task) else { return completionHandler(.performDefaultHandling, nil) }
    fetch.receive(challenge, completion: completionHandler)
  }
}

extension URLRequest {
  /// Returns the request with a body in place of its own, which can be a stream that is used up.
  func with(_ body: Data?) -> URLRequest {
    var request = self
    request.httpBodyStream = nil
    request.httpBody = body
    return request
  }
}
