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

extension RunningTest {
  /// Intercepts sessions before the first test, where StubKit can't reach those that exist. The first trait or test
  /// case calls this when the framework looks for tests.
  package static func prepare() {
    if Platform.reachesOnlySessionsToCome { SessionInstallation.activate() }
  }
}
