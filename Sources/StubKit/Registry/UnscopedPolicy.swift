import Foundation

/// What happens to unscoped requests: they are made on a plain queue, on a thread or in a detached task, through a
/// session that was created outside of every scope.
///
/// Two settings have such a policy: ``HTTPStubs/loopback``, for requests to this machine while a scope is open, and
/// ``HTTPStubs/unscoped``, for all requests when no scope is open any more.
public struct UnscopedPolicy: Sendable, Hashable {
  private let lets: Bool

  /// The request goes out as if StubKit didn't exist. To this machine, the server that listens there can be that of
  /// another test.
  public static let passThrough = UnscopedPolicy(lets: true)

  /// The request fails. As ``HTTPStubs/unscoped``, with a ``StubScopeEndedError`` and a warning of the run, because a
  /// test that has ended may have left the request behind. A request to this machine goes out.
  ///
  /// As ``HTTPStubs/loopback``, a request to this machine is treated like one to any other host: the scope answers it
  /// if it is the only one, and the request reaches no server.
  public static let fail = UnscopedPolicy(lets: false)
}

extension HTTPStubs {
  private static let unscopedPolicy = Protected<UnscopedPolicy?>(nil)

  /// What happens to unscoped requests, which belong to no test. By default, those after the first scope of the
  /// process fail, as with ``UnscopedPolicy/fail``. Those before it go out, and so do those of a test that is known to
  /// have no scope. A line on standard error tells of the first one of each test.
  ///
  /// ```swift
  /// // The app that hosts the tests may use the network between them.
  /// HTTPStubs.unscoped = .passThrough
  /// ```
  ///
  /// To block all network requests, as WebMock's `disable_net_connect!` or nock's `disableNetConnect` do, set `.fail`
  /// yourself. Then each request without a scope fails that no stub answers, in tests without a scope, too:
  ///
  /// ```swift
  /// HTTPStubs.unscoped = .fail
  /// ```
  ///
  /// The environment variable `STUBKIT_NETWORK=off` does so without code, and keeps what a policy or a stub lets
  /// through, too. Requests to this machine go out. Sessions for which StubKit is disabled aren't intercepted.
  ///
  /// It applies to the whole process, and `.passThrough` only while no scope is open. Code that may use the network
  /// beside open scopes runs in a scope of a registry that isn't enabled.
  public static var unscoped: UnscopedPolicy {
    get { unscopedPolicy.current ?? .fail }
    set {
      unscopedPolicy.current = newValue
      if newValue == .fail { SessionInstallation.activate() }
    }
  }

  /// The policy that was set, or `nil` if none was.
  static var chosenUnscoped: UnscopedPolicy? { unscopedPolicy.current }

  /// Sets no policy, for tests.
  static func forgetUnscoped() { unscopedPolicy.current = nil }
}
