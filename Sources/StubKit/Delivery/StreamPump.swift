import Foundation

/// Hands the chunks of a stream over from the task in which it is iterated, each when it is asked for.
final class StreamPump: ChunkSource {
  typealias Work = @Sendable () async -> Void

  private let stream: BodyStream
  private let collection: BodyCollection
  /// Runs a work where code of the user's may run.
  private let run: @Sendable (@escaping Work) -> Void
  private let state = Protected(State())

  private struct State {
    var hasBegun = false
    var isStopped = false
    /// Who asked, until the answer is there.
    var asker: (@Sendable (Chunk) -> Void)?
    /// The iteration, while nobody asks.
    var iteration: CheckedContinuation<Bool, Never>?
  }

  /// - Parameter collection: Where the chunks are kept for those who get the body whole.
  init(_ stream: BodyStream, collection: BodyCollection, run: @escaping @Sendable (@escaping Work) -> Void) {
    self.stream = stream
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
      defer { state.iteration = nil }
      return state.iteration.map { .goOn($0) } ?? .nothing
    }
    switch answer {
    case .begin: run { [self] in await iterate() }
    case .goOn(let iteration): iteration.resume(returning: true)
    case .nothing: break
    }
  }

  /// An iteration that waits for being asked ends.
  func stop() {
    let (asker, iteration) = state.withLock { state in
      defer { (state.asker, state.iteration) = (nil, nil) }
      state.isStopped = true
      return (state.asker, state.iteration)
    }
    _ = consume asker
    iteration?.resume(returning: false)
  }

  private func iterate() async {
    do {
      try await stream.iterate { [self] chunk in
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
    await withCheckedContinuation { continuation in
      let isAsked: Bool? = state.withLock { state in
        if state.isStopped { return false }
        if state.asker != nil { return true }
        state.iteration = continuation
        return nil
      }
      if let isAsked { continuation.resume(returning: isAsked) }
    }
  }
}
