import Foundation

/// A body that comes in chunks from a sequence of the test's own.
final class BodyStream: Sendable {
  /// Takes a chunk, and returns once the next one is wanted; false if none is.
  typealias Receiver = @Sendable (Data) async throws -> Bool

  /// Iterates the sequence from its beginning.
  typealias Iterator = @Sendable (_ receive: Receiver) async throws -> Void

  private let isSingleUse: Bool
  /// Nil once the one request that it serves has taken it.
  private let iterator: Protected<Iterator?>

  /// - Parameter isSingleUse: Whether only one request can be answered with it.
  init(isSingleUse: Bool, _ iterator: @escaping Iterator) {
    self.isSingleUse = isSingleUse
    self.iterator = Protected(iterator)
  }

  deinit { iterator.letGo() }

  /// Takes the stream for a request; nil if another one has it already.
  func claim() -> BodyIteration? {
    let iterator = self.iterator.withLock { iterator in
      defer { if isSingleUse { iterator = nil } }
      return iterator
    }
    return iterator.map(BodyIteration.init)
  }
}

/// The iteration of a stream for one request. It holds the sequence until it has ended, and no longer.
final class BodyIteration: Sendable {
  private let iterator: Protected<BodyStream.Iterator?>

  fileprivate init(_ iterator: @escaping BodyStream.Iterator) { self.iterator = Protected(iterator) }

  /// For an iteration that never began.
  deinit { iterator.letGo() }

  /// Iterates the sequence and lets go of it. To be called once, where code of the user's may run.
  func run(_ receive: BodyStream.Receiver) async throws { try await iterator.take()?(receive) }
}

extension Protected where Value == BodyStream.Iterator? {
  fileprivate func take() -> BodyStream.Iterator? {
    withLock { iterator in
      defer { iterator = nil }
      return iterator
    }
  }

  /// What a sequence holds is the user's, and may use URLSession when it goes, which traps on URLSession's own queues.
  fileprivate func letGo() {
    guard let iterator = take() else { return }
    WorkerPool.closures.run { [iterator] in _ = iterator }
  }
}
