extension VirtualTimeline {
  /// How long, in real time, a mover waits for code that the watch sees. A task that blocks its thread until time moves
  /// costs no more than that.
  static let codePatience = Time.seconds(1)

  /// The task of the caller uses the timeline.
  func join() { watch?.join(self) }

  /// Swift code that concerns the timeline has been enqueued.
  func jobBegan() {
    update { state in
      state.jobCount += 1
      // Code that was given up may go on and on.
      if state.givenUpJobCount == 0 { state.changes &+= 1 }
    }
  }

  func jobEnded() {
    update { state in
      state.jobCount -= 1
      state.givenUpJobCount = min(state.givenUpJobCount, state.jobCount)
    }
  }

  /// Runs a closure that starts a task of the clock's own.
  func aside<Result>(_ body: () -> Result) -> Result { watch?.aside(body) ?? body() }
}
