@testable import StubKit

/// How often each closure of a round's conditions has run.
final class ClosureLog: Sendable {
  private let runs = Protected<[Int]>([])

  var counts: [Int] { runs.withLock { $0 } }

  /// Makes room for another closure, and gives its number.
  func add() -> Int {
    runs.withLock { runs in
      runs.append(0)
      return runs.count - 1
    }
  }

  func record(_ closure: Int) { runs.withLock { $0[closure] += 1 } }
}
