import Foundation

/// The steps from one request to the next: following a redirect, and meeting a demand for a credential.
///
/// A response that can lead on is held until StubKit knows whether it does. A redirect is held at its head, which
/// nobody sees in URLSession. A demand for a credential is held at its end.
extension Load {
  /// - Parameter atEnd: Whether the body has been delivered, too.
  func mayLeadOn(_ head: HTTPURLResponse, atEnd: Bool) -> Bool {
    guard case .delivering(let held) = phase else { return false }
    // It is answered when the delivery waits.
    if !atEnd, let redirect = Redirect(head, of: hop.request, to: redirectTarget) {
      queue.perform { [self] in if isHolding(held) { follow(redirect, head, held) } }
      return true
    }
    if atEnd == Platform.showsDemands, let demand = CredentialDemand(head) {
      queue.perform { [self] in if isHolding(held) { answer(demand, head, held) } }
      return true
    }
    return false
  }

  private func follow(_ redirect: Redirect, _ head: HTTPURLResponse, _ held: Delivery) {
    guard let client else { return }
    guard hop.mayBeRedirected, client.mayBeRedirected else {
      held.stop()
      phase = .waiting
      return fail(with: URLError(.httpTooManyRedirects, failing: hop.request))
    }
    guard !Platform.followsRedirects else {
      return tellObservers(of: held, redirectedTo: redirect.request) { [self] in
        statusLeadingOn = head.statusCode
        // If the redirect is followed, the system stops the load. If it is refused, this is the answer.
        client.follow(redirect, head) { [self] in queue.perform { [self] in if isHolding(held) { held.release() } } }
      }
    }
    let answer = OneTime<URLRequest?> { [self] request in
      queue.perform { [self] in
        guard isHolding(held) else { return }
        guard let request else {
          client.isRedirectRefused = true
          return held.release()
        }
        tellObservers(of: held, redirectedTo: request) { [self] in
          client.setCurrentRequest(request)
          leave(held, status: head.statusCode, for: hop.redirected(to: request))
        }
      }
    }
    client.askAboutRedirect(head, redirect.request) { answer($0) }
  }

  private func answer(_ demand: CredentialDemand, _ head: HTTPURLResponse, _ held: Delivery) {
    guard let client else { return }
    client.deliverKeptHead()
    ask(for: demand, head, client) { [self] credential in
      guard isHolding(held) else { return }
      guard let credential else {
        // If it is held at its end, the observers learn of that end.
        return Platform.showsDemands ? tellObservers(of: held) { held.release() } : held.release()
      }
      tellObservers(of: held) { [self] in
        leave(held, status: head.statusCode, for: hop.answering(demand, with: credential))
      }
    }
  }

  /// - Parameter completion: A closure that runs on the queue unless the task is cancelled, with `nil` if the
  ///   response is the answer.
  func ask(
    for demand: CredentialDemand, _ head: HTTPURLResponse, _ client: LoadClient,
    completion: @escaping @Sendable (URLCredential?) -> Void
  ) {
    let stored = client.storedCredential(for: demand.space)
    let proposal = stored == hop.credential?.credential ? nil : stored
    let answer = ChallengeAnswer { [queue] disposition, credential in
      switch disposition {
      case .cancelAuthenticationChallenge, .rejectProtectionSpace:
        client.cancelTask()
      default:
        let credential = disposition == .useCredential ? credential : proposal
        queue.perform { completion(credential) }
      }
    }
    client.askForCredential(
      URLAuthenticationChallenge(
        protectionSpace: demand.space, proposedCredential: proposal, previousFailureCount: hop.demandCount,
        failureResponse: head, error: nil, sender: answer),
      answer)
  }

  /// Returns whether the load is still where it was when it asked.
  func isHolding(_ delivery: Delivery) -> Bool {
    if case .delivering(let current) = phase { current === delivery } else { false }
  }

  private func leave(_ held: Delivery, status: Int, for next: Hop) {
    timeOfEarlierHops += held.timeReached
    held.stop()
    settleEntry(.answered(status: status))
    hop = next
    client?.startOver()
    phase = .ready
    if !isPaused { ask() }
  }

  /// Keeps a credential that led to an answer for the next request.
  func keepCredential() {
    guard let given = hop.credential else { return }
    client?.store(given.credential, for: given.space)
  }
}
