import Foundation
import StubKitFormats

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
    begin = Protected(
      Closure {
        let iteration = Iteration(makeSequence)
        return { try await iteration.next() }
      })
  }

  deinit { Closure.releaseElsewhere(begin.withLock { $0.take() }) }

  /// Takes the stream for a request. Returns `nil` if another request has it already.
  func claim() -> Closure<Next>? {
    let begin = self.begin.withLock { begin in
      defer { if isSingleUse { begin = nil } }
      return begin
    }
    return begin.map { Closure($0.call()) }
  }

  private final class Iteration<S: AsyncSequence>: @unchecked Sendable where S.Element == Data {
    // Safe because one piece of work after the other uses it.
    private var makeSequence: (() -> S)?
    private var iterator: S.AsyncIterator?

    init(_ makeSequence: @escaping () -> S) { self.makeSequence = makeSequence }

    func next() async throws -> Data? {
      var iterator = self.iterator ?? makeSequence.take()?().makeAsyncIterator()
      defer { self.iterator = iterator }
      return try await iterator?.next()
    }
  }
}

extension Closure {
  /// Releases a closure on a queue of StubKit. What a stream's sequence holds is the user's, and may use URLSession when
  /// it is released, which traps on URLSession's own queues.
  static func releaseElsewhere(_ closure: Closure?) {
    guard let closure else { return }
    WorkerPool.closures.run { _ = closure }
  }
}
