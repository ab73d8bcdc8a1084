import Foundation

/// A body that comes in chunks from a sequence of the test's own.
final class BodyStream: Sendable {
  /// Takes a chunk, and returns once the next one is wanted; false if none is.
  typealias Receiver = @Sendable (Data) async throws -> Bool

  /// Iterates the sequence from its beginning.
  let iterate: @Sendable (_ receive: Receiver) async throws -> Void
  private let isUsed: Protected<Bool>?

  /// - Parameter isSingleUse: Whether only one request can be answered with it.
  init(isSingleUse: Bool, _ iterate: @escaping @Sendable (_ receive: Receiver) async throws -> Void) {
    isUsed = isSingleUse ? Protected(false) : nil
    self.iterate = iterate
  }

  /// What the sequence holds is the user's, and may use URLSession when it goes, which traps on URLSession's own queues.
  deinit { DispatchQueue.global().async { [iterate] in _ = iterate } }

  /// Takes the stream for a request; false if another one has it already.
  func claim() -> Bool {
    guard let isUsed else { return true }
    return isUsed.withLock { isUsed in
      defer { isUsed = true }
      return !isUsed
    }
  }
}
