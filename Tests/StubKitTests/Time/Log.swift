import StubKit

/// What happened, in its order, noted from anywhere.
final class Log<Entry: Sendable>: Sendable {
  private let state = Protected<[Entry]>([])

  var entries: [Entry] { state.withLock { $0 } }
  func note(_ entry: Entry) { state.withLock { $0.append(entry) } }
}
