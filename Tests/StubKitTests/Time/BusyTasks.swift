import Dispatch
import TestSupport
import Testing

@testable import StubKit

/// Tasks that have nothing to do with a clock: each computes for a millisecond, and lets the others have their turns.
final class BusyTasks: Sendable {
  private let isOver = Protected(false)
  private let tasks = Protected<[Task<Void, Never>]>([])

  init(_ count: Int) {
    tasks.withLock { tasks in
      for _ in 0..<count {
        tasks.append(
          Task.detached { [isOver] in
            while !isOver.withLock({ $0 }) {
              ClockClient.compute(milliseconds: 1)
              await Task.yield()
            }
          })
      }
    }
  }

  func stop() async {
    isOver.withLock { $0 = true }
    for task in tasks.withLock({ $0 }) { await task.value }
  }
}

extension ManualClock {
  /// A new clock that waits for a minute, and whose reports are issues, except for those of threads, which can be busy
  /// with other tests.
  static var patient: ManualClock {
    .reporting(after: .seconds(60), includesThreads: OwnProcess.isHere) { Issue.record("\($0)") }
  }

  /// A new clock whose reports are passed on, except for those of threads, which can be busy with other tests.
  static func reporting(
    after patience: Duration, endlessTime: Duration? = nil, includesThreads: Bool = false,
    to report: @escaping @Sendable (String) -> Void
  ) -> ManualClock {
    ManualClock(patience: patience, endlessTime: endlessTime) {
      if includesThreads || !$0.contains("had not come to rest"), !$0.contains("can be late") { report($0) }
    }
  }
}
