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
