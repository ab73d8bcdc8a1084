import Foundation

/// The source of a stream's chunks.
protocol ChunkSource: Sendable {
  /// The next chunk, or `nil` after the last one.
  typealias Chunk = Result<Data?, any Error>

  /// Asks for the next chunk. Don't call this before the previous chunk was returned.
  ///
  /// - Parameter completion: A closure that is called once, on any thread, unless the source is stopped first.
  func pull(_ completion: @escaping @Sendable (Chunk) -> Void)

  /// Stops the source. Nobody asks for more.
  func stop()

  /// Cancels what the chunks come from, because the request is over. Has no effect after `stop()`.
  func cancel()
}

/// A delivery's access to its source: one pull at a time, and the chunk that it sends. Use it only on the delivery's
/// queue.
final class ChunkReader: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on the delivery's queue only.
  private let source: any ChunkSource
  private var state = State.idle
  /// The position of the chunk in the stream, and its bytes.
  private var chunk = (start: 0, bytes: Data())

  private enum State {
    case idle, pulling
    case pulled(ChunkSource.Chunk)
  }

  init(_ source: any ChunkSource) { self.source = source }

  /// A Boolean value that indicates whether the source was asked and has not answered yet.
  var isPulling: Bool { if case .pulling = state { true } else { false } }
  /// A Boolean value that indicates whether the source was asked, and its answer has not been taken yet.
  var isBusy: Bool { if case .idle = state { false } else { true } }

  /// - Parameter completion: A closure that runs on the queue when the answer can be taken.
  func pull(on queue: any DeliveryQueue, _ completion: @escaping @Sendable () -> Void) {
    state = .pulling
    source.pull { [weak self] chunk in
      queue.perform { [weak self] in
        self?.state = .pulled(chunk)
        completion()
      }
    }
  }

  /// Returns the number of bytes that the source delivered, or `nil` at the end.
  func take() throws -> Int? {
    guard case .pulled(let answer) = state else { return nil }
    state = .idle
    guard let bytes = try answer.get() else { return nil }
    chunk = (chunk.start + chunk.bytes.count, bytes)
    return bytes.count
  }

  /// Returns the bytes at these positions of the stream, which are in the chunk that was taken last.
  func piece(_ range: Range<Int>) -> Data {
    // The indices of a slice would not begin at zero, which a delegate may rely on.
    if range.count == chunk.bytes.count && chunk.bytes.startIndex == 0 { return chunk.bytes }
    let start = chunk.bytes.startIndex - chunk.start
    return chunk.bytes.subdata(in: start + range.lowerBound..<start + range.upperBound)
  }

  func stop() { source.stop() }
  func cancel() { source.cancel() }
}
