import Foundation

/// The known facts about the code that makes a request.
struct Requester {
  /// The registry of the task that makes the request, or of the request whose callback makes it.
  let registry: StubRegistry?
  /// The scope of the callback that makes the request, if it has ended.
  let lateScope: CallbackScope?
  /// A Boolean value that indicates whether the code has a scope, or belongs to a test that is known to have none.
  let isKnown: Bool

  /// The requester for code that runs on this thread.
  static var current: Requester {
    let registry = StubRegistry.local
    let scope = CallbackScope.current
    let lateScope = scope.flatMap { $0.isOver(for: registry) ? $0 : nil }
    return Requester(
      registry: registry, lateScope: lateScope,
      isKnown: registry != nil || scope === CallbackScope.unscoped || RunningTest.isKnown
        || RunningTest.isOfPlainTestCase && OpenScopes.shared.areOfSwiftTesting)
  }
}

extension StubRegistry {
  /// A Boolean value that indicates whether code here that asks for the registry's requests can miss some: the registry
  /// isn't enabled, or it is the global one beside open scopes, and the code can belong to one of those.
  var isBlind: Bool {
    guard isEnabled else { return true }
    guard self === StubRegistry.global, StubRegistry.local == nil else { return false }
    // A test that is known to have no scope asks the right one.
    if RunningTest.isOfFramework { return false }
    if RunningTest.isOfPlainTestCase, OpenScopes.shared.areOfSwiftTesting { return false }
    return OpenScopes.shared.registries.contains(where: \.registry.isEnabled)
  }
}

/// How StubKit knows that a request belongs to its registry.
enum AttributionConfidence: CaseIterable {
  /// By the code that makes it, or by a session that is bound to the registry.
  case certain
  /// Only by its session, which was created in the registry's scope.
  case session
  /// Only because no other scope is open.
  case onlyScope
  /// Only because no scope claims it, though scopes are open. The registry is the global one.
  case global

  var isInferred: Bool { self == .session || self == .onlyScope }
}

/// A request that can belong to any of several open scopes.
final class StrayRequest: Sendable {
  let request: URLRequest
  /// Whether the request belongs to none of them after all.
  let isDismissed = Protected(false)

  init(_ request: URLRequest) { self.request = request }
}
