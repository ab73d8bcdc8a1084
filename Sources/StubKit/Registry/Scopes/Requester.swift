/// What the place where a request is made tells of its maker.
struct Requester: Sendable {
  /// The registry of the task that makes it, or of the request in whose callback it is made.
  let registry: StubRegistry?
  /// Whether it is made in a callback that runs after its scope's end.
  let isLate: Bool
  /// Whether a task is known that makes it, or, where a test framework says so, a test.
  let isKnown: Bool

  /// For the request that is being made on this thread.
  static var current: Requester {
    let registry = StubRegistry.local
    let isLate = registry.map { CallbackScope.current?.isOver(in: $0) ?? false } ?? false
    return Requester(registry: registry, isLate: isLate, isKnown: registry != nil || RunningTest.isKnown)
  }
}

/// What is known of the test whose code runs here.
package enum RunningTest {
  private static let framework = Protected<(@Sendable () -> Bool)?>(nil)

  /// Has a test framework say whether it knows the test whose code runs on the calling thread.
  ///
  /// Without one, code in a Swift task counts as a test's: only a plain queue or a thread is nobody's.
  package static func ask(_ isKnown: @escaping @Sendable () -> Bool) { framework.withLock { $0 = isKnown } }

  static var isKnown: Bool {
    guard withUnsafeCurrentTask(body: { $0 != nil }) else { return false }
    return framework.withLock(\.self)?() ?? true
  }
}
