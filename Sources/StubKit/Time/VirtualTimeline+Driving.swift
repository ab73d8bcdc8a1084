extension VirtualTimeline {
  /// Runs a body, and moves time to the next deadline whenever it has come to rest.
  func run<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return try await drive(body) }
    return try await withTaskExecutorPreference(self) { () async throws(Failure) -> Result in
      _ = isolation
      return try await drive(body)
    }
  }

  /// The driver begins and ends while the body is known not to be at rest, so that no time passes at the same time.
  private func drive<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let number = update { state in
      state.lastDriver += 1
      state.drivers.insert(state.lastDriver)
      return state.lastDriver
    }
    noteUser()
    state.withLock { _ = $0.tasks.noteNewTasks() }
    let driver = startMover { [self] in await moveWhileDriving(number) }
    let result: Swift.Result<Result, Failure>
    do throws(Failure) {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
    update { _ = $0.drivers.remove(number) }
    driver.cancel()
    await driver.value
    return try result.get()
  }

  private func moveWhileDriving(_ number: UInt64) async {
    var bound: Time? = patience
    while !Task.isCancelled {
      guard await wait(atMost: bound, until: { !$0.waiting.isEmpty }) else {
        if !Task.isCancelled {
          report(
            "The body of ManualClock.run has not returned, and for \(patience) nothing has waited on the clock. "
              + "If the body sleeps, pass it this clock. If it waits for a gate or a stream, open the gate or end the stream."
          )
        }
        bound = nil
        continue
      }
      guard await takeTurn(as: .driver) else { return }
      await settle()
      fireNext(as: .driver, driver: number)
      giveUpTurn()
    }
  }
}
