import Dispatch
import Foundation

/// An error that says that the scope of a request has ended. The request was still in flight, or was made later:
/// through a session of the scope, in a handler of one of its requests, or outside of every scope when none was open
/// any more.
///
/// Wait for the request inside the scope, or cancel it there. A session that outlives the scope that created it, as a
/// static one does, can be used in a later scope. If code outside of scopes may use the network, set
/// ``HTTPStubs/unscoped``.
public struct StubScopeEndedError: StubKitError, Hashable {
  enum Reason: Int {
    case inFlight = 1
    /// The request was made later, and belongs to the scope only by its session.
    case session
    /// A callback of a request of the scope made the request later.
    case callback
    /// The request was made outside of every scope when none was open any more.
    case outside
  }
  private let reason: Reason

  init(_ reason: Reason = .inFlight) { self.reason = reason }

  /// What happened, and what to do about it.
  public var description: String {
    switch reason {
    case .inFlight:
      "The withStubs scope (or stubbed test) that the request belongs to ended while the request was in flight. "
        + "Wait for the request inside the scope, or cancel it there."
    case .session:
      "The request's session was created in a withStubs scope (or stubbed test) that has ended, or belongs to its "
        + "registry. Wait for the request inside the scope, or create a session in each scope."
    case .callback:
      "A handler of another request made the request after the withStubs scope (or stubbed test) that they belong to had "
        + "ended. Wait inside the scope until the handlers have run."
    case .outside:
      "The request was made outside of every scope, on a queue, on a thread or in a detached task, when no withStubs scope "
        + "(or stubbed test) was open any more. If a test has left it behind, let the test wait for it, or create its "
        + "session in the test. If code outside of scopes may use the network, write once: "
        + "HTTPStubs.unscoped = .passThrough."
    }
  }

  /// The code of the error as an `NSError`: 1 for a request that was in flight at the end, 2 for a later one of a
  /// session of the scope, 3 for a later one of a handler, 4 for one that was made outside of every scope.
  public var errorCode: Int { reason.rawValue }
}
