import Foundation

/// Counts the reports that tests make on purpose, as known issues, and says at the end of the process what they were.
package enum ReportsOnPurpose {
  private static let count = Locked(0)

  /// Counts one report.
  package static func note() {
    let isFirst = count.withLock { count in
      count += 1
      return count == 1
    }
    guard isFirst else { return }
    atexit {
      let count = ReportsOnPurpose.count.withLock { $0 }
      print("\(count) known issues are reports that these tests make on purpose, to compare their texts.")
    }
  }
}
