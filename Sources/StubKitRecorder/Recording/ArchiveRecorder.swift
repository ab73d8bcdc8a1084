import Foundation
import StubKit
import StubKitArchive

/// Collects the responses from the network to a registry's requests while a recording is being made.
///
/// A request enters when it goes to the network. Its entries arrive before the client learns of the end, so code that
/// awaited the response finds them here.
final class ArchiveRecorder: NetworkTap {
  /// The entries of the requests, in the order in which they began, or `nil` for those that haven't ended.
  private let state = Protected(State())

  private struct State {
    var entries: [HTTPArchive.Entry?] = []
    var accepts = true
    /// The numbers of the requests that the recording doesn't have, of the first so many.
    var excluded: Set<Int> = []
    var judgedCount = 0
  }

  func begin(_ request: URLRequest) -> any NetworkRecorder { ExchangeRecording(self, request) }

  /// Returns the number of a request, in the order in which requests begin.
  func begin() -> Int {
    state.withLock {
      $0.entries.append(nil)
      return $0.entries.count - 1
    }
  }

  /// Ends a request with its entry. Only the first call counts.
  func end(_ number: Int, _ entry: HTTPArchive.Entry) {
    state.withLock { if $0.accepts { $0.entries[number] = $0.entries[number] ?? entry } }
  }

  /// Says whether more entries are accepted.
  func accept(_ accepts: Bool) { state.withLock { $0.accepts = accepts } }

  /// Removes and returns the new entries whose requests don't meet a condition. Its closures run here.
  func exclude(unless condition: RequestMatcher) -> [HTTPArchive.Entry] {
    let new = state.withLock { state in
      defer { state.judgedCount = state.entries.count }
      return state.entries.dropFirst(state.judgedCount)
    }
    let others = new.indices.filter { number in new[number].map { !condition.matches($0.request) } ?? false }
    state.withLock { $0.excluded.formUnion(others) }
    return others.compactMap { new[$0] }
  }

  /// The recorded entries, in the order in which the requests began, and the number of those that haven't ended. An
  /// entry with a ``HTTPArchive/Entry/statedObstacle`` lacks a body that is too long.
  var contents: (entries: [HTTPArchive.Entry], unfinishedCount: Int) {
    let all = state.withLock { state in
      state.entries.enumerated().filter { !state.excluded.contains($0.offset) }.map(\.element)
    }
    let ended = all.compactMap(\.self)
    return (ended, all.count - ended.count)
  }
}
