import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Telling those who observe the registry: where the user's closures run, and before the task hears of it.
extension Load {
  /// True if the step is held until they have heard of the end.
  ///
  /// - Parameter error: What a step that fails fails with.
  func tellObservers(at step: DeliveryPlan.Step, _ error: (any Error)?) -> Bool {
    guard let observation, step != .head, case .delivering(let held) = phase else { return false }
    self.observation = nil
    let error = step == .finish ? nil : error
    run { [self] in
      observation.end(error)
      queue.perform { [self] in if isHolding(held) { held.release() } }
    }
    return true
  }

  /// Goes on once they have heard where the response leads, unless the load has ended meanwhile.
  ///
  /// - Parameter redirected: The request that it leads to; nil if the same is asked for again.
  func tellObservers(
    of held: Delivery, redirectedTo redirected: URLRequest? = nil, then goOn: @escaping @Sendable () -> Void
  ) {
    guard let observation else { return goOn() }
    self.observation = nil
    run { [self] in
      if let redirected { observation.redirect(to: redirected) } else { observation.end(nil) }
      queue.perform { [self] in if isHolding(held) { goOn() } }
    }
  }

  /// Has them hear of an end that nothing may hold up, such as a cancellation.
  func tellObserversLater(_ outcome: RecordedRequest.Outcome) {
    guard let observation else { return }
    self.observation = nil
    let error = outcome == .cancelled ? URLError(.cancelled) : outcome.error
    queue.begin()
    WorkerPool.closures.run { [registry, queue] in
      StubRegistry.$local.withValue(registry) { observation.end(error) }
      queue.end()
    }
  }
}
