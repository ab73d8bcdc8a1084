extension VirtualTimeline {
  /// Waits for a deadline. Returns at once if it has passed.
  ///
  /// - Throws: `CancellationError` as soon as the Swift task is cancelled.
  func sleep(until deadline: Time) async throws {
    try Task.checkCancellation()
    noteUser()
    let wait = beginWait()
    defer { wait?.end() }
    let ticket = state.withLock { $0.waiting.makeTicket() }
    let isWoken = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Bool, any Error>) in
        let outcome: Result<Bool, any Error>? = update { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if deadline <= state.elapsed { return .success(false) }
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
    // Counted since it was woken, because the threads of its task may have been busy.
    if isWoken {
      wait?.end()
      end()
    }
  }
}
