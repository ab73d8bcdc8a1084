import Foundation

/// The source of a stream's chunks.
protocol ChunkSource: Sendable {
  /// The next chunk, or `nil` after the last one.
  typealias Chunk = Result<Data?, any Error>

  /// Asks for the next chunk. Don't call this before the previous chunk was returned.
  ///
  /// - Parameter completion: A closure that is called once, on any thread, unless the source is stopped first.
  func pull(_ completion: @escaping @Sendable (Chunk) -> Void)

  /// Stops the source. `pull` is not called again.
  func stop()

  /// Cancels what the chunks come from, because the request is over. Has no effect after `stop()`.
  func cancel()
}

/// Hands over the chunks of a stream from the task that iterates it. Each chunk is handed over when it is requested.
final class StreamPump: ChunkSource {
  typealias Work = @Sendable () async -> Void

  private let iteration: BodyIteration
  private let collection: BodyCollection
  /// Runs work where the user's code may run.
  private let run: @Sendable (@escaping Work) -> Void
  private let state = Protected(State())

  private struct State {
    var hasBegun = false
    var isStopped = false
    var isCancelled = false
    /// The code that asked for a chunk, until the chunk is there.
    var asker: (@Sendable (Chunk) -> Void)?
    /// The iteration waits here until `pull` asks for its next chunk.
    var waiting: CheckedContinuation<Bool, Never>?
  }

  /// - Parameter collection: Keeps the chunks for clients that receive the body as a whole.
  init(_ iteration: BodyIteration, collection: BodyCollection, run: @escaping @Sendable (@escaping Work) -> Void) {
    self.iteration = iteration
    self.collection = collection
    self.run = run
  }

  func pull(_ completion: @escaping @Sendable (Chunk) -> Void) {
    enum Step { case begin, proceed(CheckedContinuation<Bool, Never>), nothing }
    let answer: Step = state.withLock { state in
      guard !state.isStopped else { return .nothing }
      state.asker = completion
      if !state.hasBegun {
        state.hasBegun = true
        return .begin
      }
      defer { state.waiting = nil }
      return state.waiting.map { .proceed($0) } ?? .nothing
    }
    switch answer {
    case .begin: run { [self] in await iterate() }
    case .proceed(let waiting): waiting.resume(returning: true)
    case .nothing: break
    }
  }

  /// Ends an iteration that waits for a request.
  func stop() { stop(isCancelled: false) }

  /// Ends an iteration that waits for a request in a cancelled task, so that its sequence learns of the cancellation.
  /// If an iteration waits for its sequence, its runner cancels it.
  func cancel() { stop(isCancelled: true) }

  private func stop(isCancelled: Bool) {
    let (asker, waiting) = state.withLock { state in
      defer { (state.asker, state.waiting) = (nil, nil) }
      // After it was stopped, its task may do other work.
      if !state.isStopped { state.isCancelled = isCancelled }
      state.isStopped = true
      return (state.asker, state.waiting)
    }
    _ = consume asker
    waiting?.resume(returning: false)
  }

  private func iterate() async {
    do {
      try await iteration.run { [self] chunk in
        // Files can be written here.
        try collection.append(chunk)
        answer(.success(chunk))
        return await isAskedForMore()
      }
      answer(.success(nil))
    } catch {
      answer(.failure(error))
    }
  }

  private func answer(_ chunk: Chunk) {
    let asker = state.withLock { state in
      defer { state.asker = nil }
      return state.asker
    }
    asker?(chunk)
  }

  private func isAskedForMore() async -> Bool {
    let isAsked = await withCheckedContinuation { continuation in
      let isAsked: Bool? = state.withLock { state in
        if state.isStopped { return false }
        if state.asker != nil { return true }
        state.waiting = continuation
        return nil
      }
      if let isAsked { continuation.resume(returning: isAsked) }
    }
    // The task is cancelled here, because the cancellation that is on its way can arrive too late.
    if !isAsked, state.withLock({ $0.isCancelled }) { withUnsafeCurrentTask { $0?.cancel() } }
    return isAsked
  }
}
