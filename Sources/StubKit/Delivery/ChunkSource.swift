import Foundation

/// The source of a stream's chunks.
protocol ChunkSource: Sendable {
  /// The next chunk, or `nil` after the last one.
  typealias Chunk = Result<Data?, any Error>

  /// Asks for the next chunk. Don't call this before the previous chunk was returned.
  ///
  /// - Parameter completion: A closure that is called once, on any thread, unless the source is cancelled first.
  func pull(_ completion: @escaping @Sendable (Chunk) -> Void)

  /// Cancels what the chunks come from, because the request is over. Has no effect after the last chunk.
  func cancel()
}

/// The chunks of a sequence for one request. Each is a piece of work of its own where the user's code may run.
///
/// It holds the sequence until the last chunk, or until the request is over.
final class StreamChunks: ChunkSource {
  typealias Work = @Sendable () async -> Void

  private let run: @Sendable (@escaping Work) -> Void
  private let state: Protected<State>

  private struct State {
    /// Asks the sequence, or `nil` if nobody asks it again.
    var next: Closure<BodyStream.Next>?
    var hasBegun = false
    /// A Boolean value that indicates whether the sequence is asked right now.
    var isAsked = false
  }

  /// - Parameter run: Runs work in a task that is cancelled with the request.
  init(_ next: Closure<BodyStream.Next>, run: @escaping @Sendable (@escaping Work) -> Void) {
    self.run = run
    state = Protected(State(next: next))
  }

  deinit { Closure.releaseElsewhere(state.withLock { $0.next.take() }) }

  func pull(_ completion: @escaping @Sendable (Chunk) -> Void) {
    run { [self] in
      let next = state.withLock { state in
        (state.hasBegun, state.isAsked) = (true, state.next != nil)
        return state.next
      }
      guard let next else { return }
      let chunk: Chunk
      do { chunk = .success(try await next.call()) } catch { chunk = .failure(error) }
      let isLast = if case .success(.some) = chunk { false } else { true }
      state.withLock { state in
        state.isAsked = false
        if isLast { state.next = nil }
      }
      completion(chunk)
    }
  }

  func cancel() {
    let (next, hasBegun, isAsked) = state.withLock { state in
      defer { state.next = nil }
      return (state.next, state.hasBegun, state.isAsked)
    }
    guard hasBegun, !isAsked, let next else { return Closure.releaseElsewhere(next) }
    // A sequence learns of its cancellation when it is asked for an element, and some sequences only then.
    Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try? await next.call()
    }
  }
}
