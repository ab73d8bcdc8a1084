import Foundation

/// Hands the chunks of a stream over from the task in which it is iterated, each when it is asked for.
final class StreamPump: ChunkSource {
  typealias Work = @Sendable () async -> Void

  private let iteration: BodyIteration
  private let collection: BodyCollection
  /// Runs a work where code of the user's may run.
  private let run: @Sendable (@escaping Work) -> Void
  private let state = Protected(State())

  private struct State {
    var hasBegun = false
    var isStopped = false
    var isCancelled = false
    /// Who asked, until the answer is there.
    var asker: (@Sendable (Chunk) -> Void)?
    /// The iteration waits here while nobody asks.
    var waiting: CheckedContinuation<Bool, Never>?
  }

  /// - Parameter collection: Where the chunks are kept for those who get the body whole.
  init(_ iteration: BodyIteration, collection: BodyCollection, run: @escaping @Sendable (@escaping Work) -> Void) {
    self.iteration = iteration
    self.collection = collection
    self.run = run
  }

  func pull(_ completion: @escaping @Sendable (Chunk) -> Void) {
    enum Answer { case begin, goOn(CheckedContinuation<Bool, Never>), nothing }
    let answer: Answer = state.withLock { state in
      guard !state.isStopped else { return .nothing }
      state.asker = completion
      if !state.hasBegun {
        state.hasBegun = true
        return .begin
      }
      defer { state.waiting = nil }
      return state.waiting.map { .goOn($0) } ?? .nothing
    }
    switch answer {
    case .begin: run { [self] in await iterate() }
    case .goOn(let waiting): waiting.resume(returning: true)
    case .nothing: break
    }
  }

  /// An iteration that waits for being asked ends.
  func stop() { stop(isCancelled: false) }

  /// An iteration that waits for being asked ends in a cancelled task, so that its sequence hears of it. One that waits for its
  /// sequence is cancelled by whoever runs it.
  func cancel() { stop(isCancelled: true) }

  private func stop(isCancelled: Bool) {
    let (asker, waiting) = state.withLock { state in
      defer { (state.asker, state.waiting) = (nil, nil) }
      // Once it was stopped, its task may be about other things.
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
        // Here, where files may be written.
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
    // Here, since the cancellation that is on its way may come too late.
    if !isAsked, state.withLock({ $0.isCancelled }) { withUnsafeCurrentTask { $0?.cancel() } }
    return isAsked
  }
}
