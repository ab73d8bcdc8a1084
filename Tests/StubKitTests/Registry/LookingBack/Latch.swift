/// Something that closures of the tests wait for.
struct Latch: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// For good, whoever waits and whoever comes later.
  func open() { continuation.finish() }

  func pass() async { for await _ in stream {} }
}
