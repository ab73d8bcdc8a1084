/// The calls of a stub whose responses the test sends, in the order in which they arrived.
final class ControlledCalls: Sendable {
  private typealias End = OneTime<Result<StubCall?, any Error>>

  private struct State {
    /// The calls that nobody has taken.
    var untaken: [StubCall] = []
    /// The calls that are in progress, by the numbers of their entries.
    var open: [Int: StubCall] = [:]
    var waiting: [(number: UInt64, end: End)] = []
  }
  private let state = Protected(State())

  /// The calls that nobody has taken, and that are still in progress.
  var untaken: [StubCall] { state.withLock { $0.untaken }.filter(\.isWaiting) }

  func begin(_ call: StubCall, entry: Int) {
    let end = state.withLock { state -> End? in
      state.open[entry] = call
      guard !state.waiting.isEmpty else {
        state.untaken.append(call)
        return nil
      }
      return state.waiting.removeFirst().end
    }
    end?(.success(call))
  }

  func end(entry: Int, _ outcome: RecordedRequest.Outcome) {
    state.withLock { $0.open.removeValue(forKey: entry) }?.end(outcome)
  }

  /// Takes the oldest call, or waits for one. Returns `nil` if the time is up.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func next(within timeout: Duration) async throws -> StubCall? {
    try Task.checkCancellation()
    let number = CallWaits.newNumber()
    let timer = Protected<PatienceTimer?>(nil)
    defer { timer.withLock { $0 }?.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let end = End { continuation.resume(with: $0) }
        let ready = state.withLock { state -> StubCall? in
          if !state.untaken.isEmpty { return state.untaken.removeFirst() }
          state.waiting.append((number, end))
          return nil
        }
        if let ready { return end(.success(ready)) }
        let made = PatienceTimer(Time(timeout)) { self.endWait(number, .success(nil)) }
        timer.withLock { $0 = made }
        // A cancellation before the wait was registered has not found it.
        if Task.isCancelled { endWait(number, .failure(CancellationError())) }
      }
    } onCancel: {
      endWait(number, .failure(CancellationError()))
    }
  }

  private func endWait(_ number: UInt64, _ result: Result<StubCall?, any Error>) {
    let end = state.withLock { state -> End? in
      guard let position = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
      return state.waiting.remove(at: position).end
    }
    end?(result)
  }
}

extension Stub {
  /// Waits for the next request that the stub holds, and takes it.
  ///
  /// ```swift
  /// let save = stub(condition: isPath("/notes"), response: .controlled)
  /// model.save()
  /// let call = try await save.nextCall()
  /// call.respond(status: 201)
  /// call.finish()
  /// ```
  ///
  /// The stub's response must be ``StubResponse/controlled``. Each call is taken once, the oldest first. It can have been
  /// cancelled meanwhile.
  ///
  /// - Parameter timeout: The longest time to wait, in real time whatever the registry's clock. Defaults to five seconds.
  ///   Time for which the process is stopped, at a breakpoint for example, doesn't count.
  /// - Returns: The call.
  /// - Throws: ``StubWaitError`` if the time is up, with the requests that arrived. `CancellationError` as soon as the task
  ///   is cancelled.
  public func nextCall(within timeout: Duration = .seconds(5)) async throws -> StubCall {
    if let call = try await calls.controlled.next(within: timeout) { return call }
    throw StubWaitError(self, callCount + 1, .begun, came: callCount, .timeout(timeout))
  }
}

extension StubRegistry {
  /// The requests that wait for an answer of the test and that nobody has taken, each in a sentence.
  package var untakenCalls: [(sentence: String, location: StubLocation)] {
    stubs.flatMap { stub in
      stub.untakenCalls.map { call in
        (
          "The request \(call.request.summary) waits for the test, because the response of \(stub) is .controlled. "
            + "Take it with nextCall(), and answer it.", stub.location
        )
      }
    }
  }
}
