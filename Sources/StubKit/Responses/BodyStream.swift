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
  private let iterator: Protected<Closure<Iterator>?>

  /// - Parameter isSingleUse: Whether the sequence can answer only one request.
  init(isSingleUse: Bool, _ iterator: @escaping Iterator) {
    self.isSingleUse = isSingleUse
    self.iterator = Protected(Closure(iterator))
  }

  deinit { iterator.releaseElsewhere() }

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
  private let iterator: Protected<Closure<BodyStream.Iterator>?>

  fileprivate init(_ iterator: Closure<BodyStream.Iterator>) { self.iterator = Protected(iterator) }

  /// For an iteration that never began.
  deinit { iterator.releaseElsewhere() }

  /// Iterates the sequence and releases it. Call this once, where the user's code may run.
  func run(_ receive: BodyStream.Receiver) async throws { try await iterator.take()?.call(receive) }
}

extension Protected where Value == Closure<BodyStream.Iterator>? {
  fileprivate func take() -> Closure<BodyStream.Iterator>? {
    withLock { iterator in
      defer { iterator = nil }
      return iterator
    }
  }

  /// Releases the sequence on a queue of StubKit. What the sequence holds is the user's, and may use URLSession when it
  /// is released, which traps on URLSession's own queues.
  fileprivate func releaseElsewhere() {
    guard let iterator = take() else { return }
    WorkerPool.closures.run { [iterator] in _ = iterator }
  }
}

/// The part of a stream that has arrived, for clients that receive a body as a whole.
package final class BodyCollection: Sendable {
  /// The kind of place where the stream is kept.
  enum Kind: Sendable {
    /// Nowhere, because the receiver gets the chunks as they arrive.
    case nothing
    case memory
    /// A file, for a download.
    case file
  }

  private let kind: Kind
  private let state = Protected(State())

  private struct State {
    var byteCount = 0
    var data = Data()
    var file: TemporaryFile?
  }

  init(_ kind: Kind) { self.kind = kind }

  /// The number of bytes that have arrived, kept or not.
  var byteCount: Int { state.withLock { $0.byteCount } }

  /// Adds a chunk. Call this for one chunk after the other.
  func append(_ chunk: Data) throws {
    try state.withLock { state in
      state.byteCount += chunk.count
      switch kind {
      case .nothing: break
      case .memory: state.data.append(chunk)
      case .file:
        if state.file == nil { state.file = try TemporaryFile() }
        try state.file?.append(chunk)
      }
    }
  }

  /// The part that is kept in memory.
  var data: Data { state.withLock { $0.data } }

  /// Returns the file that contains the stream to the first caller, or `nil` if there is none.
  func takeFile() -> TemporaryFile? {
    state.withLock { state in
      defer { state.file = nil }
      return state.file
    }
  }
}
