import Foundation

/// What a task of URLSession is as the client of an exchange on all platforms. The class itself is in
/// `LinuxTaskClient.swift` and `ApplePlatform.swift`.
extension TaskClient {
  var request: URLRequest { loader.request }

  func incoming(_ hop: Hop) -> IncomingRequest { IncomingRequest(hop.request, of: task, body: hop.body) }

  var isListening: Bool { task.isListening }

  var hasLeft: Closure<@Sendable () -> Bool> {
    Closure { [task] in task.state == .canceling || task.state == .completed }
  }

  /// The longest time for which the request waits without receiving anything, or `nil` for ever. A request with the
  /// usual 60 seconds has the limit of its session.
  var idleTimeout: Duration? {
    let own = loader.request.timeoutInterval
    return limit(own == 60 ? task.configuration?.timeoutIntervalForRequest ?? own : own)
  }

  /// The longest time that the task can take as a whole, or `nil` for ever. The system's loader on Linux ignores it.
  var resourceTimeout: Duration? { task.configuration.flatMap { limit($0.timeoutIntervalForResource) } }

  /// Returns the duration of a timeout, or `nil` for one that stands for ever.
  private func limit(_ timeout: TimeInterval) -> Duration? {
    timeout > 0 && timeout < 1e9 ? .seconds(timeout) : nil
  }

  // MARK: The head

  func expect(_ response: StubResponse, _ fields: StubHeaders, _ schedule: ResponseSchedule, for hop: Hop)
    -> ExpectedHead?
  {
    guard schedule.plan.ending != .failure, let url = hop.request.url,
      let head = Platform.head(for: url, response.status, fields, response.options?.httpVersion ?? .http1)
    else { return nil }
    let setCookies = hop.request.httpShouldHandleCookies ? response.headers.values(of: "Set-Cookie") : []
    return ExpectedHead(
      head: head, isEncoded: response.isEncoded, setCookies: setCookies, comesAtOnce: schedule.comesAtOnce)
  }

  func storeCookies(of expected: ExpectedHead) {
    guard !expected.setCookies.isEmpty, let url = expected.head.url else { return }
    // Each field is parsed by itself, because the fields are ambiguous once `HTTPURLResponse` joins them by commas.
    let cookies = expected.setCookies.flatMap { $0.cookies(for: url) }
    task.cookieStorage?.setCookies(cookies, for: url, mainDocumentURL: nil)
  }

  // MARK: Follow-ups

  func ask(
    about followUp: FollowUp, _ head: HTTPURLResponse, of hop: Hop,
    completion: @escaping @Sendable (FollowUp.Decision) -> Void
  ) {
    switch followUp {
    case .redirect(let redirect):
      guard hop.redirectCount < Redirect.limit else {
        return completion(.failure(URLError.redirectedTooOften(hop.request)))
      }
      ask(about: redirect, head, of: hop, completion: completion)
    case .credential(let demand):
      ask(for: demand, head, of: hop) { [task] credential in
        guard let credential else { return completion(.answer) }
        var next = hop.answering(demand, with: credential)
        // URLSession asks the delegate for a new stream, and doesn't send the old one's bytes again.
        if hop.redirectCount == 0, task.asksForStreams { next.body = nil }
        completion(.repeated(next))
      }
    }
  }

  /// - Parameter completion: A closure that runs on the queue unless the task is cancelled, with `nil` if the
  ///   response is the answer.
  func ask(
    for demand: CredentialDemand, _ head: HTTPURLResponse, of hop: Hop,
    completion: @escaping @Sendable (URLCredential?) -> Void
  ) {
    let stored = storedCredential(for: demand.space)
    let proposal = stored == hop.credential?.given ? nil : stored
    let answer = ChallengeAnswer { [self] disposition, credential in
      switch disposition {
      case .cancelAuthenticationChallenge, .rejectProtectionSpace:
        // Not on the exchange's queue.
        task.cancel()
      default:
        let credential = disposition == .useCredential ? credential : proposal
        queue.perform { completion(credential) }
      }
    }
    askForCredential(
      URLAuthenticationChallenge(
        protectionSpace: demand.space, proposedCredential: proposal, previousFailureCount: hop.demandCount,
        failureResponse: head, error: nil, sender: answer),
      answer)
  }

  /// Keeps a credential that led to an answer for the next request. A response that asks for another one has not
  /// accepted it.
  func accept(_ head: HTTPURLResponse, of hop: Hop) {
    guard let (credential, space, _) = hop.credential, CredentialDemand(head) == nil,
      let storage = task.configuration?.urlCredentialStorage
    else { return }
    storage.set(credential, for: storage.spaces(equalTo: space).first ?? space)
  }

  /// Returns the default credential of the space, or else that of its first user.
  private func storedCredential(for space: URLProtectionSpace) -> URLCredential? {
    guard let storage = task.configuration?.urlCredentialStorage else { return nil }
    let known = storage.spaces(equalTo: space)
    if let credential = known.lazy.compactMap({ storage.defaultCredential(for: $0) }).first { return credential }
    return known.compactMap { storage.allCredentials[$0] }.joined().min { $0.key < $1.key }?.value
  }
}

extension URLCredentialStorage {
  /// Returns the spaces that the storage has credentials for and that equal another one. On Linux,
  /// `credentials(for:)` looks for the very object, because two protection spaces with the same fields are not equal.
  fileprivate func spaces(equalTo space: URLProtectionSpace) -> [URLProtectionSpace] {
    allCredentials.keys.filter { known in
      known.host.caseInsensitiveCompare(space.host) == .orderedSame && known.port == space.port
        && known.realm == space.realm && known.protocol?.lowercased() == space.protocol?.lowercased()
        && known.authenticationMethod == space.authenticationMethod && !known.isProxy()
    }
  }
}

/// Receives the answer to a challenge, from a delegate's completion handler or as the challenge's sender. The first
/// answer counts.
final class ChallengeAnswer: NSObject, URLAuthenticationChallengeSender, Sendable {
  typealias Answer = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

  private let receiver: OneTime<Answer>

  init(_ receiver: @escaping @Sendable (Answer) -> Void) { self.receiver = OneTime(receiver) }

  func callAsFunction(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
    receiver((disposition, credential))
  }

  func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) { self(.useCredential, credential) }

  func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { self(.useCredential, nil) }

  func cancel(_ challenge: URLAuthenticationChallenge) { self(.cancelAuthenticationChallenge, nil) }

  func performDefaultHandling(for challenge: URLAuthenticationChallenge) { self(.performDefaultHandling, nil) }

  func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
    self(.rejectProtectionSpace, nil)
  }
}

/// A task knows what its request does not show: its session's headers, and its body.
extension URLSessionTask: RequestOrigin {
  /// The configuration of the task's session, or `nil` if the session is unknown. On Linux, it is the live one.
  var configuration: URLSessionConfiguration? { ownSession?.configuration }

  var delegateQueue: OperationQueue? { asksForStreams ? ownSession?.delegateQueue ?? .main : nil }

  func problem(of request: URLRequest) -> (any Error)? {
    guard request.httpMethod == "GET" else { return problemOfFile(for: request) }
    // Measured on Linux: no bytes in the request itself are no body, and those of an upload are one.
    let separateBody = separateBody
    if separateBody == nil, request.httpBody?.isEmpty == true { return nil }
    return if case .none = separateBody ?? request.ownBody { nil } else { URLError.bodyOfGET(request) }
  }
}
