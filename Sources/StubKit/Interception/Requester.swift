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

  /// Runs a part of a test, and tells a verdict about each failure that the framework records meanwhile. Without
  /// StubKitTesting, nothing is known of failures.
  package static func watch(
    for verdict: TestVerdict, isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void
  ) async {
    guard let framework = framework.withLock(\.self) else { return await body() }
    await framework.watch(for: verdict, isolation: isolation, body)
  }

  /// Runs a synchronous part of a test, and tells a verdict about each failure that the framework records meanwhile.
  package static func watch(for verdict: TestVerdict, _ body: () -> Void) {
    guard let framework = framework.withLock(\.self) else { return body() }
    framework.watch(for: verdict, body)
  }

  /// Records a warning of the running test.
  ///
  /// - Returns: `false` if the framework knows no warnings, or no test.
  package static func warn(_ text: String, at location: StubLocation) -> Bool {
    framework.withLock(\.self)?.warn(text, at: location) ?? false
  }
}

/// What StubKitTesting tells StubKit about the test framework.
package protocol TestFramework: AnyObject, Sendable {
  /// A Boolean value that indicates whether the framework knows a test on the calling thread.
  static var knowsTest: Bool { get }

  /// Runs a part of a test, and tells a verdict about each failure meanwhile.
  static func watch(
    for verdict: TestVerdict, isolation: isolated (any Actor)?, _ body: () async -> Void) async
  static func watch(for verdict: TestVerdict, _ body: () -> Void)

  /// - Returns: `false` if the framework knows no warnings, or no test.
  static func warn(_ text: String, at location: StubLocation) -> Bool
}

extension TestFramework {
  package static func watch(
    for verdict: TestVerdict, isolation: isolated (any Actor)?, _ body: () async -> Void
  ) async { await body() }

  package static func watch(for verdict: TestVerdict, _ body: () -> Void) { body() }

  package static func warn(_ text: String, at location: StubLocation) -> Bool { false }
}
