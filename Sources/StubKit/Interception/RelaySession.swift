import Foundation

/// A session of StubKit's own that loads requests of another session, with that session's configuration. Those requests
/// share the connections of StubKit's session.
struct RelaySession: Sendable {
  let session: URLSession
  private let delegate = RelayDelegate()

  private struct Known {
    weak var session: URLSession?
    let relays: RelaySession
  }

  private static let known = Protected<[Known]>([])

  private init(_ configuration: URLSessionConfiguration) {
    SessionInstallation.leaveAlone(configuration)
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: Platform.relayQueue())
  }

  /// Returns the session that relays the requests of a task's session. Don't call this on a queue of URLSession.
  static func ofTask(_ task: URLSessionTask) -> RelaySession {
    guard let session = Platform.session(of: task) else { return ofUnknown }
    // Not under the lock, because what a configuration holds belongs to the user.
    let own = known.withLock { $0.filter { $0.session === session } }
    if let known = own.first(where: { $0.relays.adds(session.configuration) }) { return known.relays }
    // Two of them can be made at once. Each lives as long as the session, because somebody may be about to use it, and a
    // session that is invalidated traps then.
    let relays = RelaySession(
      session.configuration.copy() as? URLSessionConfiguration ?? URLSessionConfiguration.default)
    let outdated = known.withLock { known in
      var outdated: [RelaySession] = []
      known.removeAll { known in
        guard known.session == nil else { return false }
        outdated.append(known.relays)
        return true
      }
      known.append(Known(session: session, relays: relays))
      return outdated
    }
    for relays in outdated { relays.session.finishTasksAndInvalidate() }
    return relays
  }

  /// Returns whether the requests of this session have the headers of a configuration, which can change on Linux.
  private func adds(_ configuration: URLSessionConfiguration) -> Bool {
    let (own, others) = (session.configuration.httpAdditionalHeaders, configuration.httpAdditionalHeaders)
    return NSDictionary(dictionary: own ?? [:]).isEqual(to: others ?? [:])
  }

  /// It has no cache. On Linux, a task that is cancelled while URLSession looks into one can trap.
  private static let ofUnknown = {
    let configuration = URLSessionConfiguration.default
    configuration.urlCache = nil
    return RelaySession(configuration)
  }()

  /// Starts a task of this session, whose events the relay receives.
  func start(_ task: URLSessionTask, for relay: Relay) {
    delegate.relays.withLock { $0[task.taskIdentifier] = relay }
    task.resume()
  }
}

/// Gives each relay the events of its task.
private final class RelayDelegate: NSObject, URLSessionDataDelegate, Sendable {
  /// The relays by the identifiers of their tasks, until those complete.
  let relays = Protected<[Int: Relay]>([:])

  private func relay(of task: URLSessionTask) -> Relay? { relays.withLock { $0[task.taskIdentifier] } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    if let relay = relay(of: task) { relay.renewBody(of: task, completionHandler) } else { completionHandler(nil) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64, totalBytesSent total: Int64,
    totalBytesExpectedToSend expected: Int64
  ) {
    relay(of: task)?.sent(count)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    relay(of: dataTask)?.receive(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    relay(of: dataTask)?.receive(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    relays.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(task, error)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    guard let relay = relay(of: task) else { return completionHandler(nil) }
    relay.redirect(task, from: response, to: request, completion: completionHandler)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let relay = relay(of: task) else { return completionHandler(.performDefaultHandling, nil) }
    relay.receive(challenge, completion: completionHandler)
  }
}
