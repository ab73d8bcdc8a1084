import Foundation

/// An error that says that a stream would have had to serve a second request. A sequence can be iterated only once.
///
/// ```swift
/// // Serves one request.
/// stub(.get, "https://api.example.com/log", response: .stream(lines))
/// // Serves all requests, each with a sequence of its own.
/// stub(.get, "https://api.example.com/log", response: .stream { makeLines() })
/// ```
package struct StreamAlreadyUsedError: StubKitError, Hashable {
  /// The stub that answered, or `nil` if the response came from a policy.
  public let stub: StubReference?

  /// A sentence that names the stub and says what to write.
  public var description: String { StubResponseError(stub: stub, reason: .streamAlreadyUsed).description }
}

/// A body whose chunks come from a sequence of the test.
package final class BodyStream: Sendable {
  /// Returns the next chunk, or `nil` after the last one.
  typealias Next = @Sendable () async throws -> Data?

  private let isSingleUse: Bool
  /// Begins an iteration, or is `nil` if the only request that it serves has it.
  private let begin: Protected<Closure<@Sendable () -> Next>?>

  /// - Parameters:
  ///   - isSingleUse: Whether the sequence can answer only one request.
  ///   - makeSequence: Returns the sequence. It is called where the user's code may run.
  init<S: AsyncSequence & SendableMetatype>(isSingleUse: Bool, _ makeSequence: @escaping @Sendable () -> S)
  where S.Element == Data {
    self.isSingleUse = isSingleUse
    begin = Protected(Closure { Iteration(makeSequence).next })
  }

  deinit { Closure.releaseElsewhere(begin.withLock { $0.take() }) }

  /// Takes the stream for a request. Returns `nil` if another request has it already.
  func claim() -> Closure<Next>? { begin.withLock { isSingleUse ? $0.take() : $0 }.map { Closure($0.call()) } }

  /// Lets the sequence learn that the request that it was chosen for is over before it began.
  func abandon() { if let next = claim() { StreamChunks(next) { _ in }.cancel() } }

  private final class Iteration<S: AsyncSequence>: @unchecked Sendable where S.Element == Data {
    // Safe because one piece of work after the other uses it.
    private var makeSequence: (() -> S)?
    private var iterator: S.AsyncIterator?

    init(_ makeSequence: @escaping () -> S) { self.makeSequence = makeSequence }

    func next() async throws -> Data? {
      // Taken, because a value would be copied at each change while another one is kept.
      var iterator = self.iterator.take() ?? makeSequence.take()?().makeAsyncIterator()
      defer { self.iterator = iterator }
      return try await iterator?.next()
    }
  }
}

extension Closure {
  /// Releases a closure on a queue of StubKit. What a stream's sequence has is the user's, and may use URLSession
  /// when it is released, which traps on URLSession's own queues.
  static func releaseElsewhere(_ closure: Closure?) {
    guard let closure else { return }
    WorkerPool.closures.run { _ = closure }
  }
}

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
/// It keeps the sequence until the last chunk, or until the request is over.
final class StreamChunks: ChunkSource {

  private let run: @Sendable (@escaping AsyncWork) -> Void
  private let state: Protected<State>

  private struct State {
    /// Asks the sequence, or `nil` if nobody asks it again.
    var next: Closure<BodyStream.Next>?
    /// A Boolean value that indicates whether the sequence isn't being asked for a chunk.
    var isBetweenChunks = true
  }

  /// - Parameter run: Runs work in a task that is cancelled with the request.
  init(_ next: Closure<BodyStream.Next>, run: @escaping @Sendable (@escaping AsyncWork) -> Void) {
    self.run = run
    state = Protected(State(next: next))
  }

  deinit { Closure.releaseElsewhere(state.withLock { $0.next.take() }) }

  func pull(_ completion: @escaping @Sendable (Chunk) -> Void) {
    run { [self] in
      let next = state.withLock { state in
        state.isBetweenChunks = false
        return state.next
      }
      guard let next else { return }
      let chunk: Chunk
      do { chunk = .success(try await next.call()) } catch { chunk = .failure(error) }
      let isLast = if case .success(.some) = chunk { false } else { true }
      state.withLock { state in
        state.isBetweenChunks = true
        if isLast { state.next = nil }
      }
      completion(chunk)
    }
  }

  func cancel() {
    let (next, isBetweenChunks) = state.withLock { ($0.next.take(), $0.isBetweenChunks) }
    guard isBetweenChunks, let next else { return Closure.releaseElsewhere(next) }
    // A sequence learns of its cancellation when it is asked for an element, and some sequences only then.
    OwnTasks.make {
      Task {
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try? await next.call()
      }
    }
  }
}
