import Foundation
import Testing

@testable import StubKit

/// A stream whose chunks come when the test says so, whether or not they were asked for yet. Used from one thread.
final class ScriptedChunks: ChunkSource, @unchecked Sendable {
  // @unchecked holds because a test uses it from its own thread only.
  private var ready: [Chunk] = []
  private var asker: (@Sendable (Chunk) -> Void)?
  private(set) var pullCount = 0
  private(set) var isStopped = false

  func pull(_ completion: @escaping @Sendable (Chunk) -> Void) {
    #expect(asker == nil, "Two pulls at once.")
    #expect(!isStopped)
    pullCount += 1
    if ready.isEmpty { asker = completion } else { completion(ready.removeFirst()) }
  }

  func stop() {
    isStopped = true
    asker = nil
  }

  func cancel() { stop() }

  func send(_ chunk: Chunk) {
    guard let asker else { return ready.append(chunk) }
    self.asker = nil
    asker(chunk)
  }

  func send(_ text: String) { send(.success(Data(text.utf8))) }
  func finish() { send(.success(nil)) }
}
