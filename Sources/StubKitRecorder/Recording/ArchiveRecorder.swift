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
    /// The entries by the number of the request. One that was cancelled has none.
    var finished: [Int: [HTTPArchive.Entry]] = [:]
  }

  private let state = Protected(State())
  let filter: any ReportFilter

  init(_ redactions: [Redaction] = .standard) { filter = ReportRedaction(redactions) }

  func begin(_ request: URLRequest) -> any NetworkRecorder { ExchangeRecording(self, request) }

  /// Returns the number of a request, in the order in which requests begin.
  func begin() -> Int {
    state.withLock {
      $0.count += 1
      return $0.count
    }
  }

  /// Ends a request with its entry, or with none if it was cancelled.
  func end(_ number: Int, _ entries: [HTTPArchive.Entry]) {
    state.withLock { $0.finished[number] = entries }
  }

  /// The recorded entries, in the order in which the requests began, and the number of those that haven't ended. An
  /// entry with a ``HTTPArchive/Entry/statedObstacle`` lacks a body that is too long.
  var contents: (entries: [HTTPArchive.Entry], unfinishedCount: Int) {
    let (finished, count) = state.withLock { ($0.finished, $0.count) }
    return (finished.sorted { $0.key < $1.key }.flatMap(\.value), count - finished.count)
  }
}
