import Dispatch
import Foundation

@testable import StubKit

/// A body stream that knows whether anybody has touched it, and can keep its reader waiting. May be used on any thread.
final class WatchedStream: InputStream {
  private struct State {
    var rest: Data
    var status = Status.notOpen
    var openings = 0
  }
  private let state: Protected<State>
  private let release: DispatchSemaphore?
  private let breaksOff: Bool

  /// - Parameters:
  ///   - release: What the first read waits for.
  ///   - breaksOff: Whether the stream ends in an error.
  init(_ body: Data, release: DispatchSemaphore? = nil, breaksOff: Bool = false) {
    state = Protected(State(rest: body))
    self.release = release
    self.breaksOff = breaksOff
    super.init(data: Data())
  }

  var isTouched: Bool { openings > 0 }
  var openings: Int { state.withLock { $0.openings } }

  override func open() {
    state.withLock {
      $0.openings += 1
      $0.status = .open
    }
  }

  override func close() { state.withLock { $0.status = .closed } }

  override var streamStatus: Status { state.withLock { $0.status } }

  override var hasBytesAvailable: Bool { state.withLock { !$0.rest.isEmpty } }

  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
    release?.wait()
    return state.withLock { state in
      let piece = state.rest.prefix(min(maxLength, 1_000))
      piece.copyBytes(to: buffer, count: piece.count)
      state.rest = state.rest.dropFirst(piece.count)
      return piece.isEmpty && breaksOff ? -1 : piece.count
    }
  }
}

/// A file that is gone when the test is over.
final class TestFile: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("StubKitTests-\(UUID().uuidString)")

  init(_ content: Data) throws { try content.write(to: url) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
