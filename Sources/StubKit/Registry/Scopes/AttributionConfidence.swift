import Foundation

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
