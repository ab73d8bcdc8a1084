import Foundation
import StubKit
import StubKitArchive

/// Collects the responses from the network to a registry's requests while a recording is being made.
///
/// A request enters when it goes to the network. Its entries arrive before the client learns of the end, so code that
/// awaited the response finds them here.
final class ArchiveRecorder: NetworkTap {
  private struct State {
    var count = 0
    /// The entries by the number of the request.
    var finished: [Int: HTTPArchive.Entry] = [:]
    var isStopped = false
  }

  private let state = Protected(State())

  func begin(_ request: URLRequest) -> any NetworkRecorder { ExchangeRecording(self, request) }

  /// Returns the number of a request, in the order in which requests begin.
  func begin() -> Int {
    state.withLock {
      $0.count += 1
      return $0.count
    }
  }

  /// Ends a request with its entry.
  func end(_ number: Int, _ entry: HTTPArchive.Entry) {
    state.withLock { if !$0.isStopped { $0.finished[number] = entry } }
  }

  /// Accepts no more entries.
  func stop() { state.withLock { $0.isStopped = true } }

  /// The recorded entries, in the order in which the requests began, and the number of those that haven't ended. An
  /// entry with a ``HTTPArchive/Entry/statedObstacle`` lacks a body that is too long.
  var contents: (entries: [HTTPArchive.Entry], unfinishedCount: Int) {
    let (finished, count) = state.withLock { ($0.finished, $0.count) }
    return (finished.sorted { $0.key < $1.key }.map(\.value), count - finished.count)
  }
}
