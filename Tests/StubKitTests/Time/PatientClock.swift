import TestSupport
import Testing

@testable import StubKit

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
