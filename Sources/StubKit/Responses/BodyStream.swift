import Foundation
import StubKitFormats

/// A body whose chunks come from a sequence of the test.
package final class BodyStream: Sendable {
  /// Receives a chunk and returns when the next one is wanted, or `false` if no more is.
  typealias Receiver = @Sendable (Data) async throws -> Bool

  /// Iterates the sequence from its beginning.
  typealias Iterator = @Sendable (_ receive: Receiver) async throws -> Void

  private let isSingleUse: Bool
  /// The iterator, or `nil` if the only request that it serves has taken it.
  private let iterator: Protected<Iterator?>

  /// - Parameter isSingleUse: Whether the sequence can answer only one request.
  init(isSingleUse: Bool, _ iterator: @escaping Iterator) {
    self.isSingleUse = isSingleUse
    self.iterator = Protected(iterator)
  }

  deinit { iterator.letGo() }

  /// Takes the stream for a request. Returns `nil` if another request has it already.
  func claim() -> BodyIteration? {
    let iterator = self.iterator.withLock { iterator in
      defer { if isSingleUse { iterator = nil } }
      return iterator
    }
    return iterator.map(BodyIteration.init)
  }
}

/// The iteration of a stream for one request. It holds the sequence until the iteration ends, and no longer.
final class BodyIteration: Sendable {
  private let iterator: Protected<BodyStream.Iterator?>

  fileprivate init(_ iterator: @escaping BodyStream.Iterator) { self.iterator = Protected(iterator) }

  /// For an iteration that never began.
  deinit { iterator.letGo() }

  /// Iterates the sequence and releases it. Call this once, where the user's code may run.
  func run(_ receive: BodyStream.Receiver) async throws { try await iterator.take()?(receive) }
}

extension Protected where Value == BodyStream.Iterator? {
  fileprivate func take() -> BodyStream.Iterator? {
    withLock { iterator in
      defer { iterator = nil }
      return iterator
    }
  }

  /// What a sequence holds belongs to the user. It may use URLSession when it is released, which traps on
  /// URLSession's own queues.
  fileprivate func letGo() {
    guard let iterator = take() else { return }
    WorkerPool.closures.run { [iterator] in _ = iterator }
  }
}
