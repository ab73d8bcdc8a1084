import Foundation

/// Tells the registry's observers about a request before the task learns of it. The observers run where the user's
/// closures run.
///
/// The observation stays until they have learned of the end. If the load ends earlier, they learn of it later.
extension Load {
  /// The end waits until the observers have learned of it.
  func tellObservers(ofEnd error: (any Error)?) -> Delivery.Reply {
    guard let observation, case .delivering(let held) = phase else { return .proceed }
    run {
      observation.end(error)
    } then: { [self] in
      guard isHolding(held) else { return }
      self.observation = nil
      held.release()
    }
    return .wait
  }

  /// Continues after the observers have learned where the response leads, unless the load has ended meanwhile.
  ///
  /// - Parameter redirected: The request that it leads to, or `nil` if the same one is made again.
  func tellObservers(
    of held: Delivery, redirectedTo redirected: URLRequest? = nil, then proceed: @escaping @Sendable () -> Void
  ) {
    guard let observation else { return proceed() }
    run {
      if let redirected { observation.redirect(to: redirected) } else { observation.end(nil) }
    } then: { [self] in
      guard isHolding(held) else { return }
      self.observation = nil
      proceed()
    }
  }

  /// Tells the observers of an end that nothing can delay, such as a cancellation.
  func tellObserversLater(_ outcome: RecordedRequest.Outcome) {
    observation.take()?.endLater(outcome, in: registry, on: queue)
  }
}
