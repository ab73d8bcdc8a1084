/// The known facts about the code that makes a request.
struct Requester: Sendable {
  /// The registry of the task that makes the request, or of the request whose callback makes it.
  let registry: StubRegistry?
  /// A Boolean value that indicates whether a callback makes the request after the end of its scope.
  let isLate: Bool
  /// A Boolean value that indicates whether the request comes from a Swift task. With StubKitTesting, the task must
  /// belong to a test.
  let isKnown: Bool

  /// The requester for code that runs on this thread.
  static var current: Requester {
    let registry = StubRegistry.local
    let isLate = registry.map { CallbackScope.current?.isOver(in: $0) ?? false } ?? false
    return Requester(registry: registry, isLate: isLate, isKnown: registry != nil || RunningTest.isKnown)
  }
}

/// The check whether the code that runs here belongs to a test.
package enum RunningTest {
  private static let framework = Protected<(@Sendable () -> Bool)?>(nil)

  /// Sets the closure that returns whether the test framework knows a test on the calling thread.
  ///
  /// Without it, any code in a Swift task counts as a test's. Only code on a plain queue or thread doesn't.
  package static func ask(_ isKnown: @escaping @Sendable () -> Bool) {
    framework.withLock { $0 = isKnown }
    // The framework asks for this before the first test runs, and so before it creates a session.
    if Platform.reachesOnlySessionsToCome { SessionInstallation.activate() }
  }

  static var isKnown: Bool {
    guard withUnsafeCurrentTask(body: { $0 != nil }) else { return false }
    return framework.withLock(\.self)?() ?? true
  }
}
