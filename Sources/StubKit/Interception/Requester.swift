import Foundation

/// The known facts about the code that makes a request.
struct Requester: Sendable {
  /// The registry of the task that makes the request, or of the request whose callback makes it.
  let registry: StubRegistry?
  /// The scope of the callback that makes the request, if it has ended.
  let lateScope: CallbackScope?
  /// A Boolean value that indicates whether the request comes from a Swift task. With StubKitTesting, the task must
  /// belong to a test.
  let isKnown: Bool

  /// The requester for code that runs on this thread.
  static var current: Requester {
    let registry = StubRegistry.local
    let lateScope = CallbackScope.current.flatMap { $0.isOver(for: registry) ? $0 : nil }
    return Requester(registry: registry, lateScope: lateScope, isKnown: registry != nil || RunningTest.isKnown)
  }
}

/// The check whether the code that runs here belongs to a test.
package enum RunningTest {
  private static let framework = Protected<(any TestFramework.Type)?>(nil)

  /// Intercepts sessions before the first test, where StubKit can't reach those that exist. The first trait or test
  /// case calls this when the framework looks for tests.
  package static func prepare() {
    if Platform.reachesOnlySessionsToCome { SessionInstallation.activate() }
  }

  /// Looks for StubKitTesting, which the process may contain without using a trait. The lookup by name needs no
  /// exported symbol, so it works with every kind of linking.
  static func findFramework() {
    use(NSClassFromString("StubKitTesting.TestsOfSwiftTesting") as? any TestFramework.Type)
  }

  /// Without a framework, any code in a Swift task counts as a test's. Only code on a plain queue or thread doesn't.
  static func use(_ framework: (any TestFramework.Type)?) { self.framework.withLock { $0 = framework } }

  static var isKnown: Bool {
    guard withUnsafeCurrentTask(body: { $0 != nil }) else { return false }
    return framework.withLock(\.self)?.knowsTest ?? true
  }
}

/// What StubKitTesting tells StubKit about the test framework.
package protocol TestFramework: AnyObject, Sendable {
  /// A Boolean value that indicates whether the framework knows a test on the calling thread.
  static var knowsTest: Bool { get }
}
