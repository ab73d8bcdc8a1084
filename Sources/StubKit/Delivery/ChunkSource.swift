import Foundation

/// Where a delivery gets the chunks of a stream.
protocol ChunkSource: Sendable {
  /// The next chunk, nil after the last one.
  typealias Chunk = Result<Data?, any Error>

  /// Asks for the next chunk; not before the one before was handed over.
  ///
  /// - Parameter completion: Called once, from any thread, unless the source is stopped before.
  func pull(_ completion: @escaping @Sendable (Chunk) -> Void)

  /// Nothing more is asked for.
  func stop()

  /// Nothing more is asked for since the request is over: what the chunks come from is cancelled. Ignored after `stop()`.
  func cancel()
}

/// A delivery's hand on its source: one pull at a time, and the chunk that is told. Used on the delivery's queue only.
final class ChunkReader: @unchecked Sendable {
  // @unchecked holds because everything in it is touched on the delivery's queue only.
  private let source: any ChunkSource
  private var state = State.idle
  /// Its place in the stream, and its bytes.
  private var chunk = (start: 0, bytes: Data())

  private enum State {
    case idle, pulling
    case pulled(ChunkSource.Chunk)
  }

  init(_ source: any ChunkSource) { self.source = source }

  /// Whether the source was asked, and has not answered yet.
  var isPulling: Bool { if case .pulling = state { true } else { false } }
  /// Whether it was asked, and what it answered was not taken yet.
  var isBusy: Bool { if case .idle = state { false } else { true } }

  /// - Parameter completion: Runs on the queue when the answer is there to be taken.
  func pull(on queue: any DeliveryQueue, _ completion: @escaping @Sendable () -> Void) {
    state = .pulling
    source.pull { [weak self] chunk in
      queue.perform { [weak self] in
        self?.state = .pulled(chunk)
        completion()
      }
    }
  }

  /// What the source answered: how many bytes there are to tell, nil for the end.
  func take() throws -> Int? {
    guard case .pulled(let answer) = state else { return nil }
    state = .idle
    guard let bytes = try answer.get() else { return nil }
    chunk = (chunk.start + chunk.bytes.count, bytes)
    return bytes.count
  }

  /// The bytes at these positions of the stream, which are in the chunk that was taken last.
  func piece(_ range: Range<Int>) -> Data {
    // A slice's indices would not begin at zero, as a delegate may take for granted.
    if range.count == chunk.bytes.count && chunk.bytes.startIndex == 0 { return chunk.bytes }
    let start = chunk.bytes.startIndex - chunk.start
    return chunk.bytes.subdata(in: start + range.lowerBound..<start + range.upperBound)
  }

  func stop() { source.stop() }
  func cancel() { source.cancel() }
}
