/// The query items that a test has read of the requests of its stubs, in the journal.
package final class QueryReadings: Sendable {
  private let names = Protected<[UInt64: Set<NamedValue>]?>([:])

  func note(_ items: [String], of stub: UInt64) {
    guard !items.isEmpty else { return }
    _ = names.withLock { $0?[stub, default: []].formUnion(items.map { NamedValue(name: $0) }) }
  }

  /// The test is over. Returns what it has read: the names of the items, by the stubs that answered.
  package func end() -> [UInt64: Set<NamedValue>] { names.withLock { $0.take() ?? [:] } }
}
