import Foundation

/// What follows a response: the questions to the task's delegate whether to follow a redirect, and for a credential. And
/// how long the session waits.
extension TaskClient {
  /// The longest time for which the request waits without receiving anything, or `nil` for ever. A request with the usual
  /// 60 seconds has the limit of its session.
  var idleTimeout: Duration? {
    let own = loader.request.timeoutInterval
    let interval = own == 60 ? Platform.configuration(of: task)?.timeoutIntervalForRequest ?? own : own
    return interval > 0 && interval < 1e9 ? .seconds(interval) : nil
  }

  /// The longest time that the task can take as a whole, or `nil` for ever.
  var resourceTimeout: Duration? {
    guard let interval = Platform.resourceTimeoutInterval(of: task) else { return nil }
    return interval > 0 && interval < 1e9 ? .seconds(interval) : nil
  }

  // MARK: Redirects

  func ask(
    about followUp: FollowUp, _ head: HTTPURLResponse, of hop: Hop,
    completion: @escaping @Sendable (FollowUp.Decision) -> Void
  ) {
    switch followUp {
    case .redirect(let redirect): ask(about: redirect, head, of: hop, completion)
    case .credential(let demand):
      deliverKeptHead()
      ask(for: demand, head, of: hop) { [task] credential in
        guard let credential else { return completion(.answer) }
        var next = hop.answering(demand, with: credential)
        // URLSession asks the delegate for a new stream, and doesn't send the old one's bytes again.
        if hop.redirectCount == 0, Platform.asksForStreams(task) { next.body = nil }
        completion(.repeated(next))
      }
    }
  }

  private func ask(
    about redirect: Redirect, _ head: HTTPURLResponse, of hop: Hop,
    _ completion: @escaping @Sendable (FollowUp.Decision) -> Void
  ) {
    guard hop.redirectCount < Redirect.limit, Platform.mayBeRedirected(task) else {
      return completion(.failure(URLError.redirectedTooOften(hop.request)))
    }
    guard !Platform.followsRedirects else {
      return completion(
        .left(to: redirect.request) { [self] refused in Platform.follow(redirect, head, loader, refused: refused) })
    }
    let answer = OneTime<URLRequest?> { [self] request in
      queue.perform { [self] in
        isRedirectRefused = request == nil
        completion(request.map { .redirected(to: hop.redirected(to: $0)) } ?? .answer)
      }
    }
    askAboutRedirect(head, redirect.request) { answer($0) }
  }

  func askAboutRedirect(
    _ response: HTTPURLResponse, _ request: URLRequest, completion: @escaping @Sendable (URLRequest?) -> Void
  ) {
    holdClockUntilDelegateRan()
    Platform.callingBack(for: loader) {
      Platform.askAboutRedirect(task, response, request, completion: completion)
    }
  }

  func startOver(with hop: Hop) {
    if hop.isRedirected { Platform.setCurrentRequest(hop.request, of: task) }
    startOver()
  }

  // MARK: Demands for credentials

  var showsDemands: Bool { Platform.showsDemands }

  /// - Parameter completion: A closure that runs on the queue unless the task is cancelled, with `nil` if the
  ///   response is the answer.
  func ask(
    for demand: CredentialDemand, _ head: HTTPURLResponse, of hop: Hop,
    completion: @escaping @Sendable (URLCredential?) -> Void
  ) {
    let stored = storedCredential(for: demand.space)
    let proposal = stored == hop.credential?.credential ? nil : stored
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

  func askForCredential(_ challenge: URLAuthenticationChallenge, _ answer: ChallengeAnswer) {
    holdClockUntilDelegateRan()
    Platform.callingBack(for: loader) { Platform.askForCredential(loader, task, challenge, answer) }
  }

  /// A response that asks for another credential has not accepted the given one.
  func accept(_ head: HTTPURLResponse, of hop: Hop) {
    if CredentialDemand(head) == nil { keepCredential(of: hop) }
  }

  /// Keeps a credential that led to an answer for the next request.
  func keepCredential(of hop: Hop) {
    guard let given = hop.credential, let storage = Platform.configuration(of: task)?.urlCredentialStorage else {
      return
    }
    storage.set(given.credential, for: storage.spaces(equalTo: given.space).first ?? given.space)
  }

  /// Returns the default credential of the space, or else that of its first user.
  private func storedCredential(for space: URLProtectionSpace) -> URLCredential? {
    guard let storage = Platform.configuration(of: task)?.urlCredentialStorage else { return nil }
    let known = storage.spaces(equalTo: space)
    if let credential = known.lazy.compactMap({ storage.defaultCredential(for: $0) }).first { return credential }
    return known.flatMap { storage.allCredentials[$0] ?? [:] }.min { $0.key < $1.key }?.value
  }
}

extension URLCredentialStorage {
  /// Returns the spaces that the storage has credentials for and that equal another one. On Linux,
  /// `credentials(for:)` looks for the very object, because two protection spaces with the same fields are not equal.
  fileprivate func spaces(equalTo space: URLProtectionSpace) -> [URLProtectionSpace] {
    allCredentials.keys.filter { $0.isSame(as: space) }
  }
}

extension URLProtectionSpace {
  fileprivate func isSame(as other: URLProtectionSpace) -> Bool {
    host.caseInsensitiveCompare(other.host) == .orderedSame && port == other.port && realm == other.realm
      && `protocol`?.lowercased() == other.protocol?.lowercased()
      && authenticationMethod == other.authenticationMethod && !isProxy()
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
