extension VirtualTimeline {
  /// Waits for a deadline. Returns at once if it has passed.
  ///
  /// - Throws: `CancellationError` as soon as the Swift task is cancelled.
  func sleep(until deadline: Time) async throws {
    try Task.checkCancellation()
    join()
    let ticket = state.withLock { $0.waiting.makeTicket() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let outcome: Result<Void, any Error>? = update { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline <= state.elapsed { return .success(()) }
          state.changes &+= 1
          state.waiting.insert(.sleeper(continuation), at: deadline, ticket)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      if case .sleeper(let continuation)? = remove(ticket)?.action {
        continuation.resume(throwing: CancellationError())
      }
    }
  }
}
