/// Whether the running test has failed, for those who keep nothing of a failed test.
package final class TestVerdict: Sendable {
  /// The verdict on the test of the current task, or `nil` if nobody watches the test.
  @TaskLocal package static var current: TestVerdict?

  private struct State {
    var hasFailed = false
    var takesBack: [@Sendable () -> Void] = []
  }
  private let state = Protected(State())

  package init() {}

  /// Whether the test has failed so far.
  package var hasFailed: Bool { state.withLock { $0.hasFailed } }

  /// Notes that the test has failed.
  package func fail() { state.withLock { $0.hasFailed = true } }

  /// Keeps work that takes something back if the test fails after all.
  package func ifItFails(_ work: @escaping @Sendable () -> Void) { state.withLock { $0.takesBack.append(work) } }

  /// Ends the test. If it has failed, this takes back what was done for it, the last thing first.
  package func close() {
    let work = state.withLock { state in
      defer { state.takesBack = [] }
      return state.hasFailed ? state.takesBack : []
    }
    for takeBack in work.reversed() { takeBack() }
  }
}
